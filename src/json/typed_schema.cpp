#include <algorithm>
#include <cctype>

#include <tenon/typed/schema_of.hpp>

#include "base/utf8.hpp"

namespace tenon::detail {
namespace {

// Extracts "Order" from "json::object record_schema(...) [with T = shop::Order; ...]". The arguments of a template
// become part of the name. Characters other than letters and digits become '_', so that a reference needs no escape.
std::string type_name(std::string_view function_name) {
    const auto begin = function_name.find("T = ");
    if (begin == function_name.npos) return "Type";
    std::string_view name = function_name.substr(begin + 4);
    name = name.substr(0, name.find_first_of(";]"));
    const auto qualified = name.substr(0, name.find('<')).rfind("::");
    if (qualified != name.npos) name.remove_prefix(qualified + 2);
    std::string result(name);
    std::replace_if(
        result.begin(), result.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return result;
}

json::object reference_to(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }

}  // namespace

std::optional<json::object> Definitions::enter(const void* type, std::string_view function_name) {
    for (Struct& s : structs_) {
        if (s.type != type) continue;
        s.referred = true;
        return reference_to(s.name);
    }
    const auto taken = [&](const std::string& name) {
        return std::any_of(structs_.begin(), structs_.end(), [&](const Struct& s) { return s.name == name; });
    };
    const std::string base = type_name(function_name);
    std::string name = base;
    for (int n = 2; taken(name); ++n) name = base + '.' + std::to_string(n);
    structs_.push_back({.type = type, .name = std::move(name)});
    return std::nullopt;
}

json::object Definitions::leave(json::object schema) {
    const auto last_open = std::find_if(structs_.rbegin(), structs_.rend(), [](const Struct& s) { return s.open; });
    if (!last_open->referred) {
        structs_.erase(std::next(last_open).base());
        return schema;
    }
    last_open->open = false;
    defs_[last_open->name] = std::move(schema);
    return reference_to(last_open->name);
}

json::object Definitions::finish(json::object root) {
    if (defs_.empty()) return root;
    // MCP requires "type": "object" at the root, so a root that is a reference is replaced by its target.
    if (const json::value* ref = root.if_contains("$ref"); ref && root.size() == 1) {
        std::string_view name = ref->get_string();
        name.remove_prefix(std::string_view("#/$defs/").size());
        root = defs_.at(name).get_object();
    }
    root["$defs"] = std::move(defs_);
    return root;
}

void merge(json::object& schema, const json::object& keywords) {
    for (const auto& keyword : keywords) schema[keyword.key()] = keyword.value();
}

namespace {

std::optional<double> number_of(const json::object& o, std::string_view keyword) {
    const json::value* v = o.if_contains(keyword);
    return v && v->is_number() ? std::optional(v->to_number<double>()) : std::nullopt;
}

[[noreturn]] void contradiction(std::string_view name, const std::string& what) {
    throw Exception({code::invalid_params, "The argument or field `" + std::string(name) + "` " + what});
}

// Returns the value that a pair of bounds limits: the length of a text, the size of a list, or the number itself.
std::optional<double> measure(const json::value& v, std::string_view least) {
    if (least == "minLength" && v.is_string()) return static_cast<double>(base::utf8_length(v.get_string()));
    if (least == "minItems" && v.is_array()) return static_cast<double>(v.get_array().size());
    return least == "minimum" && v.is_number() ? std::optional(v.to_number<double>()) : std::nullopt;
}

void check_bounds(std::string_view name, const json::object& property, std::string_view least, std::string_view most) {
    const auto min = number_of(property, least), max = number_of(property, most);
    if (min && max && *min > *max)
        contradiction(name, "has bounds that no value fits: " + json::write(property.at(least)) + " is above " +
                                json::write(property.at(most)) + ". Swap them, or remove one.");
    const json::value* otherwise = property.if_contains("default");
    const auto size = otherwise ? measure(*otherwise, least) : std::nullopt;
    if (size && ((min && *size < *min) || (max && *size > *max)))
        contradiction(name, "has the default " + json::write(*otherwise) +
                                ", which its own bounds refuse. Change the default or the bounds.");
}

}  // namespace

void check_keywords(std::string_view name, const json::object& property) {
    check_bounds(name, property, "minimum", "maximum");
    check_bounds(name, property, "minLength", "maxLength");
    check_bounds(name, property, "minItems", "maxItems");
    const json::value* otherwise = property.if_contains("default");
    const json::value* choices = property.if_contains("enum");
    if (otherwise && choices && choices->is_array() &&
        std::find(choices->get_array().begin(), choices->get_array().end(), *otherwise) == choices->get_array().end())
        contradiction(name, "has the default " + json::write(*otherwise) +
                                ", which is not one of its values. Change the default or the values.");
}

json::object closed(json::object schema) {
    schema["additionalProperties"] = false;
    return schema;
}

json::object object_schema(json::object properties, json::array required) {
    json::object o{{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty()) o["required"] = std::move(required);
    return o;
}

json::object list_schema(json::object items) { return {{"type", "array"}, {"items", std::move(items)}}; }

json::object tuple_schema(json::array items) {
    if (items.empty()) return {{"type", "array"}, {"maxItems", 0}};
    const std::size_t size = items.size();
    return {{"type", "array"}, {"prefixItems", std::move(items)}, {"items", false}, {"minItems", size}};
}

json::object choice_schema(json::array names) { return {{"type", "string"}, {"enum", std::move(names)}}; }

json::object any_of(json::array alternatives) { return {{"anyOf", std::move(alternatives)}}; }

}  // namespace tenon::detail
