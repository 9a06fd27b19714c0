// The metaschemas of the three dialects, for schemas that refer to them.
#pragma once

#include <optional>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::schema {

/// The metaschema, or the part of one, that this URI (without fragment) names.
std::optional<json::value> metaschema(std::string_view uri);

}  // namespace tenon::schema
