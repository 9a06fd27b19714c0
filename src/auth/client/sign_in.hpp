// Signing in, as a state machine: events go in, actions come out. One object performs one attempt. It uses no clock, no
// sockets and no random source of its own.
//
//     phase              event                                       next phase, and action
//     ---------------------------------------------------------------------------------------------------------------
//     unstarted          begin                                       resource_metadata, Fetch
//                        refresh                                     refreshing, Fetch
//     resource_metadata  fetched: the metadata                       issuer_metadata, Fetch
//                        fetched: not usable, another URL is left    resource_metadata, Fetch
//                        fetched: 4xx, no URL is left                issuer_metadata, Fetch: a server of 2025-03-26
//     issuer_metadata    fetched: not usable, another URL is left    issuer_metadata, Fetch
//                        fetched: the metadata; 4xx and no URL is left, for a server of 2025-03-26:
//                          Kind::user, can refresh                   refreshing, Fetch
//                          Kind::user                                listener, Listen
//                          Kind::client_credentials                  tokens, Fetch
//                          Kind::enterprise, Kind::workload          assertion, AskAssertion
//     refreshing         fetched: a DPoP nonce is required           refreshing, Fetch; once
//                        fetched: tokens                             over, Ready
//                        fetched: 4xx, and the attempt began with a refused request
//                                                                    listener, Listen
//     listener           listening: the client has an identity       user, AskUser
//                        listening: it has none for this URI         registration, Fetch
//     registration       fetched: the identity                       user, AskUser
//     user               redirected: the code                        tokens, Fetch
//     assertion          asserted, Kind::workload                    tokens, Fetch
//                        asserted, Kind::enterprise                  idp_metadata, Fetch
//                        the same, with Profile::idp_token_endpoint  exchange, Fetch
//     idp_metadata       fetched: not usable, another URL is left    idp_metadata, Fetch
//                        fetched: the metadata                       exchange, Fetch
//     exchange           fetched: the grant                          tokens, Fetch
//     tokens             fetched: a DPoP nonce is required           tokens, Fetch; once
//                        fetched: tokens                             over, Ready
//     any                anything else                               over, Failed
//
// An event that its phase does not wait for, also after the end, is "anything else".
//
// sign_in.cpp: the events, and the search for the authorisation server. sign_in_user.cpp: the client's identity and the
// user's part. sign_in_grants.cpp: the token endpoint.
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
#include "auth/client/registration.hpp"
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
struct Ready {
    bool refreshed = false;  ///< the tokens came from a refresh, without asking the user
};
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
    bool needs_metadata = false;      ///< the server must have metadata (RFC 9728), because its revision requires it
};

struct Randomness {
    std::function<std::string(std::size_t)> bytes;
    std::function<jose::PrivateKey()> key;  ///< returns a new key for ES256
};

/// One attempt to sign in. Not thread-safe.
class SignIn {
 public:
    enum class Phase {
        unstarted,
        resource_metadata,  ///< fetches the server's metadata
        issuer_metadata,    ///< fetches the metadata of the authorisation server
        refreshing,         ///< requests tokens for a refresh token
        listener,           ///< waits for the redirect URI
        registration,       ///< registers the client
        user,               ///< waits for the user
        assertion,          ///< waits for a token of the company or the platform
        idp_metadata,       ///< fetches the metadata of the company's identity provider
        exchange,           ///< exchanges the company's token at the identity provider
        tokens,             ///< requests tokens
        over,
    };

    SignIn(std::shared_ptr<const Profile> profile, Record record, Randomness random);

    /// Starts after the server has refused a request.
    Action begin(const Refusal& refusal, std::int64_t now);
    /// Starts when the tokens are about to expire and there is a refresh token.
    Action refresh(std::int64_t now);

    // Continue with the result of the last action. An error ends the attempt, and so does an event that the phase does
    // not wait for. `now` is in seconds since 1970.
    Action fetched(const Result<FetchResult>& answer, std::int64_t now);
    Action listening(const Result<std::string>& redirect_uri, std::int64_t now);
    Action redirected(const Result<std::string>& url, std::int64_t now);
    Action asserted(const Result<std::string>& jwt, std::int64_t now);

    Phase phase() const { return phase_; }
    const Record& record() const { return record_; }
    /// Returns the requested scopes. The server may have granted fewer.
    const Scopes& scopes() const { return scopes_; }

 private:
    // Events and phases: sign_in.cpp
    enum class Event { none, start, fetched, listening, redirected, asserted };
    static Event awaited_in(Phase phase);
    Action handle(Event event, std::int64_t now, const std::function<Action()>& handler);
    Action enter(Phase next, Action action);
    Action get(Phase next, std::string url);
    Action on_response(const FetchResult& answer);
    static Action fail(std::string why);
    std::string random_text() const;
    bool is_stepping_up() const { return refusal_ && refusal_->insufficient_scope; }
    std::string challenged(std::string_view parameter) const;

    // Finds the authorisation server: sign_in.cpp
    Action find_resource();
    Action try_next_resource_url();
    Action on_resource(const FetchResult& answer);
    Action choose_issuer();
    Action find_issuer(Phase next, const std::string& issuer);
    Action on_issuer(const FetchResult& answer);
    Result<Issuer> read_issuer_of(const FetchResult& answer) const;
    Action no_issuer();
    Action found(Issuer issuer);
    bool is_old_server() const;
    Result<void> check_issuer() const;
    void choose_scopes();
    Result<void> choose_proof(bool wanted);
    Action use_grant();

    // The user's part: sign_in_user.cpp
    Action with_user();
    Action ask_user();
    Action on_listening();
    Action open_page();
    Action on_redirect(const std::string& url);
    Result<Identity> own_identity(const Issuer& issuer) const;

    // Registers the client: registration.cpp
    Action register_client();
    RegistrationParameters registration_parameters() const;
    Action on_registered(const FetchResult& answer);

    // Tokens: sign_in_grants.cpp
    Action request_tokens(Phase next, Form form);
    Action send_token_request(Phase next);
    Action on_token_response(const FetchResult& answer);
    Action on_tokens(const FetchResult& answer);
    Action on_refreshed(const FetchResult& answer);
    Action refresh_stored();
    Action refresh_tokens();
    Action client_credentials();
    Action on_assertion(const std::string& jwt);
    Action exchange(const Issuer& idp);
    Action on_exchanged(const FetchResult& answer);
    Action request_tokens_for(const std::string& assertion);
    void add_resource_and_scope(Form& form) const;

    const std::shared_ptr<const Profile> profile_;
    Record record_;
    const Randomness random_;
    std::int64_t now_ = 0;
    Phase phase_ = Phase::unstarted;
    std::optional<Refusal> refusal_;  // the attempt began with it; without: it began with refresh()

    // Results of the discovery.
    std::deque<std::string> candidates_;  // URLs where a metadata document may be; the first is being fetched
    std::optional<Error> last_error_;     // of a document that was found but could not be used
    std::optional<ProtectedResource> resource_;
    std::string wanted_issuer_;  // the issuer whose metadata is being fetched
    Issuer target_;              // the authorisation server that issues the tokens
    Scopes scopes_;
    std::string resource_indicator_;  // RFC 8707
    std::optional<jose::PrivateKey> proof_key_;

    // The user's part.
    Identity identity_;
    std::string redirect_uri_;
    AuthorisationRequest request_;

    // Tokens.
    std::string id_token_;
    Form form_;
    std::size_t token_tries_ = 0;
    std::string token_nonce_;
};

}  // namespace tenon::auth::client
