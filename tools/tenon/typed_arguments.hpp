// Reads KEY=VALUE with the types of a tool's input schema.
#pragma once

#include <string>
#include <vector>

#include <tenon/json.hpp>

namespace tenon::program {

/// Reads `key=value` and `key:=json`. A repeated key makes a list. Throws Failure, with a remedy, for an unknown key or
/// a value that does not fit.
json::object typed_arguments(const std::vector<std::string>& words, const json::object& input_schema);

/// Reads one value with the type of its schema. Throws Failure; the message calls the value `name`.
json::value typed_value(const std::string& name, const std::string& text, const json::value& schema,
                        const json::object& root);

/// Throws Failure when a required argument is missing, or when the schema refuses a value.
void check_arguments(const json::object& arguments, const json::object& input_schema);

/// The parts of `KEY=VALUE`. assignment_of() throws Failure for a malformed word.
struct Assignment {
    std::string key, value;
    bool is_json = false;  ///< KEY:=JSON
};
Assignment assignment_of(const std::string& word);

}  // namespace tenon::program
