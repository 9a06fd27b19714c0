#include "inspect/access.hpp"

#include "jose/digest.hpp"

namespace tenon::inspect {
namespace {

constexpr std::string_view cookie_name = "tenon";

Access::Verdict refuse(std::string why, int status = 403) { return {Access::Kind::refused, status, std::move(why)}; }

// Returns the value of our cookie in a Cookie field: "a=1; tenon=xyz".
std::string_view own_cookie(std::string_view field) {
    while (!field.empty()) {
        const std::size_t end = field.find(';');
        const std::string_view pair = framing::trimmed(field.substr(0, end));
        const std::size_t equals = pair.find('=');
        if (equals != std::string_view::npos && pair.substr(0, equals) == cookie_name) return pair.substr(equals + 1);
        if (end == std::string_view::npos) break;
        field.remove_prefix(end + 1);
    }
    return {};
}

}  // namespace

std::string_view query_value(std::string_view query, std::string_view name) {
    while (!query.empty()) {
        const std::size_t end = query.find('&');
        const std::string_view pair = query.substr(0, end);
        if (pair.size() > name.size() && pair.starts_with(name) && pair[name.size()] == '=')
            return pair.substr(name.size() + 1);
        if (end == std::string_view::npos) break;
        query.remove_prefix(end + 1);
    }
    return {};
}

Access::Access(Secrets secrets, std::uint16_t port)
    : secrets_(std::move(secrets)),
      own_ip_("127.0.0.1:" + std::to_string(port)),
      own_name_("localhost:" + std::to_string(port)) {}

// Returns why the request comes from another site, or an empty string. A foreign page can make its own name resolve to
// this machine, but its browser still sends that name in Host and Origin.
std::string Access::foreign(const framing::HttpRequest& request) const {
    const bool by_ip = framing::equal_ignoring_case(request.host, own_ip_);
    if (!by_ip && !framing::equal_ignoring_case(request.host, own_name_))
        return "The Host of this request is not this inspector. Open the link that tenon inspect printed.";
    const auto& fields = request.fields;
    if (fields.count("origin") > 1 || fields.count("sec-fetch-site") > 1 || fields.count("cookie") > 1)
        return "A header of this request is there twice.";
    const auto origin = fields.only("origin");
    if (origin && *origin != "http://" + (by_ip ? own_ip_ : own_name_))
        return "Another site sent this request. Only the inspector's own page may do that.";
    const auto site = fields.only("sec-fetch-site");
    if (site && *site != "same-origin" && *site != "none")
        return "Another site sent this request, or linked to it. Open the link that tenon inspect printed by yourself.";
    return {};
}

bool Access::has_cookie(const framing::HttpRequest& request) const {
    return jose::same_secret(own_cookie(request.fields.only("cookie").value_or("")), secrets_.cookie);
}

Access::Verdict Access::enter(std::string_view token) {
    const bool right = jose::same_secret(token, secrets_.token);
    if (!right) return refuse("The token in this link is wrong. Open the link that tenon inspect printed.");
    if (entered_)
        return refuse("This link was opened before, and works only once. Start tenon inspect again for a new one.");
    entered_ = true;
    return {Kind::enter, 303};
}

Access::Verdict Access::judge(const framing::HttpRequest& request) {
    if (std::string why = foreign(request); !why.empty()) return refuse(std::move(why));
    const bool api = request.path.starts_with("/api/");
    const bool get = request.method == "GET";
    if (!get && !(api && request.method == "POST")) return refuse("This method is not allowed here.", 405);
    const std::string_view token = request.path == "/" ? query_value(request.query, "token") : std::string_view();
    if (!token.empty() && !has_cookie(request)) return enter(token);
    if (!has_cookie(request))
        return refuse("This browser has not opened the inspector. Open the link that tenon inspect printed.");
    if (!api) return {Kind::file, 200};
    if (!jose::same_secret(request.fields.only("x-tenon-key").value_or(""), secrets_.key))
        return refuse("The header X-Tenon-Key is missing or wrong. Reload the page.");
    return {Kind::api, 200};
}

std::string Access::cookie_field() const {
    return std::string(cookie_name) + "=" + secrets_.cookie + "; Path=/; HttpOnly; SameSite=Strict";
}

}  // namespace tenon::inspect
