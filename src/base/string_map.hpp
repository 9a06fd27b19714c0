// A map from strings that is asked by std::string_view, without making a string first.
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
