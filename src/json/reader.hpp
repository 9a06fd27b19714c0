// Reads the members of an object. Error messages name the path: "`params.name` must be a string".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::json {

/// Reads members, and stores the first error. After an error the functions still return, possibly with empty values. So
/// a caller can read all members and check ok() once, at the end.
class Reader {
 public:
    Reader(const object& o, std::string path) : object_(o), path_(std::move(path)) {}
    /// Reads the member `name` of the object of `outer`, which must outlive this reader. The path is built only for an
    /// error.
    Reader(const object& o, const Reader& outer, std::string_view name) : object_(o), outer_(&outer), name_(name) {}

    std::string string(std::string_view name);
    std::optional<std::string> optional_string(std::string_view name);
    std::optional<double> optional_number(std::string_view name);
    std::optional<bool> optional_boolean(std::string_view name);
    /// Returns an empty object when the member is missing or is not an object.
    const json::object& object(std::string_view name);
    const json::object* optional_object(std::string_view name);
    const json::array& array(std::string_view name);
    const json::array* optional_array(std::string_view name);

    void complain(std::string_view name, std::string_view must_be);
    bool ok() const { return !error_; }
    const Error& error() const { return *error_; }
    std::string path(std::string_view name) const;

 private:
    const value* required(std::string_view name, std::string_view must_be);
    std::string read_string(std::string_view name, const value& v);
    const json::object& read_object(std::string_view name, const value& v);
    const json::array& read_array(std::string_view name, const value& v);

    const json::object& object_;
    std::string path_;
    const Reader* outer_ = nullptr;
    std::string_view name_;
    std::optional<Error> error_;
};

}  // namespace tenon::json

#pragma GCC visibility pop
