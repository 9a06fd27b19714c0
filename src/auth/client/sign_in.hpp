// Signing in, as a state machine: what the server and the authorisation server say goes in, what to do comes out. One
// object for one attempt; it has no clock, no sockets and no randomness of its own.
//
// sign_in.cpp (from the refusal to the authorisation server), sign_in_user.cpp (who the client is, and the user's
// part), sign_in_grants.cpp (the token endpoint).
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

/// Send this; then fetched().
struct Fetch {
    std::string_view method = "GET";
    std::string url = {};
    web::OwnFields fields = {};
    std::string body = {};
    bool named_by_host = false;  ///< so that it may be anywhere, the server wherever it is
};
/// Have a place for the browser to come back to, this one if it can be had again; then listening().
struct Listen {
    std::string preferred = {};
};
/// Show the user this page; then redirected(). What comes back with another `state` is not the answer.
struct AskUser {
    std::string url = {};
    std::string redirect_uri = {};
    std::string state = {};
};
/// Get a token of the company or the platform, for this audience; then asserted().
struct AskAssertion {
    std::string audience = {};
};
/// record() has tokens. Keep it.
struct Ready {};
/// It did not work. Keep record() anyway: it knows what is of no use any more.
struct Failed {
    Error why;
};
using Action = std::variant<Fetch, Listen, AskUser, AskAssertion, Ready, Failed>;

/// The answer to a Fetch.
struct FetchResult {
    int status = 0;
    std::string body = {};
    std::string dpop_nonce = {};
};

/// Why it is needed.
struct Refusal {
    std::vector<Challenge> challenges = {};
    bool insufficient_scope = false;  ///< 403: there is a token, and it is not enough
    bool public_server = false;       ///< the server is on the internet: it may not lead into this network
};

struct Randomness {
    std::function<std::string(std::size_t)> bytes;
    std::function<jose::PrivateKey()> key;  ///< a new one for ES256
};

class SignIn {
 public:
    SignIn(std::shared_ptr<const Profile> profile, Record record, Randomness random);

    /// The server has refused a request.
    Action begin(const Refusal& refusal, std::int64_t now);
    /// The tokens are about to expire, and there is a refresh token.
    Action refresh(std::int64_t now);

    // What was asked for. Errors end it.
    Action fetched(const Result<FetchResult>& answer, std::int64_t now);
    Action listening(const Result<std::string>& redirect_uri, std::int64_t now);
    Action redirected(const Result<std::string>& url, std::int64_t now);
    Action asserted(const Result<std::string>& jwt, std::int64_t now);

    const Record& record() const { return record_; }
    /// The tokens were refreshed, and nobody was asked.
    bool refreshed() const { return refreshed_; }
    /// What was asked for, whatever was granted.
    const Scopes& scopes() const { return scopes_; }

 private:
    using Step = Action (SignIn::*)(const FetchResult&);
    using Found = Action (SignIn::*)();

    static Action fail(std::string why);
    Action get(std::string url, Step then);
    std::string random_text() const;

    // Where to sign in: sign_in.cpp
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

    // With the user: sign_in_user.cpp
    Action with_user();
    Action ask_user();
    Action register_client();
    RegistrationWish registration_wish() const;
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

    // What the server wants.
    std::string metadata_url_;
    std::string challenged_scope_;
    bool dpop_challenged_ = false;
    bool stepping_up_ = false;
    bool public_server_ = false;

    // What was found.
    std::deque<std::string> candidates_;  // URLs of a document
    std::optional<Error> last_error_;     // of a document that was there and could not be used
    std::optional<ProtectedResource> resource_;
    bool old_server_ = false;  // 2025-03-26: it is its own authorisation server
    std::string wanted_issuer_;
    Found found_ = nullptr;
    Issuer issuer_;  // the last that was found
    Issuer target_;  // that gives the tokens
    Scopes scopes_;
    std::string resource_indicator_;  // the resource indicator
    std::optional<jose::PrivateKey> proof_key_;

    // Where it is.
    Step next_ = nullptr;
    Identity identity_;
    std::string redirect_uri_;
    AuthorisationRequest request_;
    std::string id_token_;
    bool at_idp_ = false;  // and not at the server's authorisation server
    Form form_;
    Step on_tokens_ = nullptr;
    std::string token_nonce_;
    bool nonce_tried_ = false;
    bool refreshed_ = false;
};

}  // namespace tenon::auth::client
