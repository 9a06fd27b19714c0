// Scopes: what is asked for, and what that adds to what was asked for before.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon::auth::client {

using Scopes = std::vector<std::string>;  ///< in the order in which they were named, each once

Scopes parse_scopes(std::string_view text);
std::string write_scopes(const Scopes& scopes);
/// `a`, and what `b` adds.
Scopes joined(Scopes a, const Scopes& b);
bool contains(const Scopes& scopes, std::string_view scope);
bool contains_all(const Scopes& scopes, const Scopes& wanted);

}  // namespace tenon::auth::client
