#include "load/prepared_call.hpp"

#include <charconv>

#include <tenon/json_writer.hpp>

#include "json/members.hpp"
#include "jsonrpc/codec.hpp"
#include "protocol/write_client.hpp"

namespace tenon::load {
namespace {

using jsonrpc::Encoded;
using std::string_view;

const protocol::ClientIdentity& identity() {
    static const protocol::ClientIdentity out{{"tenon bench", "0.1.0"}, {}};
    return out;
}

constexpr string_view filling = "all work and no play makes a dull text; ";

std::string filled(std::uint64_t number, std::size_t size) {
    std::string out = std::to_string(number);
    out.reserve(size);
    while (out.size() < size) out += filling.substr(0, std::min(filling.size(), size - out.size()));
    return out;
}

// Returns the size of the nonce in bytes. `word` is the text between the braces. Returns nothing if it is not a nonce.
std::optional<std::size_t> nonce_size(string_view word) {
    constexpr string_view name = "nonce";
    if (word == name) return number_width;
    if (!word.starts_with(name) || word.substr(name.size(), 1) != ":") return {};
    word.remove_prefix(name.size() + 1);
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), size);
    if (error != std::errc() || end != word.data() + word.size() || size > largest_filling) return {};
    return size;
}

json::value with_nonces(const json::value& v, std::uint64_t number) {
    if (v.is_string()) return json::value(with_nonce(string_view(v.get_string()), number));
    if (const json::array* a = v.if_array()) {
        json::array out;
        for (const json::value& element : *a) out.push_back(with_nonces(element, number));
        return out;
    }
    if (const json::object* o = v.if_object()) {
        json::object out;
        for (const auto& [key, member] : *o) out.emplace(key, with_nonces(member, number));
        return out;
    }
    return v;
}

Encoded encode_params(const json::object& params, const protocol::Rules& rules,
                      const std::optional<std::uint64_t>& progress_token) {
    json::object all = params;
    json::object meta = protocol::request_meta(identity(), rules);
    for (const auto& [key, value] : json::object_member(params, "_meta")) meta.insert_or_assign(key, value);
    if (progress_token) meta.insert_or_assign("progressToken", *progress_token);
    if (!meta.empty()) all.insert_or_assign("_meta", std::move(meta));
    Encoded out;
    if (all.empty()) return out;
    json::Writer(out.json).value(all);
    return out;
}

std::string render(const bench::Call& call, const protocol::Rules& rules, std::uint64_t number) {
    const json::value params = with_nonces(json::value(call.params), number);
    const auto token = call.progress ? std::optional(number) : std::nullopt;
    return jsonrpc::encode_request(jsonrpc::Id(static_cast<std::int64_t>(number)), call.method,
                                   encode_params(params.get_object(), rules, token))
        .json;
}

// Returns the text escaped for the inside of a JSON string.
std::string spelled(string_view text) {
    std::string out;
    json::Writer(out).string(text);
    return out.substr(1, out.size() - 2);
}

std::string name_in(const json::object& params) {
    for (const string_view key : {"name", "uri", "taskId"})
        if (const string_view text = json::text_member(params, key); !text.empty()) return std::string(text);
    return {};
}

}  // namespace

std::string beginning_of(string_view text) {
    constexpr std::size_t enough = 300;
    return std::string(text.substr(0, enough)) + (text.size() > enough ? "..." : "");
}

std::string with_nonce(string_view text, std::uint64_t number) {
    std::string out;
    while (!text.empty()) {
        const std::size_t open = text.find('{');
        out += text.substr(0, open);
        if (open == string_view::npos) break;
        text.remove_prefix(open);
        const std::size_t close = text.find('}');
        const auto size = close == string_view::npos ? std::nullopt : nonce_size(text.substr(1, close - 1));
        out += size ? filled(number, *size) : "{";
        text.remove_prefix(size ? close + 1 : 1);
    }
    return out;
}

Result<PreparedCall> PreparedCall::of(const bench::Call& call, const protocol::Rules& rules) {
    PreparedCall out;
    out.label_ = call.label.empty() ? call.method : call.label;
    out.tool_ = call.method == "tools/call";
    out.about_.method = call.method;
    out.about_.name = name_in(call.params);
    out.about_.revision = rules.name();
    out.about_.stateless = rules.is_modern();
    auto body = Stencil::of([&](std::uint64_t number) { return render(call, rules, number); });
    auto expected = Stencil::of([&](std::uint64_t number) { return spelled(with_nonce(call.expect, number)); });
    if (!body) return body.error();
    if (!expected) return expected.error();
    out.body_ = *std::move(body);
    out.expected_ = *std::move(expected);
    return out;
}

std::optional<std::string> PreparedCall::complaint(string_view answer, const Envelope& envelope, std::uint64_t number) {
    if (envelope.kind == Envelope::Kind::garbage) return "no message: " + beginning_of(answer);
    if (envelope.kind == Envelope::Kind::error) return "an error: " + beginning_of(answer);
    if (envelope.id != number) return "an answer to another request: " + beginning_of(answer);
    const string_view expected = expected_.with(number);
    const std::size_t at = expected.empty() ? 0 : position_of(expected, answer);
    if (at == string_view::npos) return "an unexpected result: " + beginning_of(answer);
    if (tool_ && (says_is_error(answer.substr(0, at)) || says_is_error(answer.substr(at + expected.size()))))
        return "the tool failed: " + beginning_of(answer);
    return {};
}

Result<std::vector<PreparedCall>> prepare(const std::vector<bench::Call>& calls, const protocol::Rules& rules) {
    std::vector<PreparedCall> out;
    for (const bench::Call& call : calls) {
        auto prepared = PreparedCall::of(call, rules);
        if (!prepared) return prepared.error();
        out.push_back(*std::move(prepared));
    }
    return out;
}

Introduction introduction(const protocol::Rules& rules) {
    const jsonrpc::Id one(std::int64_t{1});
    const json::object changes{{"notifications", json::object{{"toolsListChanged", true}}}};
    return {jsonrpc::encode_request(one, "initialize", protocol::encode_introduction(identity(), rules)).json,
            jsonrpc::encode_notification("notifications/initialized", {}).json,
            jsonrpc::encode_request(one, "server/discover", encode_params({}, rules, {})).json,
            jsonrpc::encode_request(one, "subscriptions/listen", encode_params(changes, rules, {})).json};
}

Result<std::string> revision_in(string_view answer) {
    const auto incoming = jsonrpc::decode(answer);
    const auto* response =
        incoming.messages.empty() ? nullptr : std::get_if<jsonrpc::Response>(&incoming.messages.front());
    const json::object* result = response && response->outcome ? response->outcome->if_object() : nullptr;
    const json::value* version = result ? result->if_contains("protocolVersion") : nullptr;
    if (!version || !version->is_string())
        return Error{code::connection_closed, "`initialize` was answered by " + beginning_of(answer)};
    return std::string(version->get_string());
}

}  // namespace tenon::load
