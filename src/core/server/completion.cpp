#include <algorithm>

#include <tenon/context.hpp>

#include "core/server/engine.hpp"
#include "core/server/redaction.hpp"
#include "json/reader.hpp"
#include "protocol/write.hpp"

namespace tenon::core {
namespace {

constexpr std::size_t max_completion_values = 100;  // the limit in the specification

// Drops the values above the limit, and says that there are more.
Completion limited(Completion completion) {
    if (completion.values.size() <= max_completion_values) return completion;
    if (!completion.total) completion.total = completion.values.size();
    completion.hasMore = true;
    completion.values.resize(max_completion_values);
    return completion;
}

// Returns the completer of the argument, or an empty function when the argument exists but has no completions.
Result<CompletionHandler> pick(const Completers& completers, const std::vector<std::string>& names,
                               const std::string& argument) {
    if (const auto it = completers.find(argument); it != completers.end()) return it->second;
    if (std::ranges::find(names, argument) != names.end()) return CompletionHandler();
    return Error{code::invalid_params,
                 "Invalid params: `params.argument.name` must be one of the arguments of `params.ref`"};
}

Result<CompletionHandler> find_completer(const Features& features, json::Reader& ref, const std::string& argument) {
    const std::string type = ref.string("type");
    if (type == "ref/prompt") {
        const auto entry = features.prompts.find(ref.string("name"));
        if (!ref.ok()) return ref.error();
        if (!entry)
            return Error{code::invalid_params, "Invalid params: `params.ref.name` is not a prompt of this server"};
        std::vector<std::string> names;
        for (const auto& a : entry->definition.arguments) names.push_back(a.name);
        return pick(entry->completers, names, argument);
    }
    if (type == "ref/resource") {
        const std::string uri = ref.string("uri");
        if (!ref.ok()) return ref.error();
        if (const auto entry = features.templates.find(uri))
            return pick(entry->completers, entry->pattern->variables(), argument);
        if (features.resources.find(uri)) return CompletionHandler();
        return Error{code::invalid_params,
                     "Invalid params: `params.ref.uri` is not a resource template of this server"};
    }
    ref.complain("type", "ref/prompt or ref/resource");
    return ref.error();
}

std::map<std::string, std::string, std::less<>> read_context(json::Reader& params) {
    std::map<std::string, std::string, std::less<>> out;
    const json::object* context = params.optional_object("context");
    const json::value* arguments = context ? context->if_contains("arguments") : nullptr;
    if (!arguments) return out;
    if (!arguments->is_object()) {
        params.complain("context.arguments", "an object");
        return out;
    }
    for (const auto& [name, value] : arguments->get_object()) {
        if (value.is_string()) {
            out.emplace(std::string(name), std::string(value.get_string()));
        } else {
            params.complain("context.arguments." + std::string(name), "a string");
        }
    }
    return out;
}

}  // namespace

MethodOutcome ServerEngine::complete(const NewCall& call, const json::object& params) {
    json::Reader r(params, "params");
    const json::object& ref = r.object("ref");
    const json::object& argument = r.object("argument");
    CompletionRequest request;
    if (call->peer->rules.has(protocol::Trait::completion_context)) request.context = read_context(r);
    if (!r.ok()) return r.error();

    json::Reader a(argument, "params.argument");
    request.argument = a.string("name");
    request.value = a.string("value");
    if (!a.ok()) return a.error();
    json::Reader f(ref, "params.ref");
    auto completer = find_completer(features(), f, request.argument);
    if (!completer) return completer.error();
    if (!*completer) return protocol::encode(Completion{}, call->peer->rules);

    set_name(*call, f.string(f.string("type") == "ref/prompt" ? "name" : "uri"));  // as in find_completer()
    return RunHandler{Placement::worker, limits_.handler_time,
                      [completer = *std::move(completer), request = std::move(request), rules = call->peer->rules,
                       settings = settings_.get()](Context& context, Reply<HandlerResult> reply) {
                          try {
                              Completion found = limited(completer(context, request));
                              Redaction(*settings).apply(found);
                              std::move(reply).send(HandlerResult{
                                  protocol::encode(found, rules, settings->neutralise_control_characters)});
                          } catch (...) {
                              std::move(reply).send(redacted(detail::thrown_by_handler(context), *settings));
                          }
                      }};
}

}  // namespace tenon::core
