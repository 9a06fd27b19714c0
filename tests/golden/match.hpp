// Compares what came with what was expected.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace golden {

/// `*` stands for any text.
bool glob(std::string_view pattern, std::string_view text);

/// The path of the first difference, or an empty string. `names` gets and gives the values of "$name".
std::string difference(const tenon::json::value& expected, const tenon::json::value& actual,
                       std::map<std::string, std::string>& names, const std::string& path = "message");

}  // namespace golden
