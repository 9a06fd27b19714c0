// Checks static tokens, which the owner of the server has issued. Only their hashes are stored.
#pragma once

#include <memory>

#include <tenon/auth/resource_server.hpp>

#include "auth/resource_server/token.hpp"

namespace tenon::auth {

/// Throws Exception when a hash is malformed or a principal is missing.
std::unique_ptr<TokenChecker> make_static_checker(const StaticTokens& options);

}  // namespace tenon::auth
