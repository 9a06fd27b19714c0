// What a host has decided about signing in, whichever way: the Authoriser of the public API.
#pragma once

#include <tenon/auth/client.hpp>

#include "auth/client/profile.hpp"

namespace tenon::auth {

class Authoriser {
 public:
    client::Profile profile = {};  ///< without the server
    TokenOptions tokens = {};      ///< with a store

    // Of a user.
    Duration user_time = {};
    std::function<void(const Page&)> open_page = {};
    std::uint16_t redirect_port = 0;
    std::function<std::string(const Page&, std::stop_token)> ask_user = {};
    std::string redirect_uri = {};

    /// Of the platform or the company.
    std::function<std::string(const std::string& audience)> assertion = {};
};

}  // namespace tenon::auth
