// The metaschemas contain only the keywords that validate. The titles, defaults and comments of the published ones are
// left out.
#include "schema/metaschema.hpp"

#include <array>
#include <string>

namespace tenon::schema {
namespace {

// `@` stands for a schema: {"$dynamicRef":"#meta"}, {"$recursiveRef":"#"} or {"$ref":"#"}.
constexpr std::string_view shared_definitions = R"(
 "count":{"type":"integer","minimum":0},
 "names":{"type":"array","items":{"type":"string"},"uniqueItems":true},
 "type":{"enum":["array","boolean","integer","null","number","object","string"]},
 "schemas":{"type":"array","minItems":1,"items":@},
 "map":{"type":"object","additionalProperties":@})";

constexpr std::string_view validation = R"(
 "type":{"anyOf":[{"$ref":"#/$defs/type"},{"type":"array","items":{"$ref":"#/$defs/type"},"minItems":1,"uniqueItems":true}]},
 "const":true,"enum":{"type":"array","items":true},
 "multipleOf":{"type":"number","exclusiveMinimum":0},"maximum":{"type":"number"},"exclusiveMaximum":{"type":"number"},
 "minimum":{"type":"number"},"exclusiveMinimum":{"type":"number"},
 "maxLength":{"$ref":"#/$defs/count"},"minLength":{"$ref":"#/$defs/count"},"pattern":{"type":"string","format":"regex"},
 "maxItems":{"$ref":"#/$defs/count"},"minItems":{"$ref":"#/$defs/count"},"uniqueItems":{"type":"boolean"},
 "maxContains":{"$ref":"#/$defs/count"},"minContains":{"$ref":"#/$defs/count"},
 "maxProperties":{"$ref":"#/$defs/count"},"minProperties":{"$ref":"#/$defs/count"},"required":{"$ref":"#/$defs/names"},
 "dependentRequired":{"type":"object","additionalProperties":{"$ref":"#/$defs/names"}})";

constexpr std::string_view applicator = R"(
 "contains":@,"additionalProperties":@,"properties":{"$ref":"#/$defs/map"},
 "patternProperties":{"$ref":"#/$defs/map","propertyNames":{"format":"regex"}},
 "dependentSchemas":{"$ref":"#/$defs/map"},"propertyNames":@,"if":@,"then":@,"else":@,
 "allOf":{"$ref":"#/$defs/schemas"},"anyOf":{"$ref":"#/$defs/schemas"},"oneOf":{"$ref":"#/$defs/schemas"},"not":@)";

constexpr std::string_view metadata = R"(
 "title":{"type":"string"},"description":{"type":"string"},"default":true,"deprecated":{"type":"boolean"},
 "readOnly":{"type":"boolean"},"writeOnly":{"type":"boolean"},"examples":{"type":"array","items":true})";

constexpr std::string_view content = R"(
 "contentEncoding":{"type":"string"},"contentMediaType":{"type":"string"},"contentSchema":@)";

constexpr std::string_view legacy = R"(
 "definitions":{"$ref":"#/$defs/map"},
 "dependencies":{"type":"object","additionalProperties":{"anyOf":[@,{"$ref":"#/$defs/names"}]}})";

constexpr std::string_view core_2020 = R"(
 "$id":{"type":"string","format":"uri-reference","pattern":"^[^#]*#?$"},"$schema":{"type":"string","format":"uri"},
 "$ref":{"type":"string","format":"uri-reference"},"$dynamicRef":{"type":"string","format":"uri-reference"},
 "$anchor":{"type":"string","pattern":"^[A-Za-z_][-A-Za-z0-9._]*$"},
 "$dynamicAnchor":{"type":"string","pattern":"^[A-Za-z_][-A-Za-z0-9._]*$"},
 "$vocabulary":{"type":"object","propertyNames":{"type":"string","format":"uri"},"additionalProperties":{"type":"boolean"}},
 "$comment":{"type":"string"},"$defs":{"$ref":"#/$defs/map"})";

constexpr std::string_view core_2019 = R"(
 "$id":{"type":"string","format":"uri-reference","pattern":"^[^#]*#?$"},"$schema":{"type":"string","format":"uri"},
 "$anchor":{"type":"string","pattern":"^[A-Za-z][-A-Za-z0-9.:_]*$"},"$ref":{"type":"string","format":"uri-reference"},
 "$recursiveRef":{"type":"string","format":"uri-reference"},"$recursiveAnchor":{"type":"boolean"},
 "$vocabulary":{"type":"object","propertyNames":{"type":"string","format":"uri"},"additionalProperties":{"type":"boolean"}},
 "$comment":{"type":"string"},"$defs":{"$ref":"#/$defs/map"})";

constexpr std::string_view unevaluated = R"("unevaluatedItems":@,"unevaluatedProperties":@)";
constexpr std::string_view items_2020 = R"("prefixItems":{"$ref":"#/$defs/schemas"},"items":@,)";
constexpr std::string_view items_old = R"("additionalItems":@,"items":{"anyOf":[@,{"$ref":"#/$defs/schemas"}]},)";
constexpr std::string_view format_keyword = R"("format":{"type":"string"})";

constexpr std::string_view folder_2020 = "https://json-schema.org/draft/2020-12/";
constexpr std::string_view folder_2019 = "https://json-schema.org/draft/2019-09/";

void replace_all(std::string& text, char mark, std::string_view with) {
    for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at + with.size())) text.replace(at, 1, with);
}

std::string definitions() { return R"("$defs":{)" + std::string(shared_definitions) + "}"; }

std::string quoted_uri(std::string_view folder, std::string_view name) {
    return "\"" + std::string(folder) + std::string(name) + "\"";
}

