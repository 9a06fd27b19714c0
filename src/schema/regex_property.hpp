// Names of Unicode properties. ECMA-262 has long and short names, RE2 knows only some of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tenon::schema {

/// Returns RE2's name for the property that ECMA-262 writes as \p{name}. Returns an empty string for \p{Any}, and
/// nothing for an unknown name. An old RE2 may not know the newest scripts.
std::optional<std::string> re2_property(std::string_view name);

}  // namespace tenon::schema
