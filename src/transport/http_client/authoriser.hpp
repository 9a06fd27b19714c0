// Authoriser: the options for signing in. The four functions of tenon/auth/client.hpp all make one.
#pragma once

#include <tenon/auth/client.hpp>

#include "auth/client/profile.hpp"

namespace tenon::auth {

/// Plain data, and not changed after its construction, so several connections can share it.
class Authoriser {
 public:
    client::Profile profile = {};  ///< its member `server` is empty
    TokenOptions tokens = {};      ///< its member `store` is never null

    // For sign_in(): see SignInOptions.
    Duration user_time = {};
    std::function<void(const Page&)> open_page = {};
    std::uint16_t redirect_port = 0;
    std::function<std::string(const Page&, std::stop_token)> ask_user = {};
    std::string redirect_uri = {};

    /// For workload() and enterprise(): returns the token of the platform or the company's identity provider.
    std::function<std::string(const std::string& audience)> assertion = {};

    /// Returns the protocol extensions that this way to sign in belongs to.
    json::object extensions() const;
};

}  // namespace tenon::auth
