// Finds the text of a message's id, for the numbers that no integer type holds.
#pragma once

#include <cstddef>
#include <string_view>

namespace tenon::jsonrpc {

/// `text` is valid JSON: an object, or an array of which the element `index` is an object. Returns the characters of
/// the value of that object's member `id`; empty when it has none. One pass, no allocation.
std::string_view raw_id(std::string_view text, std::size_t index);

}  // namespace tenon::jsonrpc
