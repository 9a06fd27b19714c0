// Looking up members of small objects, which nearly all are, without leaving the caller.
#pragma once

#include <string_view>

#include <tenon/json.hpp>

namespace tenon::json {

/// The member `name`, or null.
inline const value* find(const object& o, std::string_view name) noexcept {
    constexpr std::size_t few = 16;  // beyond it Boost has an index
    if (o.size() > few) return o.if_contains(name);
    for (const auto& member : o)
        if (std::string_view(member.key()) == name) return &member.value();
    return nullptr;
}

/// The member `name` when it is an object, else null.
inline const object* find_object(const object& o, std::string_view name) noexcept {
    const value* v = find(o, name);
    return v ? v->if_object() : nullptr;
}

}  // namespace tenon::json
