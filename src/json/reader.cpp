#include "json/reader.hpp"

namespace tenon::json {

void Reader::complain(std::string_view name, std::string_view must_be) {
    if (error_) return;
    error_ = Error{code::invalid_params, "Invalid params: `" + path(name) + "` must be " + std::string(must_be)};
}

const value* Reader::find(std::string_view name, bool required, std::string_view must_be) {
    const value* v = object_.if_contains(name);
    if (v == nullptr && required && !error_)
        error_ = Error{code::invalid_params,
                       "Invalid params: `" + path(name) + "` is missing; it must be " + std::string(must_be)};
    return v;
}

std::string Reader::string(std::string_view name) {
    const value* v = find(name, true, "a string");
    if (v == nullptr) return {};
    if (v->is_string()) return std::string(v->get_string());
    complain(name, "a string");
    return {};
}

std::optional<std::string> Reader::optional_string(std::string_view name) {
    if (find(name, false, "") == nullptr) return std::nullopt;
    return string(name);
}

std::optional<double> Reader::optional_number(std::string_view name) {
    const value* v = find(name, false, "");
    if (v == nullptr) return std::nullopt;
    if (v->is_number()) return v->to_number<double>();
    complain(name, "a number");
    return std::nullopt;
}

std::optional<bool> Reader::optional_boolean(std::string_view name) {
    const value* v = find(name, false, "");
    if (v == nullptr) return std::nullopt;
    if (v->is_bool()) return v->get_bool();
    complain(name, "true or false");
    return std::nullopt;
}

const object& Reader::object(std::string_view name) {
    static const json::object empty;
    const value* v = find(name, true, "an object");
    if (v == nullptr) return empty;
    if (const auto* o = v->if_object()) return *o;
    complain(name, "an object");
    return empty;
}

const object* Reader::optional_object(std::string_view name) {
    if (find(name, false, "") == nullptr) return nullptr;
    return &object(name);
}

const array& Reader::array(std::string_view name) {
    static const json::array empty;
    const value* v = find(name, true, "an array");
    if (v == nullptr) return empty;
    if (const auto* a = v->if_array()) return *a;
    complain(name, "an array");
    return empty;
}

const array* Reader::optional_array(std::string_view name) {
    if (find(name, false, "") == nullptr) return nullptr;
    return &array(name);
}

}  // namespace tenon::json
