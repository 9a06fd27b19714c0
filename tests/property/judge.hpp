// The rules for single messages: which answer a line must get, and what a server may send. Written from the protocol
// rules, independent of the library.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "property/generators.hpp"
#include "property/json_text.hpp"

namespace tenon::test {

using Kind = Json::Kind;

/// What the oracle must know about the server and the session.
struct World {
    std::set<std::string> tools = {};  // names of the tools
    std::size_t max_message_bytes = 16 * 1024 * 1024;
    std::size_t max_depth = 128;
    std::size_t max_batch = 1000;
    std::string revision = {};  // empty before initialize
    bool shut_down = false;

    bool serves_batches() const { return revision == "2024-11-05" || revision == "2025-03-26"; }
    bool null_id() const { return revision != "2025-11-25"; }
};

// ---- ids

inline constexpr std::size_t max_id_bytes = 1024, max_uri_bytes = 8 * 1024;  // the defaults of Limits

inline bool readable_id(const Json* v) {
    return v && (v->is(Kind::string) || v->is(Kind::number)) && v->text.size() <= max_id_bytes;
}

/// Returns the type and spelling of an id, which a server must return unchanged.
inline std::string id_key(const Json& id) { return (id.is(Kind::string) ? "s" : "n") + id.text; }

/// Returns the value of an id. A number has the same exact value in every spelling.
inline std::string id_value(const Json& id) {
    if (id.is(Kind::string)) return "s" + id.text;
    std::string_view rest = id.text;
    const bool negative = rest.starts_with('-');
    if (negative) rest.remove_prefix(1);
    const std::size_t e = rest.find_first_of("eE");
    long exponent = e == rest.npos ? 0 : std::strtol(std::string(rest.substr(e + 1)).c_str(), nullptr, 10);
    std::string digits(rest.substr(0, e));
    if (const auto point = digits.find('.'); point != digits.npos) {
        exponent -= static_cast<long>(digits.size() - point - 1);
        digits.erase(point, 1);
    }
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    while (digits.ends_with('0')) digits.pop_back(), ++exponent;
    if (digits.empty()) return "n0";
    return (negative ? "n-" : "n") + digits + "e" + std::to_string(exponent);
}

// ---- the answer that a line must get

/// Returns whether the line has a number with an exponent of nine digits. It is valid JSON, but a reader may refuse it
/// (RFC 8259, 6).
inline bool beyond_judgement(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != 'e' && line[i] != 'E') continue;
        std::size_t digits = i + 1;
        if (digits < line.size() && (line[digits] == '+' || line[digits] == '-')) ++digits;
        const std::size_t end = std::min(line.find_first_not_of("0123456789", digits), line.size());
        if (end - std::min(digits, end) >= 9) return true;
    }
    return false;
}

struct Expected {
    std::optional<Json> id = {};  // empty: an error without an id
    std::set<int> codes = {};     // allowed error codes; empty: any answer
    bool must_succeed = false;
    std::optional<std::string> text = {};  // text of the first content block of the result
    bool in_batch = false;
    bool may_be_duplicate = false;          // an error -32600 is right as well
    bool owed = true;                       // false after a cancellation: then an answer is optional
    bool is_request = false;                // envelope and params are valid
    bool runs = false;                      // a handler runs: the answer may be late, and the request can be cancelled
    bool closed = false;                    // no later answer can belong to it: it is answered, or was cancelled
    std::optional<std::string> token = {};  // the progress token of the request
    std::optional<double> progress = {};    // the last reported progress
};

/// Normalises a progress token. A number may come back in another spelling, as JSON readers treat numbers.
inline std::string token_key(const Json& token) {
    if (!token.is(Kind::number)) return "s" + token.text;
    std::array<char, 64> text;
    std::snprintf(text.data(), text.size(), "n%a", std::strtod(token.text.c_str(), nullptr) + 0.0);  // -0 equals 0
    return text.data();
}

