#include "check/server/portable_schema.hpp"

#include <algorithm>
#include <array>

#include "check/server/shapes.hpp"

namespace tenon::check {
namespace {

using json::object;
using json::value;

constexpr std::size_t max_subschema_depth = 64;  // of subschemas; a deeper schema is not searched further

bool is_portable_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
}

bool is_portable_property(std::string_view name) {
    return !name.empty() && name.size() <= max_portable_name && std::ranges::all_of(name, is_portable_character);
}

// Hosts do not fetch schemas from the network. A reference into the schema's own `$id` needs no fetch.
bool is_remote(std::string_view reference, std::string_view own_id) {
    return (reference.starts_with("http://") || reference.starts_with("https://")) &&
           (own_id.empty() || !reference.starts_with(own_id));
}

class Search {
 public:
    explicit Search(const object& root) {
        if (const auto* id = string_in(root, "$id")) own_id_ = *id;
    }

    std::string in(const value& schema, std::string_view name, std::size_t depth) {
        const object* o = schema.if_object();
        if (!o || depth > max_subschema_depth) return {};
        const std::string where(name);
        const auto *type = string_in(*o, "type"), *reference = string_in(*o, "$ref");
        if (type && *type == "array" && !o->contains("items") && !o->contains("prefixItems") && !reference)
            return "the array `" + where + "` has no `items`";
        if (reference && is_remote(*reference, own_id_))
            return "`" + where + "` refers to a schema on the network: " + std::string(*reference).substr(0, 200);
        return below(*o, name, depth + 1);
    }

 private:
    std::string below(const object& schema, std::string_view name, std::size_t depth) {
        for (const std::string_view named : {"properties", "$defs", "definitions"})
            if (const object* all = object_in(schema, named))
                for (const auto& member : *all)
                    if (auto found = in(member.value(), member.key(), depth); !found.empty()) return found;
        for (const std::string_view one : {"items", "additionalProperties", "not"})
            if (const value* v = schema.if_contains(one))
                if (auto found = in(*v, name, depth); !found.empty()) return found;
        for (const std::string_view several : {"anyOf", "oneOf", "allOf", "prefixItems"})
            if (const json::array* all = array_in(schema, several))
                for (const value& v : *all)
                    if (auto found = in(v, name, depth); !found.empty()) return found;
        return {};
    }

    std::string_view own_id_;
};

}  // namespace

std::string_view unportable_root(const object& schema) {
    for (const std::string_view keyword : {"anyOf", "oneOf", "allOf"})
        if (schema.contains(keyword)) return keyword;
    return {};
}

std::string unportable_part(const object& schema) {
    if (const object* properties = object_in(schema, "properties"))
        for (const auto& property : *properties)
            if (!is_portable_property(property.key()))
                return "the argument `" + std::string(property.key()).substr(0, 200) +
                       "` has a name that is not 1 to 64 letters, digits, _, - and .";
    return Search(schema).in(schema, "arguments", 0);
}

}  // namespace tenon::check
