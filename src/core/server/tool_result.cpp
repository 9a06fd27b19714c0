#include "core/server/tool_result.hpp"

#include "base/utf8.hpp"
#include "core/server/url_elicitation.hpp"

namespace tenon::core {

using protocol::Trait;

namespace {

// Returns whether the client must get this error as a JSON-RPC error, not as a result with `isError`.
bool is_protocol_error(int code, const protocol::Rules& rules) {
    if (code == code::url_elicitation_required) return has_url_elicitation_error(rules);
    return code == code::missing_capability;
}

// Returns what is wrong with the structured content of a result, or an empty string.
std::string output_violation(const ToolEntry& entry, const Settings& settings, const protocol::Rules& rules,
                             const ToolResult& result) {
    if (result.isError) return {};
    if (!result.structuredContent) return entry.output ? "it returned no structuredContent" : "";
    if (!result.structuredContent->is_object() && !rules.has(Trait::structured_any_value))
        return "its structuredContent is not an object";
    if (!entry.output || entry.output->accepts(*result.structuredContent)) return {};
    const auto violations =
        entry.output->check(*result.structuredContent, settings.limits.max_violations, "structuredContent");
    return violations.empty() ? "its structuredContent does not fit" : violations.front().message;
}

bool second_of_c1(char c) { return static_cast<unsigned char>(c) >= 0x80 && static_cast<unsigned char>(c) <= 0x9f; }

// Replaces control characters, including terminal escapes, by visible characters. Tab and newline stay.
void neutralise(std::string& s) {
    std::string out;
    out.reserve(s.size());
    for (std::size_t i = 0; i < s.size(); ++i) {
        const char c = s[i];
        const auto u = static_cast<unsigned char>(c);
        if (u < 0x20 && c != '\n' && c != '\t') {
            out += {'\xE2', '\x90', static_cast<char>(0x80 + u)};  // U+2400 and following: the symbols for them
        } else if (u == 0x7f) {
            out += "\u2421";
        } else if (u == 0xC2 && i + 1 < s.size() && second_of_c1(s[i + 1])) {
            out += "\uFFFD";  // U+0080 to U+009F have no symbols; U+009B starts a terminal escape, like ESC [
            ++i;
        } else {
            out += c;
        }
    }
    s = std::move(out);
}

void clean(std::string& s, const Settings& settings) {
    if (settings.redact) {
        try {
            settings.redact(s);
        } catch (...) {
            s = "[the redaction failed]";  // never send text that could not be redacted
        }
    }
    if (settings.neutralise_control_characters) neutralise(s);
}

void clean(json::value& v, const Settings& settings) {
    if (auto* s = v.if_string()) {
        std::string text(*s);
        clean(text, settings);
        *s = text;
    } else if (auto* o = v.if_object()) {
        for (auto& member : *o) clean(member.value(), settings);
    } else if (auto* a = v.if_array()) {
        for (auto& element : *a) clean(element, settings);
    }
}

void clean(ToolResult& result, const Settings& settings) {
    if (!settings.redact && !settings.neutralise_control_characters) return;
    for (Content& content : result.content) {
        if (auto* text = std::get_if<TextContent>(&content)) clean(text->text, settings);
        if (auto* resource = std::get_if<EmbeddedResource>(&content)) clean(resource->resource.text, settings);
    }
    if (result.structuredContent) clean(*result.structuredContent, settings);
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
        const Error error = outcome.error();
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
    clean(*outcome, settings);
    Encoded result;
    result.json.reserve(room_for(*outcome));
    json::Writer w(result.json);
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
