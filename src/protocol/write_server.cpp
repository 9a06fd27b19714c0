// Writes the entries of lists: tools, resources, resource templates and prompts. Writes completions.
#include "protocol/write_parts.hpp"
#include "protocol/write_task.hpp"

namespace tenon::protocol {
namespace {

void write_tool_annotations(Writer& w, const ToolAnnotations& a, const Rules& rules) {
    if (a.empty() || !rules.has(Trait::tool_annotations)) return;
    w.key("annotations");
    w.begin_object();
    write_optional(w, "title", a.title);
    write_optional(w, "readOnlyHint", a.readOnlyHint);
    write_optional(w, "destructiveHint", a.destructiveHint);
    write_optional(w, "idempotentHint", a.idempotentHint);
    write_optional(w, "openWorldHint", a.openWorldHint);
    w.end_object();
}

bool may_list(const json::object& output_schema, const Rules& rules) {
    return rules.has(Trait::structured_content) &&
           (describes_object(output_schema) || rules.has(Trait::structured_any_value));
}

}  // namespace

bool describes_object(const json::object& schema) {
    const json::value* type = schema.if_contains("type");
    return type && type->is_string() && type->get_string() == "object";
}

void write(Writer& w, const Tool& v, const Rules& rules) {
    w.begin_object();
    w.field("name", v.name);
    write_title(w, v.title, rules);
    w.field("description", v.description);
    w.field("inputSchema", v.inputSchema);
    if (v.outputSchema && may_list(*v.outputSchema, rules)) w.field("outputSchema", *v.outputSchema);
    write_tool_annotations(w, v.annotations, rules);
    write_icons(w, v.icons, rules);
    if (v.task != TaskSupport::forbidden && rules.has(Trait::task_requests)) {
        w.key("execution");
        w.begin_object();
        w.field("taskSupport", to_string(v.task));
        w.end_object();
    }
    write_entity_meta(w, v.meta, rules);
    w.end_object();
}

void write(Writer& w, const Resource& v, const Rules& rules) {
    w.begin_object();
    w.field("uri", v.uri);
    w.field("name", v.name);
    write_title(w, v.title, rules);
    write_optional(w, "description", v.description);
    write_optional(w, "mimeType", v.mimeType);
    write_optional(w, "size", v.size);
    write_annotations(w, v.annotations, rules);
    write_icons(w, v.icons, rules);
    write_entity_meta(w, v.meta, rules);
    w.end_object();
}

void write(Writer& w, const ResourceTemplate& v, const Rules& rules) {
    w.begin_object();
    w.field("uriTemplate", v.uriTemplate);
    w.field("name", v.name);
    write_title(w, v.title, rules);
    write_optional(w, "description", v.description);
    write_optional(w, "mimeType", v.mimeType);
    write_annotations(w, v.annotations, rules);
    write_icons(w, v.icons, rules);
    write_entity_meta(w, v.meta, rules);
    w.end_object();
}

void write(Writer& w, const Prompt& v, const Rules& rules) {
    w.begin_object();
    w.field("name", v.name);
    write_title(w, v.title, rules);
    write_optional(w, "description", v.description);
    if (!v.arguments.empty()) {
        w.key("arguments");
        w.begin_array();
        for (const PromptArgument& a : v.arguments) {
            w.begin_object();
            w.field("name", a.name);
            write_title(w, a.title, rules);
            write_optional(w, "description", a.description);
            w.field("required", a.required);
            w.end_object();
        }
        w.end_array();
    }
    write_icons(w, v.icons, rules);
    write_entity_meta(w, v.meta, rules);
    w.end_object();
}

void write(Writer& w, const Completion& v, const Rules&) {
    w.begin_object();
    w.key("completion");
    w.begin_object();
    w.key("values");
    w.begin_array();
    for (const std::string& text : v.values) w.string(text);
    w.end_array();
    w.field("total", v.total.value_or(v.values.size()));
    w.field("hasMore", v.hasMore);
    w.end_object();
    w.end_object();
}

}  // namespace tenon::protocol
