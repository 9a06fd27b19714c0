// Tokens that the owner of a server has given out: their hashes are all that is kept.
#pragma once

#include <memory>

#include <tenon/auth/resource_server.hpp>

#include "auth/resource_server/token.hpp"

namespace tenon::auth {

/// Throws Exception when a hash is none.
std::unique_ptr<TokenChecker> make_static_checker(const StaticTokens& options);

}  // namespace tenon::auth
