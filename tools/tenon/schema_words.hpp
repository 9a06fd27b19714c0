// Describes a JSON Schema in words: the types, bounds and default of a value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

namespace tenon::program {

/// The types that a schema allows. If no member is true, the schema allows every type.
struct Types {
    bool null = false, boolean = false, integer = false, number = false, string = false, array = false, object = false;

    bool any() const { return null || boolean || integer || number || string || array || object; }
    void add(std::string_view name);
    void add(const Types& more);
};

/// Follows the `$ref` of a schema. The reference points into `root`.
const json::value& resolve(const json::value& schema, const json::object& root);
/// Returns a member of the schema. Null when it is missing, or when the schema is not an object.
const json::value* member(const json::value& schema, std::string_view name);

Types types_of(const json::value& schema, const json::object& root);
/// Returns the allowed values of a schema: from `enum`, and from `enum` and `const` inside anyOf and oneOf.
std::vector<json::value> choices_of(const json::value& schema, const json::object& root);

/// Returns text such as "integer", "string or null", "list of string" or "celsius or fahrenheit".
/// `depth` counts the lists around the schema: a list of lists without end is cut off.
std::string type_words(const json::value& schema, const json::object& root, int depth = 0);
/// Returns phrases such as "1 to 7", "at least 1 character" and "default 1".
std::vector<std::string> bound_words(const json::value& schema, const json::object& root);
/// Returns the part after KEY= in a synopsis, such as INTEGER, celsius|fahrenheit or JSON.
std::string placeholder(const json::value& schema, const json::object& root);

/// Returns an example of a value, such as {"city": "TEXT", "days": 3}: of an object the required members, or else the
/// first one. Deep parts are empty.
json::value sample_of(const json::value& schema, const json::object& root);

/// Returns a JSON value as text for people: a string is not quoted.
std::string plain(const json::value& v);

/// An argument of a tool.
struct Argument {
    std::string name;
    json::value schema;
    bool required = false;
};
/// Returns the arguments of a tool, or the members of an object: first the required ones, then the others, each in the
/// order of the schema.
std::vector<Argument> arguments_of(const json::object& input_schema);
/// Returns the members of the objects that a schema allows, also of the items of a list.
std::vector<Argument> members_of(const json::value& schema, const json::object& root);

}  // namespace tenon::program
