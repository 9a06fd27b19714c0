// Signing in to a server over HTTP (OAuth 2.1): when the server says 401, everything it takes happens by itself, and
// the request is sent again.
//
//     tenon::Client client(tenon::http({.url = "https://example.com/mcp",
//                                       .auth = tenon::auth::sign_in({.client_name = "my app"})}));
//
// That opens the user's browser when it must, listens on this machine for the answer, keeps the tokens in a file that
// only the user can read, and refreshes them. Without a user: client_credentials(), workload(), enterprise().
//
// What fails is an error with code::not_authorised that says what to do. Tokens and secrets are in no error and no log.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <tenon/auth/error.hpp>
#include <tenon/auth/token_store.hpp>
#include <tenon/limits.hpp>

namespace tenon::auth {

/// How a client signs in. Made by one of the functions below; belongs into HttpClientOptions::auth. May be shared by
/// several connections, and is thread-safe.
class Authoriser;

/// Tokens that are bound to a key, so that whoever steals one cannot use it (RFC 9449).
enum class Dpop {
    when_asked,  ///< when the server wants it
    always,      ///< and no other token is taken
    never,
};

/// The authorisation server that may see what a client proves itself with: a secret, a signature of its key, a token of
/// its platform. The URL is compared letter by letter with what the server's metadata and the authorisation server's
/// own metadata say, and nothing is sent to any other.
///
/// It has no default: a server that is asked for its authorisation server could name one of its own, and would get the
/// secret.
class TrustedIssuer {
 public:
    /// Throws tenon::Exception when it is not an https:// URL (http:// is allowed for this machine).
    TrustedIssuer(std::string url);                                      // NOLINT(google-explicit-constructor)
    TrustedIssuer(const char* url) : TrustedIssuer(std::string(url)) {}  // NOLINT(google-explicit-constructor)

    /// Whatever authorisation server the MCP server names. That server then decides which server sees the secret: use
    /// it only where you run the MCP server yourself, or in tests.
    static TrustedIssuer discovered() { return TrustedIssuer(); }

    const std::string& url() const { return url_; }  ///< empty: discovered()

 private:
    TrustedIssuer() = default;
    std::string url_ = {};
};

/// About the tokens, however they are come by.
struct TokenOptions {
    std::vector<std::string> scopes = {};  ///< asked for besides those that the server names
    bool resource_indicator = true;        ///< say which server the token is for (RFC 8707); a few servers refuse that
    Dpop dpop = Dpop::when_asked;
    std::shared_ptr<TokenStore> store = {};         ///< file_store() for users, memory_store() for programs when empty
    std::size_t max_step_ups = 3;                   ///< times that one connection asks for more rights than it has
    Duration lock_time = std::chrono::seconds(30);  ///< to wait for another process that is signing in
};

/// A page on which the user signs in.
struct Page {
    std::string url = {};           ///< http or https; hand it to a browser as it is, never to a shell
    std::string redirect_uri = {};  ///< where the browser comes back to
    std::string server = {};        ///< the URL of the server that wants it
};

struct SignInOptions {
    std::string client_name = "Tenon";  ///< what the user is asked to trust
    std::string client_uri = {};        ///< a page about it

    // Who the client is. With none of these it registers itself, where the authorisation server allows that.
    std::string client_id = {};      ///< registered beforehand
    std::string client_secret = {};  ///< of it, when it has one
    std::string client_key = {};     ///< or a private key, PEM (private_key_jwt)
    /// The only authorisation server that is used. Required with a secret or a key; without them, empty means the first
    /// one that the server names.
    std::optional<TrustedIssuer> issuer = {};
    std::string client_metadata_url = {};  ///< https://...: a client id metadata document

    bool interactive = true;     ///< false: only stored tokens are used and refreshed, and nobody is asked
    bool offline_access = true;  ///< ask for a refresh token, where that is a scope
    Duration user_time = std::chrono::minutes(5);  ///< for the user to sign in

    /// How the page is shown; the system's browser when empty. Called from a thread of its own.
    std::function<void(const Page&)> open_page = {};
    /// The port on 127.0.0.1 that the browser comes back to; 0: any free one, the same as last time if it can be had.
    std::uint16_t redirect_port = 0;

    /// For hosts that do all of it themselves: shows the page, waits, and returns the whole URL that the browser was
    /// redirected to. Needs `redirect_uri`. Called from a thread of its own; the token is requested when nobody waits
    /// any more. May throw.
    std::function<std::string(const Page&, std::stop_token)> ask_user = {};
    std::string redirect_uri = {};  ///< of `ask_user`

    TokenOptions tokens = {};
};
/// Shows a page as SignInOptions::open_page does by default: by $BROWSER or the system's opener, and never through a
/// shell. False when there is no browser, or when it is no web page.
bool open_browser(const std::string& url);

/// A user signs in. Throws tenon::Exception when an option cannot be used.
std::shared_ptr<Authoriser> sign_in(SignInOptions options);

struct ClientCredentialsOptions {
    std::string client_id = {};
    std::string client_secret = {};  ///< this, or
    std::string client_key = {};     ///< a private key, PEM: RSA, EC P-256 or Ed25519
    std::string key_algorithm = {};  ///< RS256 or PS256 of an RSA key; the key's own when empty
    std::string key_id = {};         ///< `kid`, when the server knows several
    TrustedIssuer issuer;            ///< the only authorisation server that sees the secret or a signature of the key

    TokenOptions tokens = {};
};
/// The client itself is authorised, and there is no user. Throws tenon::Exception when an option cannot be used.
std::shared_ptr<Authoriser> client_credentials(ClientCredentialsOptions options);

struct WorkloadOptions {
    /// The token of the platform (Kubernetes, a cloud, a CI job) for this audience, as a JWT. Called from a thread of
    /// its own, each time that one is needed. May throw.
    std::function<std::string(const std::string& audience)> token = {};
    std::string client_id = {};  ///< where the authorisation server wants one
    TrustedIssuer issuer;        ///< the only authorisation server that sees the token

    TokenOptions tokens = {};
};
/// Workload identity: the platform vouches for the client (RFC 7523). Throws as the others do.
std::shared_ptr<Authoriser> workload(WorkloadOptions options);

struct EnterpriseOptions {
    /// The user's ID token of the company's identity provider. Called as WorkloadOptions::token is.
    std::function<std::string()> id_token = {};
    std::string idp_issuer = {};          ///< the identity provider, this or
    std::string idp_token_endpoint = {};  ///< its token endpoint
    std::string idp_client_id = {};       ///< who the client is there
    std::string idp_client_secret = {};
    std::string client_id = {};  ///< who it is at the server's authorisation server
    std::string client_secret = {};
    TrustedIssuer issuer;  ///< the only authorisation server that is used

    TokenOptions tokens = {};
};
/// Enterprise-managed authorisation: the company decides, and nobody is asked (ID-JAG). Throws as the others do.
std::shared_ptr<Authoriser> enterprise(EnterpriseOptions options);

}  // namespace tenon::auth
