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

/// Returns the member `name` if it is a string, or an empty text.
inline std::string_view find_text(const object& o, std::string_view name) noexcept {
    const value* v = find(o, name);
    return v && v->is_string() ? std::string_view(v->get_string()) : std::string_view();
}

}  // namespace tenon::json
