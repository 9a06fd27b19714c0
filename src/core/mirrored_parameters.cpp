#include "core/mirrored_parameters.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "framing/http_fields.hpp"

namespace tenon::core {
namespace {

using std::string_view;

constexpr string_view annotation = "x-mcp-header";

// The keywords of JSON Schema that contain further schemas. The values of all other keywords are data: `x-mcp-header`
// has no meaning there.
constexpr std::array<string_view, 6> maps_of_schemas = {"patternProperties", "$defs",        "definitions",
                                                        "dependentSchemas",  "dependencies", "properties"};
constexpr std::array<string_view, 5> lists_of_schemas = {"allOf", "anyOf", "oneOf", "prefixItems", "items"};
constexpr std::array<string_view, 12> single_schemas = {"items",
                                                        "additionalItems",
                                                        "additionalProperties",
                                                        "unevaluatedItems",
                                                        "unevaluatedProperties",
                                                        "contains",
                                                        "propertyNames",
                                                        "not",
                                                        "if",
                                                        "then",
                                                        "else",
                                                        "contentSchema"};

constexpr std::array<string_view, 3> types_of_headers = {"string", "integer", "boolean"};

// The keys that lead to a value in the arguments. Empty when the value has no fixed place, for example in an array.
using Path = std::optional<std::vector<std::string>>;

bool contains(const auto& list, string_view word) { return std::ranges::find(list, word) != list.end(); }

class Finder {
 public:
    bool walk(const json::value& schema, const Path& path) {
        const json::object* o = schema.if_object();
        if (!o) return true;
        if (const json::value* name = o->if_contains(annotation); name && !take(*o, *name, path)) return false;
        return std::ranges::all_of(*o, [&](const auto& member) { return walk_keyword(member, path); });
    }

    std::vector<MirroredParameter> found;
    std::string why;

 private:
    bool walk_keyword(const json::object::value_type& member, const Path& path) {
        const string_view keyword = member.key();
        const json::value& v = member.value();
        if (v.is_object() && contains(maps_of_schemas, keyword)) {
            return std::ranges::all_of(v.get_object(), [&](const auto& entry) {
                Path below = keyword == "properties" ? path : std::nullopt;
                if (below) below->emplace_back(entry.key());
                return walk(entry.value(), below);
            });
        }
        if (v.is_array() && contains(lists_of_schemas, keyword))
            return std::ranges::all_of(v.get_array(), [&](const auto& entry) { return walk(entry, std::nullopt); });
        return !contains(single_schemas, keyword) || walk(v, std::nullopt);
    }

    bool take(const json::object& schema, const json::value& name, const Path& path) {
        const auto* text = name.if_string();
        const json::value* type = schema.if_contains("type");
        if (!text || !framing::is_token(*text))
            return refuse(name, "is not a valid header name: use letters, digits and -");
        if (!path || path->empty())
            return refuse(name,
                          "must be at a property that `properties` alone lead to, not in an array, a reference, a "
                          "condition or a combination of schemas");
        if (!type || !type->is_string() || !contains(types_of_headers, type->get_string()))
            return refuse(name,
                          "needs \"type\": \"string\", \"integer\" or \"boolean\": a header carries nothing else");
        std::string header = "Mcp-Param-" + std::string(*text);
        const auto taken = [&](const MirroredParameter& p) { return framing::equal_ignoring_case(p.header, header); };
        if (std::ranges::any_of(found, taken))
            return refuse(name, "is used twice; header names ignore case: rename one");
        found.push_back({std::move(header), *path});
        return true;
    }

    bool refuse(const json::value& name, string_view problem) {
        why = "the `" + std::string(annotation) + "` " + json::write(name) + " " + std::string(problem);
        return false;
    }
};

}  // namespace

Result<std::vector<MirroredParameter>> mirrored_parameters(const json::object& input_schema) {
    Finder finder;
    if (!finder.walk(input_schema, std::vector<std::string>())) return Error{code::invalid_params, finder.why};
    return std::move(finder.found);
}

}  // namespace tenon::core
