#include "observe/audit_line.hpp"

#include <tenon/json_writer.hpp>

#include "base/sha256.hpp"
#include "base/siphash.hpp"
#include "json/find.hpp"
#include "observe/masking.hpp"
#include "observe/timestamp.hpp"

namespace tenon::observe {
namespace {

std::string hexadecimal(std::string_view bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string out;
    out.reserve(2 * bytes.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    return out;
}

// Returns 16 digits that connect the records of a session. The id itself cannot be found from them, because it is
// random and longer. SipHash is quicker than SHA-256; it needs no secret key here.
std::string session_digest(std::string_view id) {
    std::uint64_t hash = base::siphash({}, id);
    std::string bytes(sizeof(hash), '\0');
    for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte, hash >>= 8) *byte = static_cast<char>(hash & 0xff);
    return hexadecimal(bytes);
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

std::string arguments_as_json(const Operation& o) {
    std::string out;
    json::Writer w(out);
    w.begin_object();
    each_argument(o, [&w](std::string_view name, const json::value& value) { w.field(name, value); });
    w.end_object();
    return out;
}

json::value without_secrets(const json::value& v);

void add_without_secrets(json::object& out, std::string_view name, const json::value& value) {
    out.emplace(safe_text(name), names_a_secret(name) ? json::value("***") : without_secrets(value));
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

void add(json::Writer& w, json::Key name, std::string_view text) {
    if (text.empty()) return;
    is_safe(text) ? w.field(name, text) : w.field(name, safe_text(text));
}

void add_arguments(json::Writer& w, const Operation& o, AuditArguments how, const json::object* arguments) {
    if (how == AuditArguments::omitted || !o.params) return;
    const std::string text = arguments ? json::write(*arguments) : arguments_as_json(o);
    if (arguments && text.size() <= max_audit_arguments) {
        w.key("arguments");
        w.raw(text);
    } else if (text != "{}") {
        w.field("arguments_sha256", hexadecimal(base::sha256(text)));
    }
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

void append_audit_line(std::string& out, const Operation& o, AuditArguments how, const json::object* arguments) {
    json::Writer w(out);
    w.begin_object();
    w.field("time", timestamp(o.began));
    w.field("side", o.side == Operation::Side::server ? "server" : "client");
    add(w, "method", o.method);
    add(w, "name", o.name);
    w.field("outcome", to_string(o.end));
    w.field("took_us", std::chrono::duration_cast<std::chrono::microseconds>(o.took).count());
    add(w, "id", o.request_id);
    add(w, "principal", o.principal);
    if (!o.session_id.empty()) w.field("session", session_digest(o.session_id));
    add(w, "client", o.client_name);
    add(w, "client_version", o.client_version);
    add(w, "address", o.address);
    add(w, "transport", o.transport);
    add(w, "revision", o.revision);
    if (o.error_code != 0) w.field("error", o.error_code);
    if (o.http_status != 0) w.field("http_status", o.http_status);
    if (has_own_reason(o.end)) add(w, "reason", o.reason);
    add_arguments(w, o, how, arguments);
    w.field("request_bytes", o.request_bytes);
    w.field("response_bytes", o.response_bytes);
    if (const auto trace = o.trace.trace_id(); !trace.empty()) {
        w.field("trace_id", trace);
        w.field("span_id", o.trace.span_id());
    }
    add(w, "parent_span_id", o.parent_span);
    w.end_object();
}

}  // namespace tenon::observe

namespace tenon {

std::string audit_line(const Operation& operation, AuditArguments arguments) {
    std::string out;
    out.reserve(512);
    if (arguments == AuditArguments::redacted) {
        const json::object redacted = observe::without_secrets(operation);
        observe::append_audit_line(out, operation, arguments, &redacted);
    } else {
        observe::append_audit_line(out, operation, arguments);
    }
    return out;
}

}  // namespace tenon
