#include "core/server/tool_result.hpp"

#include "core/server/redaction.hpp"
#include "protocol/url_elicitation.hpp"

namespace tenon::core {

using protocol::Trait;

namespace {

// Returns whether the client must get this error as a JSON-RPC error, not as a result with `isError`.
bool is_protocol_error(int code, const protocol::Rules& rules) {
    return protocol::is_url_elicitation_error(code, rules) || code == code::missing_capability;
}

// Returns what is wrong with the structured content of a result, or an empty string.
std::string output_violation(const ToolEntry& entry, const Settings& settings, const protocol::Rules& rules,
                             const ToolResult& result) {
    if (result.isError) return {};
    if (!result.structuredContent) return entry.output ? "it returned no structuredContent" : "";
    const bool any_value =
        rules.has(Trait::structured_any_value) ||
        (entry.definition.outputSchema && !protocol::describes_object(*entry.definition.outputSchema));
    if (!result.structuredContent->is_object() && !any_value) return "its structuredContent is not an object";
    if (!entry.output || entry.output->accepts(*result.structuredContent)) return {};
    const auto violations =
        entry.output->check(*result.structuredContent, settings.limits.max_violations, "structuredContent");
    return violations.empty() ? "its structuredContent does not fit" : violations.front().message;
}

// Estimates the size of the encoded result. The estimate is good when its texts need no escapes.
std::size_t room_for(const ToolResult& result) {
    std::size_t bytes = jsonrpc::room_for_envelope;
    for (const Content& content : result.content)
        if (const auto* text = std::get_if<TextContent>(&content)) bytes += text->text.size() + 64;
    return bytes;
}

Result<HandlerResult> finish_tool(const ToolEntry& entry, const Settings& settings, const protocol::Rules& rules,
                                  Result<ToolResult>&& outcome) {
    if (!outcome) {
        const Error error = redacted(outcome.error(), settings);
        if (detail::is_replayed(error)) return error;
        if (error.kind == detail::ErrorKind::protocol || is_protocol_error(error.code, rules)) return error;
        outcome = tool_error(error.message);
    }
    const std::string wrong = output_violation(entry, settings, rules, *outcome);
    if (!wrong.empty()) {
        const std::string message = "the tool `" + entry.definition.name + "` broke its own output schema: " + wrong;
        if (!rules.has(Trait::input_errors_in_result)) return Error{code::internal_error, "Internal error: " + message};
        outcome = tool_error(message);
    }
    Redaction(settings).apply(*outcome);
    Encoded result;
    result.json.reserve(room_for(*outcome));
    json::Writer w(result.json);
    w.neutralise(settings.neutralise_control_characters);
    protocol::write(w, *outcome, rules);
    HandlerResult answer(std::move(result), std::move(outcome->meta));
    answer.says_error = outcome->isError;
    return answer;
}

}  // namespace

Encoded encode_tool_error(std::string message, const protocol::Rules& rules) {
    return protocol::encode(tool_error(std::move(message)), rules);
}

Reply<ToolResult> tool_reply(const Call& call, const Settings& settings, Reply<HandlerResult> reply) {
    return make_reply<ToolResult>([&call, &settings, reply = std::move(reply)](Result<ToolResult>&& outcome) mutable {
        std::move(reply).send(finish_tool(*call.tool, settings, call.peer->rules, std::move(outcome)));
    });
}

}  // namespace tenon::core
