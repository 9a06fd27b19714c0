// Text for error messages. It stays short for every value.
#pragma once

#include <string>
#include <string_view>

#include "schema/program.hpp"

namespace tenon::schema {

/// Returns a scalar as JSON, shortened; or "an array of 3 elements"; or "an object".
std::string written(const json::value& v);

/// Returns the same, and names the type of a scalar: the string "abc".
std::string described(const json::value& v);

/// Returns text such as "a string" or "an integer or null".
std::string type_names(Types allowed);

/// Returns a count and a noun in the singular or plural: "1 character", "3 characters".
std::string counted(std::uint64_t n, std::string_view what);

/// Returns the name in backticks, shortened.
std::string quoted(std::string_view name);

/// Returns a list such as "`a`, `b`, `c` and 5 more".
std::string listed(const StringTable& names, const std::vector<PropertyRule>& properties);

}  // namespace tenon::schema
