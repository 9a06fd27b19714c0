// WWW-Authenticate: what a client has to do before it may come again (RFC 6750, 9449, 9728).
#pragma once

#include <string>
#include <string_view>

#include <tenon/auth/resource_server.hpp>

namespace tenon::auth {

/// None of the texts may have quotes or backslashes.
struct ResourceChallenge {
    bool dpop = false;
    std::string_view error = {};  ///< empty when no token came
    std::string_view why = {};    ///< for developers; told with an error only
    std::string_view scope = {};  ///< what the request needs, all of it
    std::string_view metadata_url = {};
};

std::string www_authenticate(const ResourceChallenge& challenge);

}  // namespace tenon::auth
