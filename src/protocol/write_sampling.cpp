#include "protocol/write_parts.hpp"

namespace tenon::protocol {

void write_block(Writer& w, const SamplingContent& block, const Rules& rules) {
    if (const auto* use = std::get_if<ToolUse>(&block)) {
        w.begin_object();
        w.field("type", "tool_use");
        w.field("id", use->id);
        w.field("name", use->name);
        w.field("input", use->input);
        w.end_object();
    } else if (const auto* result = std::get_if<ToolUseResult>(&block)) {
        w.begin_object();
        w.field("type", "tool_result");
        w.field("toolUseId", result->toolUseId);
        write_list(w, "content", result->content, rules);
        write_optional(w, "structuredContent", result->structuredContent);
        if (result->isError) w.field("isError", true);
        w.end_object();
    } else if (const auto* text = std::get_if<TextContent>(&block)) {
        write(w, Content(*text), rules);
    } else if (const auto* image = std::get_if<ImageContent>(&block)) {
        write(w, Content(*image), rules);
    } else {
        write(w, Content(std::get<AudioContent>(block)), rules);
    }
}

namespace {

// In revisions with only one block for each message, every block becomes a message, so that nothing is lost.
void write_message(Writer& w, const SamplingMessage& m, const Rules& rules) {
    const bool many = m.content.size() != 1;
    if (many && rules.has(Trait::sampling_tools)) {
        w.begin_object();
        w.field("role", to_string(m.role));
        w.key("content");
        w.begin_array();
        for (const auto& block : m.content) write_block(w, block, rules);
        w.end_array();
        w.end_object();
        return;
    }
    for (const auto& block : m.content) {
        w.begin_object();
        w.field("role", to_string(m.role));
        w.key("content");
        write_block(w, block, rules);
        w.end_object();
    }
}

void write_preferences(Writer& w, const ModelPreferences& p) {
    w.key("modelPreferences");
    w.begin_object();
    if (!p.hints.empty()) {
        w.key("hints");
        w.begin_array();
        for (const std::string& hint : p.hints) {
            w.begin_object();
            w.field("name", hint);
            w.end_object();
        }
        w.end_array();
    }
    write_optional(w, "costPriority", p.costPriority);
    write_optional(w, "speedPriority", p.speedPriority);
    write_optional(w, "intelligencePriority", p.intelligencePriority);
    w.end_object();
}

void write_tools(Writer& w, const SampleRequest& v, const Rules& rules) {
    if (v.tools.empty() || !rules.has(Trait::sampling_tools)) return;
    write_list(w, "tools", v.tools, rules);
    if (v.toolChoice.empty()) return;
    w.key("toolChoice");
    w.begin_object();
    w.field("mode", v.toolChoice);
    w.end_object();
}

}  // namespace

void write(Writer& w, const SampleRequest& v, const Rules& rules) {
    w.begin_object();
    w.key("messages");
    w.begin_array();
    for (const SamplingMessage& m : v.messages) write_message(w, m, rules);
    w.end_array();
    if (v.modelPreferences) write_preferences(w, *v.modelPreferences);
    write_optional(w, "systemPrompt", v.systemPrompt);
    write_optional(w, "includeContext", v.includeContext);
    write_optional(w, "temperature", v.temperature);
    w.field("maxTokens", v.maxTokens);
    if (!v.stopSequences.empty()) {
        w.key("stopSequences");
        w.begin_array();
        for (const std::string& s : v.stopSequences) w.string(s);
        w.end_array();
    }
    if (!v.metadata.empty()) w.field("metadata", v.metadata);
    write_tools(w, v, rules);
    w.end_object();
}

}  // namespace tenon::protocol
