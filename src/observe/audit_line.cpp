#include "observe/audit_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <tenon/json_writer.hpp>

#include "base/sha256.hpp"
#include "base/siphash.hpp"
#include "json/find.hpp"
#include "observe/mask.hpp"
#include "observe/timestamp.hpp"

namespace tenon::observe {
namespace {

void append_hexadecimal(std::string& out, std::string_view bytes) {
    static constexpr auto pairs = [] {
        std::array<std::array<char, 2>, 256> all{};
        constexpr std::string_view digits = "0123456789abcdef";
        for (std::size_t byte = 0; byte < all.size(); ++byte) all[byte] = {digits[byte >> 4], digits[byte & 15]};
        return all;
    }();
    const std::size_t at = out.size();
    out.resize(at + 2 * bytes.size());
    char* to = out.data() + at;
    for (const char c : bytes) to = std::ranges::copy(pairs[static_cast<unsigned char>(c)], to).out;
}

// Appends 16 digits that connect the records of a session. The id itself cannot be found from them, because it is
// random and longer. SipHash is quicker than SHA-256; it needs no secret key here.
void append_session(std::string& out, std::string_view id) {
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

std::string arguments_as_json(const Operation& o) {
    std::string out;
    out.reserve(256);  // enough for most, so that it need not grow
    json::Writer w(out);
    w.begin_object();
    each_argument(o, [&w](std::string_view name, const json::value& value) { w.field(name, value); });
    w.end_object();
    return out;
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

/// Writes the members of one record. json::Writer would look at each text twice: most are known to need no escapes.
class Members {
 public:
    explicit Members(std::string& out) : out_(out) {}

    /// `before` is the name with its punctuation, up to the value.
    void constant(std::string_view before, std::string_view value) { ((out_ += before) += value) += '"'; }
    void text(std::string_view before, std::string_view value) {
        if (value.empty()) return;
        if (is_safe(value)) return constant(before, value);
        out_ += before.substr(0, before.size() - 1);
        json::Writer(out_).string(safe_text(value));
    }
    template <class Number>
    void number(std::string_view before, Number value) {
        out_ += before;
        char digits[24];
        out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }

 private:
    std::string& out_;
};

void add_arguments(std::string& out, const Operation& o, AuditArguments how, const json::object* arguments) {
    if (how == AuditArguments::omitted || !o.params) return;
    const std::string text = arguments ? json::write(*arguments) : arguments_as_json(o);
    if (arguments && text.size() <= max_audit_arguments) {
        (out += ",\"arguments\":") += text;
    } else if (text != "{}") {
        out += ",\"arguments_sha256\":\"";
        append_hexadecimal(out, base::sha256(text));
        out += '"';
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
    Members m(out);
    out += "{\"time\":\"";
    append_timestamp(out, o.began);
    m.constant("\",\"side\":\"", o.side == Operation::Side::server ? "server" : "client");
    if (o.kind == Operation::Kind::task) m.constant(",\"kind\":\"", "task");
    m.text(",\"method\":\"", o.method);
    m.text(",\"name\":\"", o.name);
    m.constant(",\"outcome\":\"", to_string(o.end));
    m.number(",\"took_us\":", std::chrono::duration_cast<std::chrono::microseconds>(o.took).count());
    m.text(",\"id\":\"", o.request_id);
    m.text(",\"task\":\"", o.task);
    m.text(",\"principal\":\"", o.principal);
    if (!o.session_id.empty()) {
        out += ",\"session\":\"";
        append_session(out, o.session_id);
        out += '"';
    }
    m.text(",\"client\":\"", o.client_name);
    m.text(",\"client_version\":\"", o.client_version);
    m.text(",\"address\":\"", o.address);
    m.text(",\"transport\":\"", o.transport);
    m.text(",\"revision\":\"", o.revision);
    if (o.error_code != 0) m.number(",\"error\":", o.error_code);
    if (o.http_status != 0) m.number(",\"http_status\":", o.http_status);
    if (has_own_reason(o.end)) m.text(",\"reason\":\"", o.reason);
    m.text(",\"limit\":\"", to_string(o.limit));
    add_arguments(out, o, how, arguments);
    m.number(",\"request_bytes\":", o.request_bytes);
    m.number(",\"response_bytes\":", o.response_bytes);
    if (const auto [trace, span] = o.trace.ids(); !trace.empty()) {
        m.constant(",\"trace_id\":\"", trace);
        m.constant(",\"span_id\":\"", span);
    }
    m.text(",\"parent_span_id\":\"", o.parent_span);
    out += '}';
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
