#include "web/client_response.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <tenon/json.hpp>

#include "base/printable.hpp"
#include "core/client/unreadable.hpp"
#include "framing/http_fields.hpp"
#include "jsonrpc/codec.hpp"
#include "jsonrpc/envelope_scan.hpp"
#include "web/response.hpp"

namespace tenon::web {
namespace {

using std::string_view;

constexpr std::size_t max_body_shown = 300;
constexpr std::size_t max_depth = 128;

bool is_type(const framing::HttpResponse& head, string_view type) {
    const auto said = head.fields.only("content-type");
    return said && framing::equal_ignoring_case(framing::trimmed(said->substr(0, said->find(';'))), type);
}

}  // namespace

std::string printable(string_view s) { return base::printable(framing::trimmed(s), max_body_shown); }

BodyKind body_kind_of(const framing::HttpResponse& head, bool of_request) {
    if (head.status < 200 || head.status >= 300) return BodyKind::explanation;
    if (!of_request || head.status == 202 || head.status == 204) return BodyKind::nothing;
    if (const auto coding = head.fields.only("content-encoding");
        coding && !framing::equal_ignoring_case(*coding, "identity"))
        return BodyKind::unintelligible;
    if (is_type(head, "application/json")) return BodyKind::message;
    if (is_type(head, "text/event-stream")) return BodyKind::stream;
    return BodyKind::unintelligible;
}

std::optional<Error> jsonrpc_error(string_view body) {
    const auto parsed = json::parse(body, {max_depth});
    const json::object* o = parsed ? parsed->if_object() : nullptr;
    const json::value* said = o ? o->if_contains("error") : nullptr;
    const json::object* error = said ? said->if_object() : nullptr;
    const json::value* number = error ? error->if_contains("code") : nullptr;
    const json::value* text = error ? error->if_contains("message") : nullptr;
    if (!number || !number->is_int64() || !text || !text->is_string()) return std::nullopt;
    const std::int64_t n = number->get_int64();
    if (n < std::numeric_limits<int>::min() || n > std::numeric_limits<int>::max()) return std::nullopt;
    const json::value* data = error->if_contains("data");
    return Error{static_cast<int>(n), std::string(text->get_string()), data ? *data : json::value()};
}

Error refusal_error(int status, string_view www_authenticate, string_view body) {
    auto said = jsonrpc_error(body);
    if (said && (is_modern_error(said->code) || (status != 401 && status != 403))) return *std::move(said);
    std::string text = "the server answered HTTP " + std::to_string(status) + " " + std::string(reason_of(status));
    if (status == 401) text += ": authentication is required";
    if (const std::string more = printable(said ? said->message : body); !more.empty()) text += ": " + more;
    json::object data{{"httpStatus", status}};
    if (!www_authenticate.empty()) data.emplace("wwwAuthenticate", printable(www_authenticate));
    return {code::http_refused, std::move(text), std::move(data)};
}

bool is_modern_error(int code) {
    return code == code::unsupported_version || code == code::missing_capability || code == code::header_mismatch;
}

bool may_be_old_transport(int status, const std::optional<Error>& said) {
    return (status == 400 || status == 404 || status == 405) && !(said && is_modern_error(said->code));
}

std::optional<string_view> redirect_target(const framing::HttpResponse& head, string_view method) {
    const bool keeps =
        head.status == 307 || head.status == 308 || ((head.status == 301 || head.status == 302) && method == "GET");
    return keeps ? head.fields.only("location") : std::nullopt;
}

Relation relation_of(string_view message, std::int64_t request) {
    const auto scan = jsonrpc::scan_envelope(message);
    if (std::ranges::find(scan.answers(), request) != scan.answers().end()) return Relation::response;
    return scan.has_call() || !scan.answers().empty() ? Relation::other : Relation::unreadable;
}

bool is_response_to(string_view message, std::int64_t request) {
    return relation_of(message, request) == Relation::response;
}

Error not_the_response(string_view message) {
    if (auto said = jsonrpc_error(message)) return *std::move(said);
    const jsonrpc::Incoming in = jsonrpc::decode(message, {max_depth});
    const jsonrpc::Message& first = in.messages.front();
    if (const auto* invalid = std::get_if<jsonrpc::Invalid>(&first))
        return core::answer_unreadable(printable(invalid->error.message));
    if (const auto* ignored = std::get_if<jsonrpc::Ignored>(&first))
        return core::answer_unreadable(printable(ignored->why));
    return {code::invalid_answer, "the server's answer has another id than the request"};
}

}  // namespace tenon::web
