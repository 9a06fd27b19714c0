// Parses a JSON document from another party.
#pragma once

#include <string_view>

#include <tenon/json.hpp>

#include "json/members.hpp"

namespace tenon::auth::client {

/// Parses one JSON object. An error message calls the text `what`.
Result<json::object> parse_object(std::string_view text, std::string_view what);

}  // namespace tenon::auth::client
