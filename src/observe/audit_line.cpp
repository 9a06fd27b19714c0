#include "observe/audit_line.hpp"

#include <algorithm>
#include <array>

#include <tenon/json_writer.hpp>

#include "base/sha256.hpp"
#include "base/siphash.hpp"
#include "json/find.hpp"
#include "observe/mask.hpp"

namespace tenon::observe {
namespace {

void append_hexadecimal(RecordWriter& out, std::string_view bytes) {
    static constexpr auto pairs = [] {
        std::array<std::array<char, 2>, 256> all{};
        constexpr std::string_view digits = "0123456789abcdef";
        for (std::size_t byte = 0; byte < all.size(); ++byte) all[byte] = {digits[byte >> 4], digits[byte & 15]};
        return all;
    }();
    char* to = out.room(2 * bytes.size());
    for (const char c : bytes) to = std::ranges::copy(pairs[static_cast<unsigned char>(c)], to).out;
    out.wrote(2 * bytes.size());
}

// Appends 16 digits that connect the records of a session. The id itself cannot be found from them, because it is
// random and longer. SipHash is quicker than SHA-256; it needs no secret key here.
void append_session(RecordWriter& out, std::string_view id) {
    const std::uint64_t hash = base::siphash({}, id);
    char bytes[sizeof hash];
    for (std::size_t i = 0; i < sizeof hash; ++i) bytes[i] = static_cast<char>(hash >> (56 - 8 * i));
    append_hexadecimal(out, {bytes, sizeof bytes});
}

// Calls `use(name, value)` for each argument. These are the members of `arguments`, or, if the request has none, the
// parameters themselves without `_meta`.
template <class Use>
void each_argument(const Operation& o, Use use) {
    const json::object* inner = o.params ? json::find_object(*o.params, "arguments") : nullptr;
    const json::object* all = inner ? inner : o.params;
    if (!all) return;
    for (const auto& [name, value] : *all)
        if (inner || name != "_meta") use(std::string_view(name), value);
}

void write_arguments(std::string& out, const Operation& o) {
    json::Writer w(out);
    w.begin_object();
    each_argument(o, [&w](std::string_view name, const json::value& value) { w.field(name, value); });
    w.end_object();
}

json::value without_secrets(const json::value& v);

void add_without_secrets(json::object& out, std::string_view name, const json::value& value) {
    out.emplace(safe_text(name), is_secret(name, value) ? json::value(mask_mark) : without_secrets(value));
}

// Returns a copy on the heap, with all its texts masked and escaped.
json::value without_secrets(const json::value& v) {
    if (const auto* text = v.if_string()) return json::value(safe_text(*text));
    if (const auto* array = v.if_array()) {
        json::array out;
        for (const json::value& element : *array) out.push_back(without_secrets(element));
        return out;
    }
    const auto* object = v.if_object();
    if (!object) return json::value(v, json::storage_ptr());
    json::object out;
    for (const auto& [name, value] : *object) add_without_secrets(out, name, value);
    return out;
}

// The texts of handlers may contain anything, also arguments. Those of Tenon do not.
bool has_own_reason(OperationEnd end) {
    return end == OperationEnd::refused || end == OperationEnd::cancelled || end == OperationEnd::timed_out;
}

}  // namespace

json::object without_secrets(const Operation& operation) {
    json::object out;
    each_argument(operation,
                  [&out](std::string_view name, const json::value& value) { add_without_secrets(out, name, value); });
    return out;
}

void AuditLineWriter::add_arguments(RecordWriter& out, const Operation& o, AuditArguments how,
                                    const json::object* arguments) {
    if (how == AuditArguments::omitted || !o.params) return;
    arguments_.clear();
    arguments ? json::Writer(arguments_).value(*arguments) : write_arguments(arguments_, o);
    if (arguments && arguments_.size() <= max_audit_arguments) {
        out.literal(",\"arguments\":");
        out.raw(arguments_);
    } else if (arguments_ != "{}") {
        const base::Sha256Digest digest = base::sha256(arguments_);
        out.literal(",\"arguments_sha256\":\"");
        append_hexadecimal(out, {digest.data(), digest.size()});
        out.raw('"');
    }
}

std::string_view AuditLineWriter::write(const Operation& o, AuditArguments how, const json::object* arguments) {
    RecordWriter out(line_);
    out.constant("{\"time\":\"", time_.write(o.began));
    out.constant(",\"side\":\"", o.side == Operation::Side::server ? "server" : "client");
    if (o.kind == Operation::Kind::task) out.constant(",\"kind\":\"", "task");
    out.text(",\"method\":\"", o.method);
    out.text(",\"name\":\"", o.name);
    out.constant(",\"outcome\":\"", to_string(o.end));
    out.number(",\"took_us\":", std::chrono::duration_cast<std::chrono::microseconds>(o.took).count());
    out.text(",\"id\":\"", o.request_id);
    out.text(",\"task\":\"", o.task);
    out.text(",\"principal\":\"", o.principal);
    if (!o.session_id.empty()) {
        out.literal(",\"session\":\"");
        append_session(out, o.session_id);
        out.raw('"');
    }
    out.text(",\"client\":\"", o.client_name);
    out.text(",\"client_version\":\"", o.client_version);
    out.text(",\"address\":\"", o.address);
    out.text(",\"transport\":\"", o.transport);
    out.text(",\"revision\":\"", o.revision);
    if (o.error_code != 0) out.number(",\"error\":", o.error_code);
    if (o.http_status != 0) out.number(",\"http_status\":", o.http_status);
    if (has_own_reason(o.end)) out.text(",\"reason\":\"", o.reason);
    out.text(",\"limit\":\"", to_string(o.limit));
    add_arguments(out, o, how, arguments);
    out.number(",\"request_bytes\":", o.request_bytes);
    out.number(",\"response_bytes\":", o.response_bytes);
    if (const auto [trace, span] = o.trace.ids(); !trace.empty()) {
        out.constant(",\"trace_id\":\"", trace);
        out.constant(",\"span_id\":\"", span);
    }
    out.text(",\"parent_span_id\":\"", o.parent_span);
    out.raw('}');
    return out.written();
}

void AuditLineWriter::keep_at_most(std::size_t bytes) {
    for (std::string* memory : {&line_, &arguments_})
        if (memory->capacity() > bytes) std::string().swap(*memory);
}

}  // namespace tenon::observe

namespace tenon {

std::string audit_line(const Operation& operation, AuditArguments arguments) {
    observe::AuditLineWriter writer;
    if (arguments != AuditArguments::redacted) return std::string(writer.write(operation, arguments));
    const json::object redacted = observe::without_secrets(operation);
    return std::string(writer.write(operation, arguments, &redacted));
}

}  // namespace tenon
