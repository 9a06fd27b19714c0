// Reads the members of an object with the path in every complaint: "`params.name` must be a string".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::json {

/// Remembers the first thing that was wrong and gives empty values from then on, so that a decoder reads as a list of
/// fields and asks once, at the end.
class Reader {
 public:
    Reader(const object& o, std::string path) : object_(o), path_(std::move(path)) {}
    /// Of the member `name` of what `outer` reads, which must outlive it: its path is made when it is needed.
    Reader(const object& o, const Reader& outer, std::string_view name) : object_(o), outer_(&outer), name_(name) {}

    std::string string(std::string_view name);
    std::optional<std::string> optional_string(std::string_view name);
    std::optional<double> optional_number(std::string_view name);
    std::optional<bool> optional_boolean(std::string_view name);
    /// An empty object when it is missing or wrong.
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