inline bool only_members(const Json& o, std::initializer_list<std::string_view> names) {
    return std::ranges::all_of(
        o.members, [&](const auto& m) { return std::ranges::find(names, std::string_view(m.key)) != names.end(); });
}

inline void judge_tool_call(const Json& params, const World& world, Expected& out) {
    const Json* name = params.find("name");
    if (!only_members(params, {"name", "arguments"}) || !name || !name->is(Kind::string)) return;
    const Json* arguments = params.find("arguments");
    if (arguments && !arguments->is(Kind::object)) return void(out.codes = {-32602});
    if (!world.tools.contains(name->text)) return void(out.codes = {-32602});
    const Json* message = arguments ? arguments->find("message") : nullptr;
    if ((name->text != "echo" && name->text != "work") || !message || !message->is(Kind::string) ||
        arguments->members.size() != 1)
        return;
    out.must_succeed = true;
    out.text = message->text;
}

inline void judge_request(const std::string& method, const Json* params, const World& world, Expected& out) {
    out.runs = method == "tools/call" || method == "resources/read" || method == "prompts/get" ||
               method == "completion/complete";
    if (world.shut_down) return void(out.codes = {-32000});
    if (out.in_batch && method == "initialize") return void(out.codes = {-32600});
    const bool modern_only = method == "server/discover" || method == "subscriptions/listen";
    if (world.revision.empty() && modern_only) {
        out.codes = {-32602};  // a method of 2026-07-28 only, and the request does not declare its revision
    } else if (world.revision.empty()) {
        if (method != "initialize" && method != "ping") out.codes = {-32602};
    } else if (std::ranges::find(known_methods, method) == std::end(known_methods)) {
        out.codes = {-32601};
    } else if (method == "initialize") {
        if (!params || !params->find("_meta")) out.codes = {-32600};
    } else if (method == "ping") {
        out.must_succeed = !params || !params->find("_meta");
    } else if (method == "tools/call") {
        if (!params) return void(out.codes = {-32602});
        judge_tool_call(*params, world, out);
    } else if (method == "tools/list") {
        out.must_succeed = !params || params->members.empty();
    }
}

/// Returns whether a part of the parameters exceeds its own limit. Such parameters are refused before they are read.
inline bool has_long_part(const Json& params) {
    const auto longer = [](const Json* text, std::size_t max) {
        return text && (text->is(Kind::string) || text->is(Kind::number)) && text->text.size() > max;
    };
    const auto inside = [&](std::string_view outer, std::string_view inner) -> const Json* {
        const Json* found = params.find(outer);
        return found && found->is(Kind::object) ? found->find(inner) : nullptr;
    };
    return longer(params.find("uri"), max_uri_bytes) || longer(params.find("url"), max_uri_bytes) ||
           longer(inside("ref", "uri"), max_uri_bytes) || longer(inside("_meta", "progressToken"), max_id_bytes);
}

inline std::optional<Expected> judge(const Json& message, const World& world, bool in_batch) {
    Expected out{.in_batch = in_batch};
    if (!message.is(Kind::object)) return out.codes = {-32600}, out;
    const Json* id = message.find("id");
    const Json* version = message.find("jsonrpc");
    const Json* method = message.find("method");
    const Json* params = message.find("params");
    const bool answers = message.find("result") || message.find("error");
    if (answers && !method) return std::nullopt;  // a response is never answered
    if (readable_id(id)) out.id = *id;
    if (!version || !version->is_string("2.0") || !method || !method->is(Kind::string) || answers)
        return out.codes = {-32600}, out;
    if (id && !out.id) return out.codes = {-32600}, out;
    if (!id) return std::nullopt;  // a notification
    if (params && (!params->is(Kind::object) || has_long_part(*params))) return out.codes = {-32602}, out;
    out.is_request = true;
    const Json* meta = params ? params->find("_meta") : nullptr;
    const Json* token = meta ? meta->find("progressToken") : nullptr;
    if (readable_id(token)) out.token = token_key(*token);
    judge_request(method->text, params, world, out);
    return out;
}

