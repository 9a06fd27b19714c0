// The data that a client stores about a server between two runs: its tokens, and its identities at authorisation
// servers. All of it is secret.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "auth/client/grant.hpp"
#include "auth/client/identity.hpp"
#include "auth/scopes.hpp"

namespace tenon::auth::client {

inline constexpr std::size_t max_identities = 8;  ///< authorisation servers that are remembered for one server

struct Record {
    std::string issuer = {};          ///< the authorisation server that issued the tokens
    std::string token_endpoint = {};  ///< its token endpoint
    std::string resource = {};        ///< the resource that the tokens are for
    Scopes scopes = {};               ///< the requested scopes
    Tokens tokens = {};
    std::string dpop_key = {};  ///< a private JWK; empty: none yet
    /// By issuer: an identity from one issuer is never sent to another.
    std::map<std::string, Identity> identities = {};

    bool is_empty() const { return tokens.access_token.empty() && tokens.refresh_token.empty() && identities.empty(); }
    void forget_tokens();
    void remember(const std::string& of_issuer, Identity identity);
};

std::string write_record(const Record& record);
/// Reads the text of write_record(). Returns an empty record when the text is malformed.
Record read_record(std::string_view text);

}  // namespace tenon::auth::client
