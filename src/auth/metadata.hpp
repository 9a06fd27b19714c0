// The documents by which a client finds out where to sign in: protected resource metadata (RFC 9728), authorisation
// server metadata (RFC 8414) and OpenID discovery. Where they are looked for, and what of them is believed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/error.hpp>

#include "web/url.hpp"

namespace tenon::auth::client {

/// https, or this machine: where secrets may be sent.
bool is_safe(const web::Url& url);
/// The URL, when it is safe; an error that calls it `what`.
Result<web::Url> safe_url(std::string_view text, std::string_view what);

struct ProtectedResource {
    std::string resource = {};
    std::vector<std::string> authorization_servers = {};
    std::optional<std::vector<std::string>> scopes_supported = {};
    bool wants_dpop = false;
};

/// Where a server's metadata may be when it does not say: at its path, then at the root.
std::vector<std::string> protected_resource_urls(const web::Url& server);
/// An error unless it is about this server: its `resource` must be the server's URL, or a folder above it.
Result<ProtectedResource> read_protected_resource(std::string_view body, const web::Url& server);

/// What an authorisation server says of itself.
struct Issuer {
    std::string issuer = {};
    std::string authorization_endpoint = {};
    std::string token_endpoint = {};
    std::string registration_endpoint = {};
    std::optional<std::vector<std::string>> auth_methods = {};  ///< of the token endpoint
    std::vector<std::string> challenge_methods = {};
    std::vector<std::string> scopes_supported = {};
    std::vector<std::string> dpop_algorithms = {};
    bool client_id_documents = false;
    bool says_iss = false;    ///< RFC 9207: its redirects say who it is
    bool is_a_guess = false;  ///< default_issuer(): it says nothing of itself
};

/// In the order in which they are tried; an issuer with a path has three.
std::vector<std::string> issuer_urls(const web::Url& issuer);
/// An error unless it is what `issuer` says of itself, and all its endpoints are safe.
Result<Issuer> read_issuer(std::string_view body, std::string_view issuer);
/// 2025-03-26: a server without metadata has its endpoints at the root.
Issuer default_issuer(const web::Url& server);

/// The URL without path, query and trailing slash.
std::string origin_of(const web::Url& url);

}  // namespace tenon::auth::client
