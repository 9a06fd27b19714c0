// Signing in to a server over HTTP (OAuth 2.1). When the server answers 401, Tenon signs in and sends the request
// again.
//
//     tenon::Client client(tenon::http({.url = "https://example.com/mcp",
//                                       .auth = tenon::auth::sign_in({.client_name = "my app"})}));
//
// This opens the user's browser if necessary, listens on this machine for the redirect, stores the tokens in a file
// that only the user can read, and refreshes them. Without a user: client_credentials(), workload(), enterprise().
//
// A failure is an error with code::not_authorised and a message that says what to do. Errors and logs never contain
// tokens or secrets.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/auth/error.hpp>
#include <tenon/auth/token_store.hpp>
#include <tenon/limits.hpp>

#pragma GCC visibility push(default)

namespace tenon::auth {

/// How a client signs in. Make one with the functions below and set HttpClientOptions::auth. Thread-safe: several
/// clients may share it.
class Authoriser;

/// Whether to use tokens that are bound to a key (RFC 9449). A thief cannot use such a token.
enum class Dpop {
    when_asked,  ///< if the server asks for it
    always,      ///< always; refuses other tokens
    never,
};

/// The only authorisation server that receives the client's credentials: a secret, a signature of its key, or a token
/// of its platform. Its URL must be exactly equal to the one in the MCP server's metadata and in the authorisation
/// server's own metadata. Credentials are never sent to another server.
///
/// There is no default: an MCP server could name an authorisation server of its own, and would get the credentials.
class TrustedIssuer {
 public:
    /// Throws tenon::Exception unless the URL is https:// (http:// is allowed for this machine).
    TrustedIssuer(std::string url);                                      // NOLINT(google-explicit-constructor)
    TrustedIssuer(const char* url) : TrustedIssuer(std::string(url)) {}  // NOLINT(google-explicit-constructor)

    /// Trusts every authorisation server that the MCP server names. The MCP server then decides which server receives
    /// the credentials: use this only if you run the MCP server yourself, or in tests.
    static TrustedIssuer discovered() { return TrustedIssuer(); }

    const std::string& url() const { return url_; }  ///< empty for discovered()

 private:
    TrustedIssuer() = default;
    std::string url_ = {};
};

/// One HTTP exchange of signing in, for display. Secrets are replaced by "***". The views are valid only during the
/// callback.
struct Exchange {
    std::string_view method = {};
    std::string url = {};
    std::vector<std::pair<std::string, std::string>> request_headers = {};
    std::string request_body = {};
    int status = 0;  ///< 0: there was no response
    std::vector<std::pair<std::string, std::string>> response_headers = {};
    std::string response_body = {};
    std::string error = {};  ///< why there was no response
    Duration took = {};
};

/// Options of tokens. All ways to sign in have them.
struct TokenOptions {
    std::vector<std::string> scopes = {};  ///< requested in addition to the scopes that the server names
    bool resource_indicator = true;        ///< name the server in token requests (RFC 8707); a few servers refuse that
    Dpop dpop = Dpop::when_asked;
    std::shared_ptr<TokenStore> store = {};  ///< empty: file_store() for sign_in(), else memory_store()
    /// Sees every HTTP exchange of signing in: metadata, registration and token requests. Runs on the transport's
    /// thread: it must be quick, and must not call the client. Exceptions are ignored. Empty: not used.
    std::function<void(const Exchange&)> on_exchange = {};
    std::size_t max_step_ups = 3;                   ///< how often one client transport asks for more scopes
    Duration lock_time = std::chrono::seconds(30);  ///< to wait for another process that is signing in
};

/// A page on which the user signs in.
struct Page {
    std::string url = {};           ///< http or https; pass it to a browser unchanged, and never to a shell
    std::string redirect_uri = {};  ///< the URL to which the browser is redirected
    std::string server = {};        ///< the URL of the MCP server that requires signing in
};

/// Options of sign_in().
struct SignInOptions {
    std::string client_name = "Tenon";  ///< shown to the user on the sign-in page
    std::string client_uri = {};        ///< a web page about the client

