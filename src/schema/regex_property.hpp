// Names of Unicode properties: ECMA-262 has long and short ones, RE2 only some.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tenon::schema {

/// RE2's name of the property that ECMA-262 writes as \p{name}; empty for \p{Any}; nothing for an unknown name. An old
/// RE2 may not know the newest scripts.
std::optional<std::string> re2_property(std::string_view name);

}  // namespace tenon::schema
