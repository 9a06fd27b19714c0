// Checks access tokens that are JWT, signed by a key of the issuer.
#pragma once

#include <memory>

#include <tenon/auth/resource_server.hpp>

#include "auth/resource_server/token.hpp"

namespace tenon::auth {

std::unique_ptr<TokenChecker> make_jwt_checker(const ResourceServer& options);

}  // namespace tenon::auth