std::optional<json::value> finished(std::string text, std::string_view self_reference) {
    replace_all(text, '@', self_reference);
    auto parsed = json::parse(text);
    if (!parsed) return std::nullopt;
    return std::move(*parsed);
}

struct Draft {
    std::string_view folder, anchor, self;
};
constexpr Draft draft_2020{folder_2020, R"("$dynamicAnchor":"meta")", R"({"$dynamicRef":"#meta"})"};
constexpr Draft draft_2019{folder_2019, R"("$recursiveAnchor":true)", R"({"$recursiveRef":"#"})"};

std::string head(const Draft& d, std::string_view name, std::string_view vocabularies) {
    return "{\"$schema\":" + quoted_uri(d.folder, "schema") + ",\"$id\":" + quoted_uri(d.folder, name) +
           ",\"$vocabulary\":{" + std::string(vocabularies) + "}," + std::string(d.anchor) +
           ",\"type\":[\"object\",\"boolean\"],";
}

std::optional<json::value> part(const Draft& d, std::string_view name, const std::string& properties) {
    const std::string vocabulary = quoted_uri(d.folder, "vocab/" + std::string(name)) + ":true";
    return finished(
        head(d, "meta/" + std::string(name), vocabulary) + "\"properties\":{" + properties + "}," + definitions() + "}",
        d.self);
}

template <std::size_t N>
std::optional<json::value> whole(const Draft& d, const std::array<std::string_view, N>& parts) {
    std::string vocabularies, all;
    for (const auto name : parts) {
        const std::string comma = all.empty() ? "" : ",";
        const bool optional = name == "format";
        vocabularies += comma + quoted_uri(d.folder, "vocab/" + std::string(name)) + (optional ? ":false" : ":true");
        all += comma + "{\"$ref\":\"meta/" + std::string(name) + "\"}";
    }
    return finished(head(d, "schema", vocabularies) + "\"allOf\":[" + all + "],\"properties\":{" + std::string(legacy) +
                        "}," + definitions() + "}",
                    d.self);
}

std::optional<json::value> in_2020(std::string_view name) {
    constexpr std::array<std::string_view, 7> parts{"core",      "applicator",        "unevaluated", "validation",
                                                    "meta-data", "format-annotation", "content"};
    if (name == "schema") return whole(draft_2020, parts);
    if (!name.starts_with("meta/")) return std::nullopt;
    name.remove_prefix(5);
    if (name == "core") return part(draft_2020, name, std::string(core_2020));
    if (name == "applicator") return part(draft_2020, name, std::string(items_2020) + std::string(applicator));
    if (name == "unevaluated") return part(draft_2020, name, std::string(unevaluated));
    if (name == "validation") return part(draft_2020, name, std::string(validation));
    if (name == "meta-data") return part(draft_2020, name, std::string(metadata));
    if (name == "content") return part(draft_2020, name, std::string(content));
    if (name == "format-annotation" || name == "format-assertion")
        return part(draft_2020, name, std::string(format_keyword));
    return std::nullopt;
}

std::optional<json::value> in_2019(std::string_view name) {
    constexpr std::array<std::string_view, 6> parts{"core",      "applicator", "validation",
                                                    "meta-data", "format",     "content"};
    if (name == "schema") return whole(draft_2019, parts);
    if (!name.starts_with("meta/")) return std::nullopt;
    name.remove_prefix(5);
    if (name == "core") return part(draft_2019, name, std::string(core_2019));
    if (name == "applicator")
        return part(draft_2019, name,
                    std::string(items_old) + std::string(applicator) + "," + std::string(unevaluated));
    if (name == "validation") return part(draft_2019, name, std::string(validation));
    if (name == "meta-data") return part(draft_2019, name, std::string(metadata));
    if (name == "content") return part(draft_2019, name, std::string(content));
    if (name == "format") return part(draft_2019, name, std::string(format_keyword));
    return std::nullopt;
}

// Draft 7 has one document, whose definitions have the names that other schemas refer to.
std::optional<json::value> draft7() {
    constexpr std::string_view core = R"(
 "$id":{"type":"string","format":"uri-reference"},"$schema":{"type":"string","format":"uri"},
 "$ref":{"type":"string","format":"uri-reference"},"$comment":{"type":"string"},)";
    constexpr std::string_view public_names = R"(
 "nonNegativeInteger":{"$ref":"#/$defs/count"},"nonNegativeIntegerDefault0":{"$ref":"#/$defs/count"},
 "schemaArray":{"$ref":"#/$defs/schemas"},"simpleTypes":{"$ref":"#/$defs/type"},"stringArray":{"$ref":"#/$defs/names"})";
    std::string text =
        R"({"$schema":"http://json-schema.org/draft-07/schema#","$id":"http://json-schema.org/draft-07/schema#",
 "type":["object","boolean"],"definitions":{)" +
        std::string(public_names) + "},\"properties\":{" + std::string(core) + std::string(items_old);
    for (const auto body : {applicator, validation, metadata, content, format_keyword}) text.append(body).append(",");
    text.append(legacy).append("},").append(definitions()).append("}");
    auto schema = finished(std::move(text), R"({"$ref":"#"})");
    if (!schema) return std::nullopt;
    for (const auto later :
         {"dependentSchemas", "dependentRequired", "maxContains", "minContains", "contentSchema", "deprecated"})
        schema->get_object()["properties"].get_object().erase(later);
    return schema;
}

}  // namespace

std::optional<json::value> metaschema(std::string_view uri) {
    if (uri.starts_with(folder_2020)) return in_2020(uri.substr(folder_2020.size()));
    if (uri.starts_with(folder_2019)) return in_2019(uri.substr(folder_2019.size()));
    if (uri == "http://json-schema.org/draft-07/schema") return draft7();
    return std::nullopt;
}

}  // namespace tenon::schema
