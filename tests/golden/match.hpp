// Compares actual with expected messages.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace golden {

/// Returns whether the text matches the pattern. `*` stands for any text.
bool glob(std::string_view pattern, std::string_view text);

/// Returns the path of the first difference, or an empty string. Reads and sets the values of "$name" in `names`.
std::string difference(const tenon::json::value& expected, const tenon::json::value& actual,
                       std::map<std::string, std::string>& names, const std::string& path = "message");

}  // namespace golden
