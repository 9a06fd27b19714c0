// Reads lists, results and introductions of a server.
#include "protocol/read_server.hpp"

#include <algorithm>

#include "protocol/meta_keys.hpp"
#include "protocol/read_parts.hpp"
#include "protocol/read_task.hpp"

namespace tenon {

bool ServerCapabilities::has_extension(std::string_view name) const {
    const json::value* all = raw.if_contains("extensions");
    const json::object* extensions = all ? all->if_object() : nullptr;
    const json::value* settings = extensions ? extensions->if_contains(name) : nullptr;
    return settings && settings->is_object();
}

}  // namespace tenon

namespace tenon::protocol {
namespace {

ToolAnnotations read_tool_annotations(const json::object& o, const std::string& path, Problem& problem) {
    Part r(o, path, problem);
    return {r.text("title"), r.optional_boolean("readOnlyHint"), r.optional_boolean("destructiveHint"),
            r.optional_boolean("idempotentHint"), r.optional_boolean("openWorldHint")};
}

TaskSupport read_task_support(Part& tool) {
    const json::object* execution = tool.optional_object("execution");
    return execution ? task_support(*execution) : TaskSupport::forbidden;
}

Resource read_resource(const json::value& v, const std::string& path, Problem& problem) {
    Part r(v, path, problem);
    return {r.string("uri"),       r.string("name"),   r.text("title"),
            r.text("description"), r.text("mimeType"), r.optional_size("size"),
            read_annotations(r),   read_icons(r),      r.meta()};
}

ResourceTemplate read_template(const json::value& v, const std::string& path, Problem& problem) {
    Part r(v, path, problem);
    return {r.string("uriTemplate"), r.string("name"),    r.text("title"), r.text("description"),
            r.text("mimeType"),      read_annotations(r), read_icons(r),   r.meta()};
}

PromptArgument read_prompt_argument(const json::value& v, const std::string& path, Problem& problem) {
    Part r(v, path, problem);
    return {r.string("name"), r.text("description"), r.optional_boolean("required").value_or(false), r.text("title")};
}

Prompt read_prompt(const json::value& v, const std::string& path, Problem& problem) {
    Part r(v, path, problem);
    return {r.string("name"), r.text("description"), r.optional_list("arguments", read_prompt_argument),
            r.text("title"),  read_icons(r),         r.meta()};
}

PromptMessage read_prompt_message(const json::value& v, const std::string& path, Problem& problem) {
    Part r(v, path, problem);
    const json::value* content = r.members().if_contains("content");
    if (!content) r.object("content");
    return {r.role("role"), content ? read_content(*content, r.path("content"), problem) : TextContent{}};
}

template <class F>
auto read_page(const json::value& result, std::string_view member, F read) {
    return read_answer(result, [&](Part& r) {
        Page<decltype(read(result, "", std::declval<Problem&>()))> page;
        page.items = r.list(member, read);
        page.nextCursor = r.optional_string("nextCursor");
        return page;
    });
}

bool declares(const json::object& capabilities, std::string_view name, std::string_view part = {}) {
    const json::value* v = capabilities.if_contains(name);
    const json::object* o = v ? v->if_object() : nullptr;
    if (!o || part.empty()) return o != nullptr;
    const json::value* flag = o->if_contains(part);
    return flag && flag->is_bool() && flag->get_bool();
}

}  // namespace

Tool read_tool(const json::value& v, const std::string& path, Problem& problem) {
    Part r(v, path, problem);
    Tool out;
    out.name = r.string("name");
    out.description = r.text("description");
    out.inputSchema = r.object("inputSchema");
    if (const json::object* output = r.optional_object("outputSchema")) out.outputSchema = *output;
    out.title = r.text("title");
    if (const json::object* hints = r.optional_object("annotations"))
        out.annotations = read_tool_annotations(*hints, r.path("annotations"), problem);
    out.icons = read_icons(r);
    out.meta = r.meta();
    out.task = read_task_support(r);
    return out;
}

Result<Page<Tool>> read_tools(const json::value& result) { return read_page(result, "tools", read_tool); }
Result<Page<Resource>> read_resources(const json::value& result) {
    return read_page(result, "resources", read_resource);
}
Result<Page<ResourceTemplate>> read_resource_templates(const json::value& result) {
    return read_page(result, "resourceTemplates", read_template);
}
Result<Page<Prompt>> read_prompts(const json::value& result) { return read_page(result, "prompts", read_prompt); }

Result<ToolResult> read_tool_result(const json::value& result) {
    return read_answer(result, [](Part& r) {
        ToolResult out;
        // Some servers omit `content` when there is structured content.
        out.content = r.members().contains("structuredContent") ? r.optional_list("content", read_content)
                                                                : r.list("content", read_content);
        if (const json::value* v = r.members().if_contains("structuredContent")) out.structuredContent = *v;
        out.isError = r.optional_boolean("isError").value_or(false);
        out.meta = r.meta();
        return out;
    });
}

Result<ReadResult> read_read_result(const json::value& result) {
    return read_answer(result, [](Part& r) {
        ReadResult out;
        out.contents = r.list("contents", read_resource_contents);
        if (r.members().contains("ttlMs")) out.cache = read_cache_hints(r.members());
        out.meta = r.meta();
        return out;
    });
}

Result<PromptResult> read_prompt_result(const json::value& result) {
    return read_answer(result, [](Part& r) {
        return PromptResult{r.text("description"), r.list("messages", read_prompt_message), r.meta()};
    });
}

Result<Completion> read_completion(const json::value& result) {
    return read_answer(result, [](Part& r) {
        Part c(r.object("completion"), r.path("completion"), r.problem());
        c.array("values");
        return Completion{c.strings("values"), c.optional_size("total"), c.optional_boolean("hasMore").value_or(false)};
    });
}

ServerCapabilities read_server_capabilities(const json::object& c) {
    ServerCapabilities out;
    out.tools = declares(c, "tools");
    out.tools_list_changed = declares(c, "tools", "listChanged");
    out.resources = declares(c, "resources");
    out.resources_list_changed = declares(c, "resources", "listChanged");
    out.resources_subscribe = declares(c, "resources", "subscribe");
    out.prompts = declares(c, "prompts");
    out.prompts_list_changed = declares(c, "prompts", "listChanged");
    out.completions = declares(c, "completions");
    out.logging = declares(c, "logging");
    out.raw = c;
    out.tasks = declares(c, "tasks") || out.has_extension("io.modelcontextprotocol/tasks");
    return out;
}

Result<ServerInfo> read_introduction(const json::value& result) {
    return read_answer(result, [](Part& r) {
        ServerInfo out;
        out.protocolVersion = r.string("protocolVersion");
        out.capabilities = read_server_capabilities(r.object("capabilities"));
        out.info = read_implementation(r.object("serverInfo"), r.path("serverInfo"), r.problem());
        out.instructions = r.text("instructions");
        return out;
    });
}

Result<ServerInfo> read_discovery(const json::value& result) {
    return read_answer(result, [](Part& r) {
        ServerInfo out;
        r.array("supportedVersions");
        out.supportedVersions = r.strings("supportedVersions");
        out.capabilities = read_server_capabilities(r.object("capabilities"));
        out.instructions = r.text("instructions");
        const json::object meta = r.meta();
        if (const json::value* who = meta.if_contains(meta_key::server_info))
            out.info = read_implementation(*who, "result._meta." + std::string(meta_key::server_info), r.problem());
        return out;
    });
}

CacheHints read_cache_hints(const json::object& result) {
    const json::value* ttl = result.if_contains("ttlMs");
    const json::value* scope = result.if_contains("cacheScope");
    CacheHints out;
    constexpr double longest = 1e15;
    if (ttl && ttl->is_number())
        out.ttl =
            std::chrono::milliseconds(static_cast<std::int64_t>(std::clamp(ttl->to_number<double>(), 0.0, longest)));
    out.shared = scope && *scope == json::value("public");
    return out;
}

}  // namespace tenon::protocol
