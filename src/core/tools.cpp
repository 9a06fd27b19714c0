#include "core/server_engine.hpp"
#include "core/tool_result.hpp"
#include "json/reader.hpp"

namespace tenon::core {
namespace {

json::value with_defaults(const json::object* given, const json::object& defaults) {
    json::object out = given ? *given : json::object();
    for (const auto& [name, value] : defaults)
        if (!out.contains(name)) out.emplace(name, value);
    return out;
}

std::string sentence(const std::vector<schema::Violation>& violations) {
    std::string out;
    for (const auto& v : violations) out += (out.empty() ? "" : "; ") + v.message;
    return out;
}

}  // namespace

void ServerEngine::call_tool(const CallPtr& call, json::object& params) {
    json::Reader r(params, "params");
    const std::string name = r.string("name");
    const json::object* given = r.optional_object("arguments");
    if (!r.ok()) return answer(call, r.error());
    const auto entry = features().tools.find(name);
    if (!entry) return answer(call, Error{code::invalid_params, "Unknown tool: " + quote(name)});

    json::value arguments = with_defaults(given, entry->defaults);
    if (!entry->input->accepts(arguments)) {
        const std::string why =
            "Invalid arguments: " + sentence(entry->input->check(arguments, limits_.max_violations, "arguments"));
        if (call->peer->rules.has(protocol::Trait::input_errors_in_result))
            return answer(call, encode_tool_error(why, call->peer->rules));
        return answer(call, Error{code::invalid_params, why});
    }
    call->name = entry->definition.name;
    call->for_users = true;
    auto terms = task_terms(*call, *entry, params);
    if (!terms) return answer(call, terms.error());
    auto job = [entry, settings = settings_, rules = call->peer->rules, arguments = std::move(arguments.get_object())](
                   Context context, Reply<Answer> reply) mutable {
        entry->handler(std::move(context), std::move(arguments),
                       make_reply<ToolResult>(
                           [entry, settings, rules, reply = std::move(reply)](Result<ToolResult> outcome) mutable {
                               std::move(reply).send(finish_tool(*entry, *settings, rules, std::move(outcome)));
                           }));
    };
    call->task_terms = *std::move(terms);
    const bool at_once = call->peer->rules.has(protocol::Trait::handshake) || entry->task_start == TaskStart::at_once;
    if (call->task_terms && at_once) {
        actions_.push_back(RunTask{Run{call, entry->placement, std::move(job)}});
        return;
    }
    run(call, entry->placement, entry->time.value_or(limits_.handler_time), std::move(job));
}

}  // namespace tenon::core
