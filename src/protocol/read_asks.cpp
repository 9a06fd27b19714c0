// Reads questions and notifications of a server.
#include "protocol/read_parts.hpp"
#include "protocol/read_server.hpp"

namespace tenon::protocol {
namespace {

SamplingContent read_tool_answer(Part& r) {
    ToolUseResult out;
    out.toolUseId = r.string("toolUseId");
    out.content = r.optional_list("content", read_content);
    if (const json::value* v = r.members().if_contains("structuredContent")) out.structuredContent = *v;
    out.isError = r.optional_boolean("isError").value_or(false);
    return out;
}

SamplingContent read_message_block(const json::value& v, const std::string& path, Problem& problem) {
    Part r(v, path, problem);
    const std::string type = r.string("type");
    if (type == "text") return TextContent{r.string("text")};
    if (type == "image") return ImageContent{r.base64("data"), r.string("mimeType")};
    if (type == "audio") return AudioContent{r.base64("data"), r.string("mimeType")};
    if (type == "tool_use") return ToolUse{r.string("id"), r.string("name"), r.object("input")};
    if (type == "tool_result") return read_tool_answer(r);
    if (r.ok()) r.complain("type", "text, image, audio, tool_use or tool_result");
    return TextContent{};
}

SamplingMessage read_message(const json::value& v, const std::string& path, Problem& problem) {
    Part r(v, path, problem);
    SamplingMessage out{r.role("role"), {}};
    const json::value* content = r.members().if_contains("content");
    if (content && content->is_array()) {
        out.content = r.list("content", read_message_block);
    } else if (content) {
        out.content.push_back(read_message_block(*content, r.path("content"), problem));
    } else {
        r.object("content");
    }
    return out;
}

ModelPreferences read_preferences(const json::object& o, Problem& problem) {
    Part r(o, "params.modelPreferences", problem);
    ModelPreferences out;
    out.hints = r.optional_list("hints", [](const json::value& v, const std::string& path, Problem& p) {
        return Part(v, path, p).text("name");
    });
    out.costPriority = r.optional_number("costPriority");
    out.speedPriority = r.optional_number("speedPriority");
    out.intelligencePriority = r.optional_number("intelligencePriority");
    return out;
}

}  // namespace

bool asks_for_page(const json::object& params) {
    const json::value* mode = params.if_contains("mode");
    return mode && *mode == json::value("url");
}

Result<ElicitRequest> read_elicit_request(const json::object& params) {
    return read_params(params, [](Part& r) {
        if (r.optional_string("mode").value_or("form") != "form") r.complain("mode", "form or url");
        return ElicitRequest{r.string("message"), r.object("requestedSchema"), r.meta()};
    });
}

Result<ElicitUrlRequest> read_elicit_url_request(const json::object& params) {
    return read_params(params, [](Part& r) {
        return ElicitUrlRequest{r.string("message"), r.string("url"), r.text("elicitationId"), r.meta()};
    });
}

Result<SampleRequest> read_sample_request(const json::object& params) {
    return read_params(params, [](Part& r) {
        SampleRequest out;
        out.messages = r.list("messages", read_message);
        const auto max_tokens = r.optional_number("maxTokens");
        if (!max_tokens || *max_tokens < 1 || *max_tokens > 1e15) {
            r.complain("maxTokens", "a positive number");
        } else {
            out.maxTokens = static_cast<std::int64_t>(*max_tokens);
        }
        out.systemPrompt = r.text("systemPrompt");
        out.temperature = r.optional_number("temperature");
        out.stopSequences = r.strings("stopSequences");
        if (const json::object* p = r.optional_object("modelPreferences"))
            out.modelPreferences = read_preferences(*p, r.problem());
        out.includeContext = r.text("includeContext");
        if (const json::object* metadata = r.optional_object("metadata")) out.metadata = *metadata;
        out.tools = r.optional_list("tools", read_tool);
        if (const json::object* choice = r.optional_object("toolChoice"))
            out.toolChoice = Part(*choice, r.path("toolChoice"), r.problem()).text("mode");
        return out;
    });
}

Result<LogMessage> read_log_message(const json::object& params) {
    return read_params(params, [](Part& r) {
        LogMessage out;
        const auto level = log_level(r.string("level"));
        if (!level) r.complain("level", "a log level, from debug to emergency");
        out.level = level.value_or(LogLevel::info);
        out.logger = r.text("logger");
        if (const json::value* data = r.members().if_contains("data")) out.data = *data;
        return out;
    });
}

Result<Progress> read_progress(const json::object& params) {
    return read_params(params, [](Part& r) {
        Progress out;
        const auto done = r.optional_number("progress");
        if (!done) r.complain("progress", "a number");
        out.progress = done.value_or(0);
        out.total = r.optional_number("total");
        out.message = r.text("message");
        return out;
    });
}

}  // namespace tenon::protocol
