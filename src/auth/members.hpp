// Reads members of a JSON document from another party. A member of the wrong type counts as missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

namespace tenon::auth::client {

/// Parses one JSON object. An error message calls the text `what`.
Result<json::object> parse_object(std::string_view text, std::string_view what);

std::string text_member(const json::object& o, std::string_view name);
bool flag_member(const json::object& o, std::string_view name);
std::optional<std::int64_t> number_member(const json::object& o, std::string_view name);
/// Returns the strings of a list; nullopt when there is no list.
std::optional<std::vector<std::string>> list_member(const json::object& o, std::string_view name);

}  // namespace tenon::auth::client
