// Access to a server over HTTP: with tokens of an OAuth 2.1 authorisation server, or with static tokens.
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

namespace tenon::auth {

using Scopes = std::vector<std::string>;

/// Scopes that single tools, resources and prompts need, in addition to those of every request. Lists hide what the
/// caller lacks the scopes for. Using it is refused with 403 and the missing scopes, so that a client can ask its user.
struct ScopeRules {
    std::map<std::string, Scopes> tools = {};      ///< by name
    std::map<std::string, Scopes> resources = {};  ///< by URI or URI template, as it was registered
    std::map<std::string, Scopes> prompts = {};    ///< by name
    std::map<std::string, Scopes> implies = {};    ///< a broad scope and the narrower ones it includes
};

/// Token introspection (RFC 7662): asks the authorisation server about opaque tokens.
struct Introspection {
    std::string endpoint;
    std::string client_id;  ///< of this server, at the authorisation server
    std::string client_secret;
    std::chrono::seconds cache_time{30};  ///< for a response; a revoked token stays valid this long
};

struct ResourceLimits {
    std::size_t max_waiting = 1000;          ///< requests that wait until a token can be checked; more are refused
    std::size_t max_keys = 64;               ///< of the authorisation server; more are ignored
    std::size_t max_cached_tokens = 10'000;  ///< tokens whose check is remembered
    std::size_t max_proofs = 100'000;        ///< DPoP proofs that are remembered, so that none is used twice
    std::size_t max_proofs_per_principal =
        10'000;                                   ///< of those; who sends more at a time gets 429, others do not notice
    std::chrono::seconds wait_time{10};           ///< for keys or an answer about a token to arrive
    std::chrono::seconds key_time{900};           ///< after this the keys are fetched again, while the old ones serve
    std::chrono::seconds key_retry_time{30};      ///< between two fetches: an unknown key causes one, and no more
    std::chrono::seconds stale_key_time{86'400};  ///< how long keys are used that cannot be fetched again
    std::chrono::seconds proof_time{60};          ///< how old a DPoP proof may be, beside the leeway
    std::chrono::seconds nonce_time{300};         ///< how long a DPoP nonce is given out; it is taken for twice as long
};

/// An OAuth 2.1 resource server. Tokens are JWT that are signed with RS256, PS256, ES256 or EdDSA, by a key that the
/// issuer publishes, unless `introspection` is set.
struct ResourceServer {
    /// Tokens bound to a key of the client (RFC 9449), so that a stolen token is useless.
    enum class Dpop {
        accepted,  ///< a bound token needs a proof, others do not
        required,  ///< every token must be bound
    };

    std::string issuer;    ///< exactly as in the tokens; its metadata says where its keys are
    std::string audience;  ///< required in `aud`: the URL of this server, as its clients know it
    Scopes scopes = {};    ///< needed by every request
    ScopeRules needs = {};
    std::string resource = {};  ///< the URL of this server, if `audience` is not a URL
    std::string jwks_uri = {};  ///< URL of the keys, for an issuer without metadata
    std::optional<Introspection> introspection = {};
    Dpop dpop = Dpop::accepted;
    bool dpop_nonces = false;         ///< require a nonce of this server in proofs, so none can be made in advance
    std::chrono::seconds leeway{60};  ///< allowed clock difference
    std::string ca_file = {};         ///< certificates to trust when fetching, PEM; the system's when empty
    std::string name = {};            ///< for people who are asked whether they trust this server
    std::string documentation = {};   ///< a URL, for developers
    ResourceLimits limits = {};
};

/// A token for one principal, which Context::principal() returns.
struct StaticToken {
    std::string principal;
    std::string hash;  ///< "sha256:" and 64 hexadecimal digits, see hash_token(); the token itself is not stored
    Scopes scopes = {};
};

/// Tokens for a server without an authorisation server. Make them long and random (`openssl rand -hex 32`), because the
/// hash is fast.
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