    // The identity of the client. If all of these are empty, the client registers itself, if the authorisation server
    // allows that.
    std::string client_id = {};      ///< registered beforehand
    std::string client_secret = {};  ///< of `client_id`; empty: it has none
    std::string client_key = {};     ///< a private key, PEM, instead of a secret (private_key_jwt)
    /// The only authorisation server that is used. Required with a secret or a key. Otherwise empty means: the one that
    /// issued the stored tokens, or the first one that the server names.
    std::optional<TrustedIssuer> issuer = {};
    std::string client_metadata_url = {};  ///< URL (https) of a client id metadata document

    bool interactive = true;     ///< false: never ask the user; only use and refresh stored tokens
    bool offline_access = true;  ///< request the scope `offline_access` (a refresh token), if the server supports it
    Duration user_time = std::chrono::minutes(5);  ///< for the user to sign in

    /// Shows the page. Empty: open_browser(). Called on its own thread. May throw.
    std::function<void(const Page&)> open_page = {};
    /// The port on 127.0.0.1 for the redirect of the browser. 0: the last one if it is free, else any free port.
    std::uint16_t redirect_port = 0;

    /// Replaces `open_page` and the port, for hosts that do everything themselves: shows the page, waits, and returns
    /// the whole URL that the browser was redirected to. Requires `redirect_uri`. Called on its own thread; a stop is
    /// requested when the result is no longer needed. May throw. Empty: not used.
    std::function<std::string(const Page&, std::stop_token)> ask_user = {};
    std::string redirect_uri = {};  ///< for `ask_user`

    TokenOptions tokens = {};
};
/// Opens a page in the browser, with $BROWSER or the system's opener, and never through a shell. Returns false when no
/// browser can be started, or the URL is not http or https.
bool open_browser(const std::string& url);

/// Signs in a user, with a browser. Throws tenon::Exception when an option is invalid.
std::shared_ptr<Authoriser> sign_in(SignInOptions options);

/// Set either `client_secret` or `client_key`.
struct ClientCredentialsOptions {
    std::string client_id = {};
    std::string client_secret = {};
    std::string client_key = {};     ///< a private key, PEM: RSA, EC P-256 or Ed25519
    std::string key_algorithm = {};  ///< RS256 or PS256 for an RSA key; empty: RS256, ES256 or EdDSA, by the key
    std::string key_id = {};         ///< `kid`, if the server knows several keys; empty: not sent
    TrustedIssuer issuer;            ///< the only authorisation server that receives the secret or a signature

    TokenOptions tokens = {};
};
/// Authorises the client itself, without a user. Throws tenon::Exception when an option is invalid.
std::shared_ptr<Authoriser> client_credentials(ClientCredentialsOptions options);

/// Options of workload().
struct WorkloadOptions {
    /// Returns a token of the platform (Kubernetes, a cloud, a CI job) for this audience, as a JWT. Called on its own
    /// thread, each time that a token is needed. May throw.
    std::function<std::string(const std::string& audience)> token = {};
    std::string client_id = {};  ///< if the authorisation server requires one
    TrustedIssuer issuer;        ///< the only authorisation server that receives the token

    TokenOptions tokens = {};
};
/// Uses the workload identity of the platform (RFC 7523), without a user. Throws tenon::Exception when an option is
/// invalid.
std::shared_ptr<Authoriser> workload(WorkloadOptions options);

/// Set `idp_issuer` or `idp_token_endpoint`. If both are set, the token endpoint is used.
struct EnterpriseOptions {
    /// Returns the user's ID token from the company's identity provider. Called like WorkloadOptions::token.
    std::function<std::string()> id_token = {};
    std::string idp_issuer = {};          ///< URL of the identity provider
    std::string idp_token_endpoint = {};  ///< URL of its token endpoint
    std::string idp_client_id = {};       ///< client id at the identity provider
    std::string idp_client_secret = {};
    std::string client_id = {};  ///< client id at the MCP server's authorisation server
    std::string client_secret = {};
    TrustedIssuer issuer;  ///< the only authorisation server that is used

    TokenOptions tokens = {};
};
/// Uses enterprise-managed authorisation (ID-JAG): the company decides, and the user is not asked. Throws
/// tenon::Exception when an option is invalid.
std::shared_ptr<Authoriser> enterprise(EnterpriseOptions options);

}  // namespace tenon::auth

#pragma GCC visibility pop
