#include "inspect/refusal.hpp"

#include <tenon/auth/error.hpp>

namespace tenon::inspect {
namespace {

Refusal wrong(std::string_view name, std::string_view must) {
    return {400, "`" + std::string(name) + "` must be " + std::string(must) + "."};
}

}  // namespace

std::string remedy_of(const Error& error) {
    switch (error.code) {
        case code::connection_closed: return "Look at the server's standard error, and connect again.";
        case code::request_timeout:
            return "The server did not answer in time. Call again, or cancel and connect again.";
        case code::not_authorised: return "Sign in again, or give the server a header with a token.";
        case code::method_not_found: return "The server does not have this method.";
        case code::missing_capability: return "The server needs a capability that this client does not offer.";
        default: return {};
    }
}

Refusal refusal_of(const Error& error) {
    if (error.code == code::request_timeout) return {504, error.message, remedy_of(error)};
    if (code::is_local(error.code)) return {409, error.message, remedy_of(error), 0, error.data};
    return {502, error.message, remedy_of(error), error.code, error.data};
}

const json::value& Arguments::any(std::string_view name) const {
    const json::value* v = all_.if_contains(name);
    if (!v) throw Refusal{400, "`" + std::string(name) + "` is missing."};
    return *v;
}

std::string Arguments::text(std::string_view name) const {
    const json::value& v = any(name);
    if (!v.is_string()) throw wrong(name, "a string");
    return std::string(v.get_string());
}

std::string Arguments::text_or(std::string_view name, std::string_view otherwise) const {
    return has(name) ? text(name) : std::string(otherwise);
}

bool Arguments::flag(std::string_view name, bool otherwise) const {
    if (!has(name)) return otherwise;
    const json::value& v = any(name);
    if (!v.is_bool()) throw wrong(name, "true or false");
    return v.get_bool();
}

std::uint64_t Arguments::number(std::string_view name) const {
    const json::value& v = any(name);
    if (v.is_uint64()) return v.get_uint64();
    if (!v.is_int64() || v.get_int64() < 0) throw wrong(name, "a whole number, not less than 0");
    return static_cast<std::uint64_t>(v.get_int64());
}

std::uint64_t Arguments::number_or(std::string_view name, std::uint64_t otherwise) const {
    return has(name) ? number(name) : otherwise;
}

const json::object& Arguments::object(std::string_view name) const {
    const json::value& v = any(name);
    if (!v.is_object()) throw wrong(name, "an object");
    return v.get_object();
}

json::object Arguments::object_or_empty(std::string_view name) const {
    return has(name) ? object(name) : json::object();
}

const json::array& Arguments::array(std::string_view name) const {
    const json::value& v = any(name);
    if (!v.is_array()) throw wrong(name, "a list");
    return v.get_array();
}

std::vector<std::string> Arguments::texts(std::string_view name) const {
    std::vector<std::string> out;
    if (!has(name)) return out;
    for (const json::value& v : array(name)) {
        if (!v.is_string()) throw wrong(name, "a list of strings");
        out.emplace_back(v.get_string());
    }
    return out;
}

}  // namespace tenon::inspect
