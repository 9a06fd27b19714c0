// Refuses requests with WWW-Authenticate, which tells a client what it has to do before the next request (RFC 6750,
// 9449, 9728).
#pragma once

#include <string>
#include <string_view>

#include <tenon/auth/resource_server.hpp>

#include "web/response_writer.hpp"

namespace tenon::auth {

/// The texts must not contain quotes or backslashes.
struct ResourceChallenge {
    bool dpop = false;
    std::string_view error = {};  ///< empty when the request had no token
    std::string_view why = {};    ///< for developers; written only together with `error`
    std::string_view scope = {};  ///< all scopes that the request needs
    std::string_view metadata_url = {};
};

/// Adds WWW-Authenticate to the header fields of a refusal (400, 401 or 403).
void add_challenge(web::Fields& fields, const ResourceChallenge& challenge);

}  // namespace tenon::auth
