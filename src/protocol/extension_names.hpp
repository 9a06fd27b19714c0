// The ids of the extensions that Tenon declares itself, beside tasks.
#pragma once

#include <string_view>

namespace tenon::protocol {

inline constexpr std::string_view skills_extension = "io.modelcontextprotocol/skills";
inline constexpr std::string_view apps_extension = "io.modelcontextprotocol/ui";

}  // namespace tenon::protocol
