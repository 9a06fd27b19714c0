#include "json/reader.hpp"

#include "json/find.hpp"

namespace tenon::json {
namespace {

const object& no_members() {
    static const object none;
    return none;
}

const array& no_elements() {
    static const array none;
    return none;
}

}  // namespace

std::string Reader::path(std::string_view name) const {
    const std::string outer = outer_ ? outer_->path(name_) : path_;
    return outer.empty() ? std::string(name) : outer + "." + std::string(name);
}

void Reader::complain(std::string_view name, std::string_view must_be) {
    if (error_) return;
    error_ = Error{code::invalid_params, "Invalid params: `" + path(name) + "` must be " + std::string(must_be)};
}

const value* Reader::required(std::string_view name, std::string_view must_be) {
    const value* v = find(object_, name);
    if (v == nullptr && !error_)
        error_ = Error{code::invalid_params,
                       "Invalid params: `" + path(name) + "` is missing; it must be " + std::string(must_be)};
    return v;
}

std::string Reader::read_string(std::string_view name, const value& v) {
    if (const auto* s = v.if_string()) return std::string(*s);
    complain(name, "a string");
    return {};
}

const object& Reader::read_object(std::string_view name, const value& v) {
    if (const auto* o = v.if_object()) return *o;
    complain(name, "an object");
    return no_members();
}

const array& Reader::read_array(std::string_view name, const value& v) {
    if (const auto* a = v.if_array()) return *a;
    complain(name, "an array");
    return no_elements();
}

std::string Reader::string(std::string_view name) {
    const value* v = required(name, "a string");
    return v ? read_string(name, *v) : std::string();
}

std::optional<std::string> Reader::optional_string(std::string_view name) {
    const value* v = find(object_, name);
    if (v == nullptr) return std::nullopt;
    return read_string(name, *v);
}

std::optional<double> Reader::optional_number(std::string_view name) {
    const value* v = find(object_, name);
    if (v == nullptr) return std::nullopt;
    if (v->is_number()) return v->to_number<double>();
    complain(name, "a number");
    return std::nullopt;
}

std::optional<bool> Reader::optional_boolean(std::string_view name) {
    const value* v = find(object_, name);
    if (v == nullptr) return std::nullopt;
    if (v->is_bool()) return v->get_bool();
    complain(name, "true or false");
    return std::nullopt;
}

const object& Reader::object(std::string_view name) {
    const value* v = required(name, "an object");
    return v ? read_object(name, *v) : no_members();
}

const object* Reader::optional_object(std::string_view name) {
    const value* v = find(object_, name);
    return v ? &read_object(name, *v) : nullptr;
}

const array& Reader::array(std::string_view name) {
    const value* v = required(name, "an array");
    return v ? read_array(name, *v) : no_elements();
}

const array* Reader::optional_array(std::string_view name) {
    const value* v = find(object_, name);
    return v ? &read_array(name, *v) : nullptr;
}

}  // namespace tenon::json
