// Access control for a server over HTTP: with tokens of an OAuth 2.1 authorisation server, or with static tokens.
//
//     tenon::serve_http(server, {.port = 8080,
//                                .auth = tenon::auth::ResourceServer{.issuer = "https://login.example",
//                                                                    .audience = "https://mcp.example/mcp",
//                                                                    .scopes = {"mcp"}}});
//
// Context::principal() is "ISSUER#SUBJECT" for an OAuth token, and StaticToken::principal for a static token. Sessions
// and tasks belong to that principal.
#pragma once

#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace tenon::auth {

using Scopes = std::vector<std::string>;

/// Scopes that single tools, resources, prompts and methods need, in addition to those of every request. Lists do not
/// show entries for which the caller lacks scopes. A request that uses such an entry gets 403 with the needed scopes;
/// the client can then ask its user for them.
struct ScopeRules {
    std::map<std::string, Scopes> tools = {};      ///< by name
    std::map<std::string, Scopes> resources = {};  ///< by URI or URI template, as registered
    std::map<std::string, Scopes> prompts = {};    ///< by name
    std::map<std::string, Scopes> methods = {};    ///< of extensions, by name: see Server::method()
    std::map<std::string, Scopes> implies = {};    ///< a broad scope and the narrower scopes that it includes
};

/// Token introspection (RFC 7662): asks the authorisation server about opaque tokens.
struct Introspection {
    std::string endpoint;
    std::string client_id;  ///< client id of this server at the authorisation server
    std::string client_secret;
    std::chrono::seconds cache_time{30};  ///< of a response, at least 1 s; a revoked token stays valid this long
};

/// Limits of token checks.
struct ResourceLimits {
    /// Requests that wait until their token can be checked. When there are more, the client address with the most
    /// waiting requests is refused first.
    std::size_t max_waiting = 1000;
    std::size_t max_keys = 64;                      ///< keys of the authorisation server; more are ignored
    std::size_t max_cached_tokens = 10'000;         ///< tokens whose check is cached
    std::size_t max_proofs = 100'000;               ///< used DPoP proofs that are remembered, to detect replays
    std::size_t max_proofs_per_principal = 10'000;  ///< the same for one principal; if it sends more, it gets 429
    std::chrono::seconds wait_time{10};             ///< for fetching keys, or for a response about a token
    std::chrono::seconds key_time{900};             ///< after this, keys are fetched again; the old ones stay in use
    std::chrono::seconds key_retry_time{30};        ///< between two fetches, even if a token has an unknown key
    std::chrono::seconds stale_key_time{86'400};    ///< how long keys are used if they cannot be fetched again
    std::chrono::seconds proof_time{60};            ///< maximum age of a DPoP proof, not counting the leeway
    std::chrono::seconds nonce_time{300};           ///< how long a DPoP nonce is sent; valid for up to twice as long
};

/// An OAuth 2.1 resource server. Tokens are JWT, signed with RS256, PS256, ES256 or EdDSA by a key that the issuer
/// publishes. With `introspection`, tokens may have any format.
struct ResourceServer {
    /// Tokens that are bound to a key of the client (RFC 9449). A stolen token is then useless.
    enum class Dpop {
        accepted,  ///< bound tokens need a proof; other tokens are accepted too
        required,  ///< every token must be bound
    };

    std::string issuer;    ///< exactly as in the tokens; its metadata names the URL of its keys
    std::string audience;  ///< required in `aud`: the URL of this server, as its clients know it
    Scopes scopes = {};    ///< the scopes that every request needs
    ScopeRules needs = {};
    std::string resource = {};  ///< the URL of this server, if `audience` is not a URL
    std::string jwks_uri = {};  ///< URL of the keys, for an issuer without metadata; empty: from the metadata
    std::optional<Introspection> introspection = {};  ///< empty: tokens are JWT
    Dpop dpop = Dpop::accepted;
    bool dpop_nonces = false;         ///< require a nonce of this server in proofs: proofs cannot be made in advance
    std::chrono::seconds leeway{60};  ///< allowed clock difference
    std::string ca_file = {};         ///< certificates to trust when fetching, PEM; empty: the system's
    std::string name = {};            ///< display name in the metadata, for people who have to trust this server
    std::string documentation = {};   ///< a URL, for developers
    ResourceLimits limits = {};
};

/// A token for one principal, which Context::principal() returns.
struct StaticToken {
    std::string principal;
    std::string hash;  ///< "sha256:" and 64 hexadecimal digits, see hash_token(); the token itself is not stored
    Scopes scopes = {};
};

/// Tokens for a server without an authorisation server. Tokens must be long and random (`openssl rand -hex 32`),
/// because the hash is fast, and short tokens could be guessed from it.
///
///     .auth = tenon::auth::StaticTokens{{"alice", "sha256:9f86d0..."}, {"bob", "sha256:60303a...", {"write"}}}
struct StaticTokens {
    StaticTokens(std::initializer_list<StaticToken> list) : tokens(list) {}
    explicit StaticTokens(std::vector<StaticToken> list) : tokens(std::move(list)) {}

    std::vector<StaticToken> tokens;
    ScopeRules needs = {};
};

/// Returns the value for StaticToken::hash: "sha256:" and the output of `printf %s TOKEN | sha256sum`.
std::string hash_token(std::string_view token);

}  // namespace tenon::auth

#pragma GCC visibility pop
