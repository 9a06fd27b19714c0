#include "core/server/named.hpp"

#include "json/find.hpp"

namespace tenon::core {
namespace {

std::string_view text_of(const json::object& o, std::string_view member) {
    const json::value* v = json::find(o, member);
    return v && v->is_string() ? std::string_view(v->get_string()) : std::string_view();
}

}  // namespace

std::string_view named(std::string_view method, const protocol::Method* row, const json::object& params) {
    if (!row) return method;  // of an extension
    if (!row->target.empty()) return text_of(params, row->target);
    const json::object* ref = json::find_object(params, "ref");
    if (!ref || row->uses != protocol::Uses::reference) return {};
    return text_of(*ref, text_of(*ref, "type") == "ref/prompt" ? "name" : "uri");
}

std::string_view named(const Call& call) {
    if (!call.row && !call.extension_method) return {};
    return named(call.method, call.extension_method ? nullptr : call.row, call.params);
}

}  // namespace tenon::core
