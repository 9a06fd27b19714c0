// Words for messages: short, whatever the values are.
#pragma once

#include <string>
#include <string_view>

#include "schema/program.hpp"

namespace tenon::schema {

/// A scalar as JSON, shortened; "an array of 3 elements"; "an object".
std::string written(const json::value& v);

/// The same with its type: the string "abc".
std::string described(const json::value& v);

/// "a string", "an integer or null".
std::string type_names(Types allowed);

/// "at least 3 characters" in the right number.
std::string counted(std::uint64_t n, std::string_view what);

/// In backticks, shortened.
std::string quoted(std::string_view name);

/// "`a`, `b`, `c` and 5 more"
std::string listed(const StringTable& names, const std::vector<PropertyRule>& properties);

}  // namespace tenon::schema
