// Reads members of a JSON object from another party. A member of the wrong type counts as missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::json {

/// Returns a string, as a view into the object; empty when it is missing.
std::string_view text_member(const object& o, std::string_view name);
/// Returns an object; an empty one when it is missing.
const object& object_member(const object& o, std::string_view name);
/// Returns false when it is missing.
bool flag_member(const object& o, std::string_view name);
std::optional<std::int64_t> integer_member(const object& o, std::string_view name);
/// Returns the strings of an array; nullopt when there is no array.
std::optional<std::vector<std::string>> list_member(const object& o, std::string_view name);

}  // namespace tenon::json

#pragma GCC visibility pop
