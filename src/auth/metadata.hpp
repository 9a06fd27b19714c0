// The documents that tell a client where to sign in: protected resource metadata (RFC 9728), authorisation server
// metadata (RFC 8414) and OpenID discovery. Lists their possible URLs, and checks their content.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/error.hpp>

#include "web/url.hpp"

namespace tenon::auth::client {

/// Returns whether secrets may be sent to this URL: it is https or on this machine, and contains no user name.
bool is_safe(const web::Url& url);
/// Parses a URL and checks is_safe(). An error message calls the URL `what`.
Result<web::Url> safe_url(std::string_view text, std::string_view what);

struct ProtectedResource {
    std::string resource = {};
    std::vector<std::string> authorization_servers = {};
    std::optional<std::vector<std::string>> scopes_supported = {};
    bool wants_dpop = false;
};

/// Returns the URLs where a server's metadata may be if the server names none: first for its path, then for the root.
std::vector<std::string> protected_resource_urls(const web::Url& server);
/// Reads the metadata of a server. Fails unless its `resource` is the server's URL, or a parent path of that URL.
Result<ProtectedResource> read_protected_resource(std::string_view body, const web::Url& server);

/// The metadata of an authorisation server.
struct Issuer {
    std::string issuer = {};
    std::string authorization_endpoint = {};
    std::string token_endpoint = {};
    std::string registration_endpoint = {};
    std::optional<std::vector<std::string>> auth_methods = {};  ///< client authentication at the token endpoint
    std::vector<std::string> challenge_methods = {};
    std::vector<std::string> scopes_supported = {};
    std::vector<std::string> dpop_algorithms = {};
    bool client_id_documents = false;
    bool says_iss = false;    ///< RFC 9207: its redirects contain `iss`
    bool is_a_guess = false;  ///< made by default_issuer(), because the server has no metadata
};

/// Returns the URLs of an issuer's metadata, in the order in which to try them. An issuer with a path has three.
std::vector<std::string> issuer_urls(const web::Url& issuer);
/// Reads the metadata of an issuer. Fails unless the document names `issuer` and all endpoints are safe.
Result<Issuer> read_issuer(std::string_view body, std::string_view issuer);
/// Returns the default endpoints of 2025-03-26, at the root of a server without metadata.
Issuer default_issuer(const web::Url& server);

/// Returns scheme, host and port of a URL, without a slash at the end.
std::string origin_of(const web::Url& url);

}  // namespace tenon::auth::client
