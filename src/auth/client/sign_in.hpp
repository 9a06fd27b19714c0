// Signing in, as a state machine: responses go in, actions come out. One object performs one attempt. It uses no clock,
// no sockets and no random source of its own.
//
// sign_in.cpp: finds the authorisation server. sign_in_user.cpp: the client's identity and the user's part.
// sign_in_grants.cpp: the token endpoint.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "auth/client/authorisation_request.hpp"
#include "auth/client/challenge.hpp"
#include "auth/client/profile.hpp"
#include "auth/client/record.hpp"
#include "auth/metadata.hpp"

namespace tenon::auth::client {

/// Action: send this request, then call fetched().
struct Fetch {
    std::string_view method = "GET";
    std::string url = {};
    web::OwnFields fields = {};
    std::string body = {};
    bool named_by_host = false;  ///< the URL comes from the host's options, so it may lead to a private address
};
/// Action: listen for the browser's redirect, then call listening() with the redirect URI.
struct Listen {
    std::string preferred = {};  ///< the URI of the last time; use it again if possible
};
/// Action: show the user this page, then call redirected(). Ignore redirects with a different `state`.
struct AskUser {
    std::string url = {};
    std::string redirect_uri = {};
    std::string state = {};
};
/// Action: get a token of the company or the platform for this audience, then call asserted().
struct AskAssertion {
    std::string audience = {};
};
/// End: record() has tokens. Store it.
struct Ready {};
/// End: signing in failed. Store record() anyway: data that turned out to be invalid is removed from it.
struct Failed {
    Error why;
};
using Action = std::variant<Fetch, Listen, AskUser, AskAssertion, Ready, Failed>;

/// The response to a Fetch.
struct FetchResult {
    int status = 0;
    std::string body = {};
    std::string dpop_nonce = {};
};

/// The refused request that made signing in necessary.
struct Refusal {
    std::vector<Challenge> challenges = {};
    bool insufficient_scope = false;  ///< 403: the token lacks scopes
    bool public_server = false;       ///< the server has a public address: URLs that it names must not be private
};

struct Randomness {
    std::function<std::string(std::size_t)> bytes;
    std::function<jose::PrivateKey()> key;  ///< returns a new key for ES256
};

/// One attempt to sign in. Not thread-safe.
class SignIn {
 public:
    SignIn(std::shared_ptr<const Profile> profile, Record record, Randomness random);

    /// Starts after the server has refused a request.
    Action begin(const Refusal& refusal, std::int64_t now);
    /// Starts when the tokens are about to expire and there is a refresh token.
    Action refresh(std::int64_t now);

    // Continue with the result of the last action. An error ends the attempt. `now` is in seconds since 1970.
    Action fetched(const Result<FetchResult>& answer, std::int64_t now);
    Action listening(const Result<std::string>& redirect_uri, std::int64_t now);
    Action redirected(const Result<std::string>& url, std::int64_t now);
    Action asserted(const Result<std::string>& jwt, std::int64_t now);

    const Record& record() const { return record_; }
    /// Returns whether the tokens came from a refresh, without asking the user.
    bool refreshed() const { return refreshed_; }
    /// Returns the requested scopes. The server may have granted fewer.
    const Scopes& scopes() const { return scopes_; }

 private:
    using Step = Action (SignIn::*)(const FetchResult&);
    using Found = Action (SignIn::*)();

    static Action fail(std::string why);
    Action get(std::string url, Step then);
    std::string random_text() const;

    // Finds the authorisation server: sign_in.cpp
    void read_challenge(const Refusal& refusal);
    Action look_for_resource();
    Action on_resource(const FetchResult& answer);
    Action choose_issuer();
    Action look_for_issuer(const std::string& issuer, Found then);
    Action try_next_issuer_url();
    Action on_issuer(const FetchResult& answer);
    Action no_issuer();
    Action have_issuer();
    Result<void> check_issuer() const;
    void choose_scopes();
    Result<void> choose_proof();
    Action use_grant();

    // The user's part: sign_in_user.cpp
    Action with_user();
    Action ask_user();
    Action register_client();
    RegistrationParameters registration_parameters() const;
    Action on_registered(const FetchResult& answer);
    Action open_page();
    Result<Identity> own_identity(const Issuer& issuer) const;

    // Tokens: sign_in_grants.cpp
    Action ask_for_tokens(Form form, Step then);
    Action send_token_request();
    Action on_token_answer(const FetchResult& answer);
    Action on_tokens(const FetchResult& answer);
    Action on_refreshed(const FetchResult& answer);
    Action refresh_tokens();
    Action client_credentials();
    Action exchange();
    Action on_exchanged(const FetchResult& answer);
    Action request_token_for(const std::string& jwt);
    void add_aim(Form& form) const;

    const std::shared_ptr<const Profile> profile_;
    Record record_;
    const Randomness random_;
    std::int64_t now_ = 0;

    // From the challenge of the server.
    std::string metadata_url_;
    std::string challenged_scope_;
    bool dpop_challenged_ = false;
    bool stepping_up_ = false;
    bool public_server_ = false;

    // Results of the discovery.
    std::deque<std::string> candidates_;  // URLs where a metadata document may be
    std::optional<Error> last_error_;     // of a document that was found but could not be used
    std::optional<ProtectedResource> resource_;
    bool old_server_ = false;    // a server of 2025-03-26, which is its own authorisation server
    std::string wanted_issuer_;  // the issuer whose metadata is being fetched
    Found found_ = nullptr;      // the step after its metadata was found
    Issuer issuer_;              // the last metadata that was found
    Issuer target_;              // the authorisation server that issues the tokens
    Scopes scopes_;
    std::string resource_indicator_;  // RFC 8707
    std::optional<jose::PrivateKey> proof_key_;

    // State of the attempt.
    Step next_ = nullptr;
    Identity identity_;
    std::string redirect_uri_;
    AuthorisationRequest request_;
    std::string id_token_;
    bool at_idp_ = false;  // fetches go to the identity provider, not to the server's authorisation server
    Form form_;
    Step on_tokens_ = nullptr;
    std::string token_nonce_;
    bool nonce_tried_ = false;
    bool refreshed_ = false;
};

}  // namespace tenon::auth::client
