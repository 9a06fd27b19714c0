// Fast lookup of members in small objects. Nearly all objects are small.
#pragma once

#include <string_view>

#include <tenon/json.hpp>

namespace tenon::json {

/// Returns the member `name`, or null.
inline const value* find(const object& o, std::string_view name) noexcept {
    constexpr std::size_t few = 16;  // larger objects have a hash table
    if (o.size() > few) return o.if_contains(name);
    for (const auto& member : o)
        if (std::string_view(member.key()) == name) return &member.value();
    return nullptr;
}

/// Returns the member `name` if it is an object, or null.
inline const object* find_object(const object& o, std::string_view name) noexcept {
    const value* v = find(o, name);
    return v ? v->if_object() : nullptr;
}

}  // namespace tenon::json
