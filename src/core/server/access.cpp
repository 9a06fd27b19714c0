#include "core/server/access.hpp"

#include "base/printable.hpp"
#include "core/server/uses.hpp"
#include "protocol/methods.hpp"

namespace tenon::core {
namespace {

constexpr std::size_t most_quoted = 1024;  // bytes of a name in an error

std::string quoted(std::string_view name) { return base::printable(name, most_quoted); }

// Returns the same error as the method itself for a feature that does not exist.
Error unknown(const Use& use, std::string_view method) {
    if (method == "completion/complete")
        return {code::invalid_params,
                use.kind == UseKind::prompt
                    ? "Invalid params: `params.ref.name` is not a prompt of this server"
                    : "Invalid params: `params.ref.uri` is not a resource template of this server"};
    switch (use.kind) {
        case UseKind::tool: return {code::invalid_params, "Unknown tool: " + quoted(use.key)};
        case UseKind::prompt: return {code::invalid_params, "Unknown prompt: " + quoted(use.key)};
        case UseKind::method: return {code::method_not_found, "Method not found: " + quoted(use.key)};
        default: break;
    }
    return {code::resource_not_found, "Resource not found: " + quoted(use.name()), json::object{{"uri", use.name()}}};
}

bool may_leave_out(std::string_view method) {
    const protocol::Method* row = protocol::find_method(method);
    return row && row->uses == protocol::Uses::resources;
}

}  // namespace

bool Access::allows(const Use& use) const {
    static const json::object none;
    return allows(use, none);
}

bool Access::allows(const Use& use, const json::object& params) const {
    return (!scopes || scopes(use)) && (!rules || (*rules)(*caller, use, params));
}

std::optional<Error> access_error(const Access& access, std::string_view method, const json::object& params,
                                  const Features& features) {
    if (!access.restricts()) return std::nullopt;
    for (const Use& use : uses_of(method, params, features)) {
        if (access.scopes && !access.scopes(use))
            return Error{code::invalid_request, "You may not use `" + quoted(use.key) + "`"};
        if (!may_leave_out(method) && !access.allows(use, params)) return unknown(use, method);
    }
    return std::nullopt;
}

std::set<std::string> hidden_uris(const Access& access, std::string_view method, const json::object& params,
                                  const Features& features) {
    std::set<std::string> out;
    if (!access.rules || !may_leave_out(method)) return out;
    for (const Use& use : uses_of(method, params, features))
        if (!access.allows(use, params)) out.emplace(use.name());
    return out;
}

}  // namespace tenon::core
