#include "check/arguments.hpp"

#include <algorithm>

#include <tenon/schema.hpp>

#include "check/shapes.hpp"

namespace tenon::check {
namespace {

using json::object;
using json::value;

double number_in(const object& schema, std::string_view name, double otherwise) {
    const value* v = schema.if_contains(name);
    return v && v->is_number() ? v->to_number<double>() : otherwise;
}

value plain_number(const object& schema, bool integer) {
    double n = std::max(number_in(schema, "minimum", 1), number_in(schema, "exclusiveMinimum", 0) + 1);
    n = std::min(
        {n, number_in(schema, "maximum", n), number_in(schema, "exclusiveMaximum", n + 1) - (integer ? 1 : 0.5)});
    if (integer) return static_cast<std::int64_t>(n);
    return n;
}

value plain_string(const object& schema) {
    const boost::json::string* format = string_in(schema, "format");
    if (format && (*format == "uri" || *format == "url")) return "https://example.com/";
    if (format && *format == "email") return "ada@example.com";
    if (format && *format == "date-time") return "2026-07-28T00:00:00Z";
    if (format && *format == "date") return "2026-07-28";
    const auto length = static_cast<std::size_t>(std::clamp(number_in(schema, "minLength", 4), 1.0, 10'000.0));
    std::string text = "text";
    text.resize(std::min(length, static_cast<std::size_t>(number_in(schema, "maxLength", 1e6))), 'x');
    return value(std::string_view(text));
}

value plain(const object& schema, int depth);

value plain_object(const object& schema, int depth) {
    object out;
    const json::array* required = array_in(schema, "required");
    const object* properties = object_in(schema, "properties");
    if (!required || !properties) return out;
    for (const value& name : *required) {
        const object* property = name.is_string() ? object_in(*properties, name.get_string()) : nullptr;
        if (property) out[name.get_string()] = plain(*property, depth + 1);
    }
    return out;
}

value plain_array(const object& schema, int depth) {
    json::array out;
    const object* items = object_in(schema, "items");
    const auto count = static_cast<std::size_t>(std::clamp(number_in(schema, "minItems", 0), 0.0, 20.0));
    for (std::size_t i = 0; i < count; ++i) out.push_back(items ? plain(*items, depth + 1) : value(1));
    return out;
}

std::string type_of(const object& schema) {
    const value* type = schema.if_contains("type");
    if (type && type->is_array() && !type->get_array().empty()) type = &type->get_array().front();
    return type && type->is_string() ? std::string(type->get_string()) : "";
}

value plain(const object& schema, int depth) {
    if (depth > 8) return nullptr;
    if (const value* v = schema.if_contains("const")) return *v;
    if (const value* v = schema.if_contains("default")) return *v;
    for (const std::string_view list : {"examples", "enum"})
        if (const json::array* values = array_in(schema, list); values && !values->empty()) return values->front();
    for (const std::string_view list : {"anyOf", "oneOf", "allOf"})
        if (const json::array* all = array_in(schema, list); all && !all->empty() && all->front().is_object())
            return plain(all->front().get_object(), depth + 1);
    const std::string type = type_of(schema);
    if (type == "integer" || type == "number") return plain_number(schema, type == "integer");
    if (type == "boolean") return false;
    if (type == "null") return nullptr;
    if (type == "array") return plain_array(schema, depth);
    if (type == "object" || schema.contains("properties")) return plain_object(schema, depth);
    return plain_string(schema);
}

std::optional<schema::Schema> compiled(const object& tool) {
    const object* input = object_in(tool, "inputSchema");
    if (!input) return std::nullopt;
    auto out = schema::Schema::compile(*input);
    return out ? std::optional(*std::move(out)) : std::nullopt;
}

}  // namespace

std::optional<object> valid_arguments(const object& tool) {
    const auto schema = compiled(tool);
    if (!schema) return std::nullopt;
    const value guess = plain_object(tool.at("inputSchema").get_object(), 0);
    return schema->accepts(guess) ? std::optional(guess.get_object()) : std::nullopt;
}

std::optional<object> arguments_with_one_missing(const object& tool, std::string& which) {
    auto out = valid_arguments(tool);
    const auto schema = compiled(tool);
    if (!out || out->empty() || !schema) return std::nullopt;
    which = out->begin()->key();
    out->erase(which);
    return schema->accepts(*out) ? std::nullopt : out;
}

std::optional<object> arguments_of_wrong_type(const object& tool, std::string& which) {
    auto out = valid_arguments(tool);
    const auto schema = compiled(tool);
    if (!out || out->empty() || !schema) return std::nullopt;
    which = out->begin()->key();
    (*out)[which] = object{{"tenon", "check"}};
    return schema->accepts(*out) ? std::nullopt : out;
}

}  // namespace tenon::check
