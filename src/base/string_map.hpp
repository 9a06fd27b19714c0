// A hash map with string keys. Lookup by std::string_view makes no copy.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tenon::base {

struct StringHash : std::hash<std::string_view> {
    using is_transparent = void;
};

template <class Value>
using StringMap = std::unordered_map<std::string, Value, StringHash, std::equal_to<>>;

}  // namespace tenon::base
