#include "auth/members.hpp"

#include <tenon/auth/error.hpp>

namespace tenon::auth::client {
namespace {

constexpr std::size_t max_depth = 16;

}  // namespace

Result<json::object> parse_object(std::string_view text, std::string_view what) {
    auto parsed = json::parse(text, {max_depth});
    if (parsed && parsed->is_object()) return std::move(parsed->get_object());
    return Error{code::not_authorised, std::string(what) + " is not a JSON object"};
}

std::string text_member(const json::object& o, std::string_view name) {
    const json::value* v = o.if_contains(name);
    return v && v->is_string() ? std::string(v->get_string()) : std::string();
}

bool flag_member(const json::object& o, std::string_view name) {
    const json::value* v = o.if_contains(name);
    return v && v->is_bool() && v->get_bool();
}

std::optional<std::int64_t> number_member(const json::object& o, std::string_view name) {
    const json::value* v = o.if_contains(name);
    if (v && v->is_int64()) return v->get_int64();
    return std::nullopt;
}

std::optional<std::vector<std::string>> list_member(const json::object& o, std::string_view name) {
    const json::value* v = o.if_contains(name);
    if (!v || !v->is_array()) return std::nullopt;
    std::vector<std::string> out;
    for (const json::value& item : v->get_array())
        if (item.is_string()) out.emplace_back(item.get_string());
    return out;
}

}  // namespace tenon::auth::client
