// What a client keeps about a server between two runs: who it is to which authorisation server, and its tokens. All of
// it is secret.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "auth/client/grant.hpp"
#include "auth/client/identity.hpp"
#include "auth/scopes.hpp"

namespace tenon::auth::client {

inline constexpr std::size_t max_identities = 8;  ///< authorisation servers that one server has had

struct Record {
    std::string issuer = {};          ///< that gave the tokens
    std::string token_endpoint = {};  ///< of it
    std::string resource = {};        ///< that they are for
    Scopes scopes = {};               ///< that were asked for
    Tokens tokens = {};
    std::string dpop_key = {};  ///< a private JWK; empty: none yet
    /// By issuer: what one has given is never shown to another.
    std::map<std::string, Identity> identities = {};

    bool is_empty() const { return tokens.access_token.empty() && tokens.refresh_token.empty() && identities.empty(); }
    void forget_tokens();
    void remember(const std::string& of_issuer, Identity identity);
};

std::string write_record(const Record& record);
/// A new one when it is not one of ours.
Record read_record(std::string_view text);

}  // namespace tenon::auth::client
