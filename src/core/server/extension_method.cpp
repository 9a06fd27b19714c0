// Methods of extensions: their names, and their calls.
#include "core/server/extension_method.hpp"

#include <algorithm>

#include "core/server/engine.hpp"
#include "core/server/redaction.hpp"
#include "core/server/violations.hpp"
#include "protocol/methods.hpp"

namespace tenon::core {
namespace {

constexpr std::size_t max_method_name = 128;

Error refuse_method(std::string_view method, std::string_view why) {
    return {code::invalid_params,
            "The method `" + std::string(method.substr(0, max_method_name)) + "` " + std::string(why)};
}

bool method_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == '/';
}

/// Returns the part before the first "/" when it has a dot, or an empty text.
std::string_view vendor_of(std::string_view name) {
    const std::size_t slash = name.find('/');
    const std::string_view vendor = slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
    return vendor.find('.') == std::string_view::npos ? std::string_view() : vendor;
}

bool is_within(std::string_view method, std::string_view extension) {
    return method == extension || (method.starts_with(extension) && method[extension.size()] == '/');
}

Result<void> check_method_name(std::string_view method) {
    if (protocol::find_method(method))
        return refuse_method(method, "is a method of the protocol: choose a name with your own prefix.");
    if (method.size() > max_method_name || !std::ranges::all_of(method, method_character))
        return refuse_method(method, "needs a name of at most 128 characters A-Z a-z 0-9 _ - . and /: rename it.");
    if (method.starts_with("rpc.")) return refuse_method(method, "begins with `rpc.`, which JSON-RPC reserves.");
    return {};
}

Result<std::string> only_extension_of_vendor(std::string_view method, const json::object& declared) {
    std::string found;
    for (const auto& [name, settings] : declared) {
        if (vendor_of(name) != vendor_of(method)) continue;
        if (!found.empty())
            return refuse_method(method, "could belong to several extensions: set MethodOptions::extension.");
        found = name;
    }
    if (found.empty())
        return refuse_method(method,
                             "belongs to no extension: declare one in ServerOptions::extensions, for example "
                             "\"" +
                                 std::string(method) + "\".");
    return found;
}

std::string longest_prefix(std::string_view method, const json::object& declared) {
    std::string found;
    for (const auto& [name, settings] : declared)
        if (name.size() > found.size() && is_within(method, name)) found = name;
    return found;
}

// Moves `_meta` out of the result. Tenon itself writes `resultType`.
Result<HandlerResult> finish_method(Result<json::object> outcome, const Settings& settings) {
    if (!outcome) return redacted(outcome.error(), settings);
    json::object& result = *outcome;
    Redaction(settings).apply(result);
    json::object meta;
    if (json::value* own = result.if_contains("_meta")) {
        if (json::object* members = own->if_object()) meta = std::move(*members);
        result.erase("_meta");
    }
    result.erase("resultType");
    Encoded out;
    json::Writer w(out.json);
    w.neutralise(settings.neutralise_control_characters);
    w.value(result);
    return HandlerResult{std::move(out), std::move(meta)};
}

}  // namespace

Result<std::string> extension_of_method(std::string_view method, std::string_view asked, const json::object& declared) {
    if (auto ok = check_method_name(method); !ok) return ok.error();
    if (!asked.empty() && !declared.contains(asked))
        return refuse_method(method, "names the extension `" + std::string(asked) +
                                         "`, which is not declared in ServerOptions::extensions.");
    const std::string found = asked.empty() ? longest_prefix(method, declared) : std::string(asked);
    if (vendor_of(method).empty() && (found.empty() || !is_within(method, found)))
        return refuse_method(method,
                             "needs a prefix of its vendor, with a dot and before a slash: for example "
                             "\"com.example/forecast\".");
    if (!found.empty()) return found;
    return only_extension_of_vendor(method, declared);
}

// Sets the parameters for the handler: without the members of the protocol, and with defaults. Copies the object as a
// whole, since its keys were checked for collisions in a table of its size.
void ServerEngine::read_method_params(Call& call, const json::object& defaults) {
    const bool modern = call.peer->rules.is_modern();
    json::object& params = call.with_defaults.emplace_object();
    params = call.params;
    for (const auto& [name, value] : call.params)
        if (name == "_meta" || (modern && is_round_parameter(name))) params.stable_erase(name);
    for (const auto& [name, value] : defaults)
        if (!params.contains(name)) params.emplace(name, value);
    call.arguments = &call.with_defaults;
}

MethodOutcome ServerEngine::call_extension_method(const NewCall& call) {
    const MethodEntry& entry = *call->extension_method;
    read_method_params(*call, entry.defaults);
    const auto violations = entry.input->check(*call->arguments, limits_.max_violations, "params");
    if (!violations.empty()) {
        call->state_.rare().reason = "Invalid params: " + places(violations);
        return Error{code::invalid_params, "Invalid params: " + sentence(violations)};
    }
    set_name(*call, entry.name);
    // The call outlives the job: see Job.
    return RunHandler{
        entry.placement, entry.time.value_or(limits_.handler_time),
        [call = call.get(), settings = settings_.get()](Context& context, Reply<HandlerResult> reply) {
            call->extension_method->handler(
                context, *call->arguments,
                make_reply<json::object>([settings, reply = std::move(reply)](Result<json::object> outcome) mutable {
                    std::move(reply).send(finish_method(std::move(outcome), *settings));
                }));
        }};
}

}  // namespace tenon::core
