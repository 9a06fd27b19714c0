#include "auth/metadata.hpp"

#include <tenon/auth/error.hpp>

#include "auth/parse_object.hpp"
#include "web/address_rules.hpp"
#include "web/client_response.hpp"

namespace tenon::auth::client {
namespace {

using std::string_view;

Error invalid_metadata(std::string why) { return {code::not_authorised, std::move(why)}; }

// Returns the path without slashes at its end; empty for the root.
string_view path_of(const web::Url& url) {
    string_view path = string_view(url.target).substr(0, url.target.find('?'));
    while (path.ends_with('/')) path.remove_suffix(1);
    return path;
}

std::string well_known(const web::Url& url, string_view name, string_view path) {
    return origin_of(url) + "/.well-known/" + std::string(name) + std::string(path);
}

bool covers(const web::Url& resource, const web::Url& server) {
    const string_view above = path_of(resource), path = path_of(server);
    return web::same_origin(resource, server) && path.starts_with(above) &&
           (path.size() == above.size() || path[above.size()] == '/');
}

Result<void> check_endpoints(const Issuer& issuer) {
    if (issuer.token_endpoint.empty()) return invalid_metadata("the authorisation server has no token endpoint");
    for (const std::string* url :
         {&issuer.authorization_endpoint, &issuer.token_endpoint, &issuer.registration_endpoint}) {
        if (url->empty()) continue;
        if (const auto safe = safe_url(*url, "an endpoint of the authorisation server"); !safe) return safe.error();
    }
    return {};
}

}  // namespace

bool is_safe(const web::Url& url) { return url.user.empty() && (url.tls || web::is_loopback_host(url.host)); }

Result<web::Url> safe_url(string_view text, string_view what) {
    auto url = web::parse_url(text);
    if (!url)
        return invalid_metadata(std::string(what) + " is not an http:// or https:// URL: " + web::printable(text));
    if (is_safe(*url)) return url;
    return invalid_metadata(std::string(what) + " must begin with https://: " + web::printable(url->text()));
}

std::string origin_of(const web::Url& url) { return (url.tls ? "https://" : "http://") + url.authority(); }

std::vector<std::string> protected_resource_urls(const web::Url& server) {
    constexpr string_view name = "oauth-protected-resource";
    std::vector<std::string> out = {well_known(server, name, path_of(server))};
    if (!path_of(server).empty()) out.push_back(well_known(server, name, ""));
    return out;
}

Result<ProtectedResource> read_protected_resource(string_view body, const web::Url& server) {
    const auto o = parse_object(body, "the server's protected resource metadata");
    if (!o) return o.error();
    ProtectedResource out;
    out.resource = json::text_member(*o, "resource");
    out.authorization_servers = json::list_member(*o, "authorization_servers").value_or(std::vector<std::string>());
    out.scopes_supported = json::list_member(*o, "scopes_supported");
    out.wants_dpop = json::flag_member(*o, "dpop_bound_access_tokens_required");
    const auto resource = web::parse_url(out.resource);
    if (!resource || !covers(*resource, server))
        return invalid_metadata("the server's metadata describes another resource, " + web::printable(out.resource) +
                                "; its tokens must not be sent to this server");
    return out;
}

std::vector<std::string> issuer_urls(const web::Url& issuer) {
    constexpr string_view oauth = "oauth-authorization-server", openid = "openid-configuration";
    const string_view path = path_of(issuer);
    std::vector<std::string> out = {well_known(issuer, oauth, path), well_known(issuer, openid, path)};
    if (!path.empty()) out.push_back(origin_of(issuer) + std::string(path) + "/.well-known/" + std::string(openid));
    return out;
}

Result<Issuer> read_issuer(string_view body, string_view issuer) {
    const auto o = parse_object(body, "the authorisation server's metadata");
    if (!o) return o.error();
    Issuer out;
    out.issuer = json::text_member(*o, "issuer");
    if (out.issuer != issuer)
        return invalid_metadata("the metadata of the authorisation server " + web::printable(issuer) +
                                " belongs to another one, " + web::printable(out.issuer));
    out.authorization_endpoint = json::text_member(*o, "authorization_endpoint");
    out.token_endpoint = json::text_member(*o, "token_endpoint");
    out.registration_endpoint = json::text_member(*o, "registration_endpoint");
    const auto list = [&](string_view name) {
        return json::list_member(*o, name).value_or(std::vector<std::string>());
    };
    out.auth_methods = json::list_member(*o, "token_endpoint_auth_methods_supported");
    out.challenge_methods = list("code_challenge_methods_supported");
    out.scopes_supported = list("scopes_supported");
    out.dpop_algorithms = list("dpop_signing_alg_values_supported");
    out.client_id_documents = json::flag_member(*o, "client_id_metadata_document_supported");
    out.says_iss = json::flag_member(*o, "authorization_response_iss_parameter_supported");
    if (const auto good = check_endpoints(out); !good) return good.error();
    return out;
}

Issuer default_issuer(const web::Url& server) {
    const std::string origin = origin_of(server);
    Issuer out;
    out.issuer = origin;
    out.authorization_endpoint = origin + "/authorize";
    out.token_endpoint = origin + "/token";
    out.registration_endpoint = origin + "/register";
    out.challenge_methods = {"S256"};
    out.is_a_guess = true;
    return out;
}

}  // namespace tenon::auth::client
