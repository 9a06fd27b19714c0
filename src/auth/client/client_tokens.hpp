// The tokens of a client for one server. Decides which header fields a request carries, and when to refresh tokens.
// Also decides whether signing in can help a request that the server refused. It has no clock and no random source.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/client/challenge.hpp"
#include "auth/client/profile.hpp"
#include "auth/client/record.hpp"
#include "web/client_request.hpp"

namespace tenon::auth::client {

/// A request that the server refused.
struct RefusedRequest {
    int status = 0;
    std::vector<Challenge> challenges = {};
    std::uint64_t generation = 0;  ///< of the tokens that the request carried, see ClientTokens::generation()
    bool needs_metadata = false;   ///< see Refusal

    /// Returns a parameter of the OAuth challenges; empty when it is missing.
    std::string parameter(std::string_view name) const { return oauth_parameter(challenges, name); }
};

/// Not thread-safe. `now` is in seconds since 1970.
class ClientTokens {
 public:
    ClientTokens(std::shared_ptr<const Profile> profile, std::size_t max_step_ups)
        : profile_(std::move(profile)), max_step_ups_(max_step_ups) {}

    const Record& record() const { return record_; }
    /// Uses the tokens of another record from now on.
    void use(Record record);
    /// Returns the number of the current tokens. It grows when they change.
    std::uint64_t generation() const { return generation_; }

    /// Returns the header fields of one request: Authorization and, if the token is bound to a key, DPoP. `proof_id`
    /// makes an id for a DPoP proof that no other proof has.
    web::OwnFields fields(std::string_view method, const web::Url& url, std::int64_t now,
                          const std::function<std::string()>& proof_id) const;
    /// Returns whether the tokens expire soon and can be refreshed.
    bool should_refresh(std::int64_t now) const;

    /// Returns whether signing in could help a refused request.
    bool can_help(const RefusedRequest& refused) const;
    /// Returns whether the server only asks for a DPoP nonce, which is known now. The request can be sent again.
    bool wants_nonce(const RefusedRequest& refused) const;
    /// Returns an error when another sign-in would only be refused again for the same reason.
    std::optional<Error> hopeless(const RefusedRequest& refused) const;
    /// Prepares record() for a sign-in after this refusal: drops a refresh token that gives refused tokens. Counts a
    /// sign-in for more scopes.
    void begin(const RefusedRequest& refused);

    /// Takes the record of a sign-in that has ended. `requested` are the scopes that it requested.
    void signed_in(Record record, const Scopes& requested, bool refreshed);
    void failed(Record record, const Scopes& requested, const Error& why);

    /// Reports that the server has accepted a request with the tokens of this generation.
    void accepted(std::uint64_t generation) { accepted_ = std::max(accepted_, generation); }
    /// Keeps the DPoP nonce of a response for the next proofs.
    void saw_nonce(std::string nonce);

 private:
    bool expires_within(std::int64_t seconds, std::int64_t now) const;
    bool is_new(const RefusedRequest& refused) const;

    const std::shared_ptr<const Profile> profile_;
    const std::size_t max_step_ups_;
    Record record_;
    std::optional<jose::PrivateKey> proof_key_;
    std::uint64_t generation_ = 0;
    std::uint64_t accepted_ = 0;  // the last generation that the server accepted
    std::uint64_t own_ = 0;       // the last generation that signed_in() brought
    bool refreshed_ = false;      // whether that generation came from a refresh, not from a sign-in
    Scopes asked_;                // all scopes that were requested so far
    std::size_t step_ups_ = 0;
    bool stepping_up_ = false;  // the current sign-in counts as one of them
    std::string nonce_;         // the last DPoP nonce of the server
};

}  // namespace tenon::auth::client
