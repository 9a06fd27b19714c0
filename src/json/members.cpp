#include "json/members.hpp"

namespace tenon::json {

std::string_view text_member(const object& o, std::string_view name) {
    const value* v = o.if_contains(name);
    return v && v->is_string() ? std::string_view(v->get_string()) : std::string_view();
}

const object& object_member(const object& o, std::string_view name) {
    static const object none;
    const value* v = o.if_contains(name);
    return v && v->is_object() ? v->get_object() : none;
}

bool flag_member(const object& o, std::string_view name) {
    const value* v = o.if_contains(name);
    return v && v->is_bool() && v->get_bool();
}

std::optional<std::int64_t> integer_member(const object& o, std::string_view name) {
    const value* v = o.if_contains(name);
    return v && v->is_int64() ? std::optional(v->get_int64()) : std::nullopt;
}

std::optional<std::vector<std::string>> list_member(const object& o, std::string_view name) {
    const value* v = o.if_contains(name);
    if (!v || !v->is_array()) return std::nullopt;
    std::vector<std::string> out;
    for (const value& item : v->get_array())
        if (item.is_string()) out.emplace_back(item.get_string());
    return out;
}

}  // namespace tenon::json
