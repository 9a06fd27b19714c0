// KEY=VALUE, typed by a tool's input schema.
#pragma once

#include <string>
#include <vector>

#include <tenon/json.hpp>

namespace tenon::program {

/// The arguments for `key=value` and `key:=json`. A key that comes again makes a list. Throws Failure where a key is
/// not known or a value does not fit, with the remedy.
json::object typed_arguments(const std::vector<std::string>& words, const json::object& input_schema);

/// One value, typed by its schema. Throws Failure that calls it `name`.
json::value typed_value(const std::string& name, const std::string& text, const json::value& schema,
                        const json::object& root);

/// Throws Failure when a required argument is missing, or when the schema refuses something.
void check_arguments(const json::object& arguments, const json::object& input_schema);

/// `KEY=VALUE` in two; throws Failure when it is not that.
struct Assignment {
    std::string key, value;
    bool is_json = false;  ///< KEY:=JSON
};
Assignment assignment_of(const std::string& word);

}  // namespace tenon::program
