#include <algorithm>

#include "core/server/apps.hpp"
#include "core/server/engine.hpp"
#include "core/server/tool_result.hpp"
#include "core/server/violations.hpp"
#include "json/reader.hpp"

namespace tenon::core {
namespace {

// Returns the arguments of the call. Copies them only when defaults must be added.
const json::value& with_defaults(Call& call, const json::object& defaults) {
    static const json::value none = json::object();
    const json::value* found = call.params.if_contains("arguments");
    const json::value& given = found ? *found : none;
    const auto is_given = [&](const auto& d) { return given.get_object().contains(d.key()); };
    if (std::ranges::all_of(defaults, is_given)) return given;
    json::object& out = call.with_defaults.emplace_object();
    out = given.get_object();
    for (const auto& [name, value] : defaults)
        if (!out.contains(name)) out.emplace(name, value);
    return call.with_defaults;
}

}  // namespace

MethodOutcome ServerEngine::refuse_arguments(const Call& call, const std::vector<schema::Violation>& violations) {
    const std::string why = "Invalid arguments: " + sentence(violations);
    call.state_.rare().reason = "Invalid arguments: " + places(violations);
    if (!call.peer->rules.has(protocol::Trait::input_errors_in_result)) return Error{code::invalid_params, why};
    HandlerResult result(encode_tool_error(why, call.peer->rules));
    result.says_error = true;
    return result;
}

MethodOutcome ServerEngine::call_tool(const NewCall& call, const json::object& params) {
    json::Reader r(params, "params");
    const std::string name = r.string("name");
    r.optional_object("arguments");
    if (!r.ok()) return r.error();
    call->tool = features().tools.find(name);
    const ToolEntry* entry = call->tool.get();
    if (!entry || !may_see(*entry, call->peer->capabilities))
        return Error{code::invalid_params, "Unknown tool: " + quote(name)};

    call->known_name = true;
    const json::value& arguments = with_defaults(*call, entry->defaults);
    call->arguments = &arguments;
    if (!entry->input->accepts(arguments))
        return refuse_arguments(*call, entry->input->check(arguments, limits_.max_violations, "arguments"));
    set_name(*call, entry->definition.name);
    auto terms = task_methods_.terms(*call, *entry);
    if (!terms) return terms.error();
    // Captures plain pointers, so that std::function needs no allocation. The call and the settings outlive the job.
    Job job = [call = call.get(), settings = settings_.get()](Context& context, Reply<HandlerResult> reply) {
        call->tool->handler(context, *call->arguments, tool_reply(*call, *settings, std::move(reply)));
    };
    call->task_terms = *std::move(terms);
    const bool at_once = call->peer->rules.is_legacy() || entry->task_start == TaskStart::at_once;
    if (call->task_terms && at_once) {
        if (!settings_->tasks->is_shared()) {
            if (call->state_.runs) running_.erase(call->id);  // a task has limits of its own
            call->state_.runs = false;
        } else if (!call->state_.runs) {  // until the store has the task, the request can be cancelled
            if (auto ok = may_run(*call); !ok) return ok.error();
            keep_running(call, limits_.handler_time);
        }
        call->state_.handled = true;
        actions_.push_back(RunTask{Run{call, entry->placement, std::move(job), std::move(call->state_.reply)}});
        return StaysOpen{};
    }
    return RunHandler{entry->placement, entry->time.value_or(limits_.handler_time), std::move(job)};
}

}  // namespace tenon::core