inline bool is_blank_line(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

/// The line as the oracle understands it. `messages` is empty when the line gets one error without an id.
struct Judged {
    std::vector<Expected> expected;
    std::vector<Json> messages;  // notifications among them may change the expected answers
};

inline Judged judge_line(std::string_view line, const World& world) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto refused = [](int code) { return Judged{{Expected{.codes = {code}}}, {}}; };
    if (line.size() > world.max_message_bytes) return refused(-32600);
    if (is_blank_line(line)) return {};
    auto parsed = JsonReader::read(line, world.max_depth);
    if (!parsed) return refused(-32700);
    Judged out;
    const bool batch = parsed->is(Kind::array);
    if (batch) {
        if (parsed->items.empty() || parsed->items.size() > world.max_batch || !world.serves_batches())
            return refused(-32600);
        out.messages = std::move(parsed->items);
    } else {
        out.messages.push_back(*std::move(parsed));
    }
    for (const Json& message : out.messages)
        if (auto expected = judge(message, world, batch)) out.expected.push_back(*std::move(expected));
    return out;
}

// ---- what a server may send

inline constexpr std::string_view server_notifications[] = {"notifications/message",
                                                            "notifications/progress",
                                                            "notifications/cancelled",
                                                            "notifications/tools/list_changed",
                                                            "notifications/resources/list_changed",
                                                            "notifications/resources/updated",
                                                            "notifications/prompts/list_changed",
                                                            "notifications/elicitation/complete"};
inline constexpr std::string_view server_requests[] = {"sampling/createMessage", "elicitation/create", "roots/list",
                                                       "ping"};

/// Returns what is wrong with a message by itself, by JSON-RPC 2.0 and MCP, or an empty string.
inline std::string wrong_with(const Json& m, const World& world) {
    if (!m.is(Kind::object)) return "it is not an object";
    const Json* version = m.find("jsonrpc");
    const Json* id = m.find("id");
    const Json* method = m.find("method");
    const Json* result = m.find("result");
    const Json* error = m.find("error");
    if (!version || !version->is_string("2.0")) return "jsonrpc is not \"2.0\"";
    if (!only_members(m, {"jsonrpc", "id", "method", "params", "result", "error"})) return "it has an unknown member";
    if ((method != nullptr) + (result != nullptr) + (error != nullptr) != 1)
        return "not exactly one of method, result and error";
    if (method) {
        const Json* params = m.find("params");
        if (params && !params->is(Kind::object)) return "params is not an object";
        if (id && !readable_id(id)) return "the id of a request is not a string or number";
        if (id ? std::ranges::find(server_requests, method->text) == std::end(server_requests)
               : std::ranges::find(server_notifications, method->text) == std::end(server_notifications))
            return "a server does not send " + method->text;
        return {};
    }
    if (m.find("params")) return "a response has params";
    if (result)
        return !readable_id(id) ? "a result without an id" : result->is(Kind::object) ? "" : "result is not an object";
    if (!error->is(Kind::object) || !only_members(*error, {"code", "message", "data"}))
        return "error is not {code, message, data?}";
    const Json* code = error->find("code");
    const Json* text = error->find("message");
    if (!code || !code->is(Kind::number) || code->text.find_first_of(".eE") != std::string::npos)
        return "code is not an integer";
    if (!text || !text->is(Kind::string) || text->text.empty()) return "message is not a non-empty string";
    if (text->text.size() > 16 * 1024) return "an error message of " + std::to_string(text->text.size()) + " bytes";
    if (readable_id(id)) return {};
    if (world.null_id() ? !id || !id->is(Kind::null) : id != nullptr)
        return "the id that replaces an unreadable id is wrong";
    return {};
}

}  // namespace tenon::test
