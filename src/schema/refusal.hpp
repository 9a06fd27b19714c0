// Error messages of the compiler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tenon/error.hpp>

#include "schema/program.hpp"

namespace tenon::schema {

/// Returns an error such as "Invalid schema at /properties/days/minimum: must be a number, got a string."
Error refuse(const std::vector<Location>& locations, std::uint32_t location, std::string_view keyword,
             std::string_view what);

/// Returns "a string", "an object" and so on.
std::string_view article_and_type(const json::value& v);

}  // namespace tenon::schema
