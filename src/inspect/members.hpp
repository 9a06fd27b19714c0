// Reads members of JSON objects from outside, which may have any type.
#pragma once

#include <string>
#include <string_view>

#include "json/find.hpp"

namespace tenon::inspect {

/// Returns the member if it is a string, or an empty string.
inline std::string text_of_member(const json::object& o, std::string_view name) {
    return std::string(json::find_text(o, name));
}

}  // namespace tenon::inspect
