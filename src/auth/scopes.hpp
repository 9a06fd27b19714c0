// Scopes: parses, writes and combines lists of scopes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon::auth::client {

using Scopes = std::vector<std::string>;  ///< in their original order, each once

/// Splits a text at spaces. Skips malformed scopes and duplicates.
Scopes parse_scopes(std::string_view text);
std::string write_scopes(const Scopes& scopes);
/// Returns `a`, followed by the scopes of `b` that `a` lacks.
Scopes joined(Scopes a, const Scopes& b);
bool contains(const Scopes& scopes, std::string_view scope);
bool contains_all(const Scopes& scopes, const Scopes& wanted);

}  // namespace tenon::auth::client
