#include <algorithm>

#include "core/server/engine.hpp"
#include "core/server/redaction.hpp"
#include "json/reader.hpp"
#include "protocol/write.hpp"

namespace tenon::core {
namespace {

Result<PromptArguments> read_arguments(const Prompt& prompt, const json::object* given) {
    PromptArguments out;
    static const json::object none;
    json::Reader r(given ? *given : none, "params.arguments");
    for (const PromptArgument& a : prompt.arguments) {
        if (a.required) {
            out[a.name] = r.string(a.name);
        } else if (auto value = r.optional_string(a.name)) {
            out[a.name] = *std::move(value);
        }
    }
    if (given)
        for (const auto& member : *given)
            if (std::ranges::find(prompt.arguments, std::string_view(member.key()), &PromptArgument::name) ==
                prompt.arguments.end())
                r.complain(member.key(), "left out: the prompt `" + prompt.name + "` has no such argument");
    if (!r.ok()) return r.error();
    return out;
}

Result<HandlerResult> finish_prompt(Result<PromptResult> outcome, const protocol::Rules& rules,
                                    const Settings& settings) {
    if (!outcome) return redacted(outcome.error(), settings);
    Redaction(settings).apply(*outcome);
    return HandlerResult{protocol::encode(*outcome, rules, settings.neutralise_control_characters),
                         std::move(outcome->meta)};
}

}  // namespace

MethodOutcome ServerEngine::get_prompt(const NewCall& call, const json::object& params) {
    json::Reader r(params, "params");
    const std::string name = r.string("name");
    const json::object* given = r.optional_object("arguments");
    if (!r.ok()) return r.error();
    const auto entry = features().prompts.find(name);
    if (!entry) return Error{code::invalid_params, "Unknown prompt: " + quote(name)};
    call->known_name = true;
    auto arguments = read_arguments(entry->definition, given);
    if (!arguments) return arguments.error();

    set_name(*call, entry->definition.name);
    return RunHandler{entry->placement, limits_.handler_time,
                      [entry, rules = call->peer->rules, settings = settings_.get(), arguments = *std::move(arguments)](
                          Context& context, Reply<HandlerResult> reply) {
                          entry->handler(context, arguments,
                                         make_reply<PromptResult>([rules, settings, reply = std::move(reply)](
                                                                      Result<PromptResult> outcome) mutable {
                                             std::move(reply).send(finish_prompt(std::move(outcome), rules, *settings));
                                         }));
                      }};
}

}  // namespace tenon::core
