// How the compiler says no.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tenon/error.hpp>

#include "schema/program.hpp"

namespace tenon::schema {

/// "Invalid schema at /properties/days/minimum: must be a number, got a string."
Error refuse(const std::vector<Location>& locations, std::uint32_t location, std::string_view keyword,
             std::string_view what);

/// "a string", "an object", ...
std::string_view article_and_type(const json::value& v);

}  // namespace tenon::schema
