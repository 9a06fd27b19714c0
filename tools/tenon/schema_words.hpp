// Describes a JSON Schema in words: the types of a value, its bounds, its default.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

namespace tenon::program {

/// Returns the types that a schema allows. Empty: any type.
struct Types {
    bool null = false, boolean = false, integer = false, number = false, string = false, array = false, object = false;

    bool any() const { return null || boolean || integer || number || string || array || object; }
    void add(std::string_view name);
    void add(const Types& more);
};

/// Resolves the `$ref` of a schema into `root`.
const json::value& resolve(const json::value& schema, const json::object& root);
/// Returns a member that is an object, or null.
const json::value* member(const json::value& schema, std::string_view name);

Types types_of(const json::value& schema, const json::object& root);
/// Returns the values of `enum`, also inside anyOf and oneOf, or as `const`s there.
std::vector<json::value> choices_of(const json::value& schema, const json::object& root);

/// "integer", "string or null", "list of string", "celsius or fahrenheit"
std::string type_words(const json::value& schema, const json::object& root);
/// "1 to 7", "at least 1 character", "default 1": each a phrase.
std::vector<std::string> bound_words(const json::value& schema, const json::object& root);
/// Returns the value part of KEY=... in a synopsis: INTEGER, celsius|fahrenheit, JSON.
std::string placeholder(const json::value& schema, const json::object& root);

/// A JSON value as a person writes it: strings without quotes.
std::string plain(const json::value& v);

/// An argument of a tool.
struct Argument {
    std::string name;
    json::value schema;
    bool required = false;
};
/// Required ones first, otherwise in the order of the schema.
std::vector<Argument> arguments_of(const json::object& input_schema);

}  // namespace tenon::program
