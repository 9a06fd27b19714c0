// The metaschemas of the three dialects, for schemas that refer to them.
#pragma once

#include <optional>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::schema {

/// Returns the metaschema with this URI, or a part of one. The URI has no fragment.
std::optional<json::value> metaschema(std::string_view uri);

}  // namespace tenon::schema
