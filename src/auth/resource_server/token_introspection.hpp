// Checks opaque access tokens: asks the authorisation server about each of them (RFC 7662).
#pragma once

#include <memory>

#include <tenon/auth/resource_server.hpp>

#include "auth/resource_server/token.hpp"

namespace tenon::auth {

std::unique_ptr<TokenChecker> make_introspection_checker(const ResourceServer& options);

}  // namespace tenon::auth
