#include "auth/client/grant.hpp"

#include <algorithm>

#include <tenon/auth/error.hpp>

#include "auth/parse_object.hpp"
#include "framing/http_fields.hpp"
#include "web/client_response.hpp"

namespace tenon::auth::client {
namespace {

using std::string_view;

// A token is sent in a header, so it must not contain spaces, line breaks or other control characters.
bool can_be_sent(string_view token) {
    return !token.empty() && std::ranges::all_of(token, [](char c) { return c > 0x20 && c < 0x7f; });
}

}  // namespace

Result<Tokens> read_tokens(int status, string_view body, std::int64_t now) {
    if (status != 200) return oauth_error("the authorisation server gave no token", status, body);
    const auto o = parse_object(body, "the answer of the token endpoint");
    if (!o) return o.error();
    Tokens out;
    out.access_token = json::text_member(*o, "access_token");
    out.refresh_token = json::text_member(*o, "refresh_token");
    out.scope = json::text_member(*o, "scope");
    const std::string type(json::text_member(*o, "token_type"));
    out.dpop = framing::equal_ignoring_case(type, "DPoP");
    if (const auto seconds = json::integer_member(*o, "expires_in"); seconds && *seconds > 0 && *seconds < (1LL << 40))
        out.expires_at = now + *seconds;
    if (!can_be_sent(out.access_token))
        return Error{code::not_authorised, "the answer of the token endpoint has no valid access token"};
    if (!out.dpop && !framing::equal_ignoring_case(type, "Bearer"))
        return Error{code::not_authorised, "the authorisation server gave a token of the type `" +
                                               web::printable(type) + "`, which this client cannot use"};
    return out;
}

std::string error_code_of(string_view body) {
    const auto o = parse_object(body, "");
    return o ? std::string(json::text_member(*o, "error")) : std::string();
}

Error oauth_error(string_view what, int status, string_view body) {
    const auto o = parse_object(body, "");
    const std::string error(o ? json::text_member(*o, "error") : std::string_view());
    if (error.empty()) return {code::not_authorised, std::string(what) + ": HTTP " + std::to_string(status)};
    return oauth_error(what, error, json::text_member(*o, "error_description"));
}

Error oauth_error(string_view what, string_view error, string_view description) {
    std::string text = std::string(what) + ": " + web::printable(error);
    if (!description.empty()) text += " (" + web::printable(description) + ")";
    return {code::not_authorised, std::move(text), json::object{{"oauthError", web::printable(error)}}};
}

}  // namespace tenon::auth::client
