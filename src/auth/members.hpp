// Members of a document that others wrote: what is missing or of another type is as if it were not there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

namespace tenon::auth::client {

/// One JSON object, or an error that calls it `what`.
Result<json::object> parse_object(std::string_view text, std::string_view what);

std::string text_member(const json::object& o, std::string_view name);
bool flag_member(const json::object& o, std::string_view name);
std::optional<std::int64_t> number_member(const json::object& o, std::string_view name);
/// The strings of a list; nothing when there is no list.
std::optional<std::vector<std::string>> list_member(const json::object& o, std::string_view name);

}  // namespace tenon::auth::client
