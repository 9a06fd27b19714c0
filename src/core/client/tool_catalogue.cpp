#include "core/client/tool_catalogue.hpp"

#include <algorithm>

#include "json/find.hpp"
#include "json/weight.hpp"

namespace tenon::core {
namespace {

const json::value* value_at(const json::object& arguments, const std::vector<std::string>& path) {
    const json::value* v = nullptr;
    const json::object* o = &arguments;
    for (const std::string& key : path) {
        v = o ? o->if_contains(key) : nullptr;
        o = v ? v->if_object() : nullptr;
    }
    return v;
}

Error breaks(std::string_view tool, std::string_view how) {
    return {code::invalid_answer,
            "the result of the tool `" + std::string(tool) + "` breaks its output schema: " + std::string(how)};
}

}  // namespace

std::vector<std::string> ToolCatalogue::learn(json::value& result, bool mirrors) {
    std::vector<std::string> notes;
    json::object* o = result.if_object();
    json::value* list = o ? o->if_contains("tools") : nullptr;
    json::array* tools = list ? list->if_array() : nullptr;
    if (!tools) return notes;  // protocol::read_tools() reports this error
    json::array kept(tools->storage());
    std::size_t forgotten = 0;
    for (json::value& tool : *tools) {
        const json::object* definition = tool.if_object();
        const json::value* name = definition ? definition->if_contains("name") : nullptr;
        if (name && name->is_string()) {
            Entry entry;
            if (const auto* output = json::find_object(*definition, "outputSchema")) entry.output = *output;
            const auto* input = json::find_object(*definition, "inputSchema");
            if (mirrors && input) {
                auto found = mirrored_parameters(*input);
                if (!found) {
                    notes.push_back("the tool `" + std::string(name->get_string()) +
                                    "` is left out: " + found.error().message);
                    continue;
                }
                entry.mirrored = *std::move(found);
            }
            if (!remember(std::string(name->get_string()), std::move(entry))) ++forgotten;
        }
        kept.push_back(std::move(tool));
    }
    *tools = std::move(kept);
    if (forgotten > 0)
        notes.push_back("the results of " + std::to_string(forgotten) +
                        " tools are not checked: their schemas do not fit into ClientLimits::max_tools and "
                        "ClientLimits::max_tool_bytes");
    return notes;
}

bool ToolCatalogue::remember(std::string name, Entry entry) {
    entry.bytes = name.size() + sizeof(Entry) + (entry.output ? json::weight(*entry.output) : 0);
    for (const MirroredParameter& parameter : entry.mirrored) entry.bytes += parameter.weight();
    if (const auto old = tools_.find(name); old != tools_.end()) {
        bytes_ -= old->second.bytes;
        tools_.erase(old);
    }
    if (tools_.size() >= limits_.max_tools || bytes_ + entry.bytes > limits_.max_tool_bytes) return false;
    bytes_ += entry.bytes;
    tools_.emplace(std::move(name), std::move(entry));
    return true;
}

const Result<schema::Schema>& ToolCatalogue::compiled(Entry& entry) const {
    if (!entry.compiled) entry.compiled = schema::Schema::compile(*entry.output);
    return *entry.compiled;
}

Result<void> ToolCatalogue::check(std::string_view tool, const json::value& result) {
    const auto found = tools_.find(tool);
    const json::object* o = result.if_object();
    if (found == tools_.end() || !found->second.output || !o) return {};
    const json::value* failed = o->if_contains("isError");
    if (failed && failed->is_bool() && failed->get_bool()) return {};
    const json::value* structured = o->if_contains("structuredContent");
    if (!structured) return breaks(tool, "it has no structuredContent");
    const auto& schema = compiled(found->second);
    if (!schema) return breaks(tool, "the schema itself cannot be used: " + schema.error().message);
    if (schema->accepts(*structured)) return {};
    const auto violations = schema->check(*structured, limits_.max_violations, "structuredContent");
    return breaks(tool, violations.empty() ? "it does not fit" : violations.front().message);
}

std::vector<std::pair<std::string, json::value>> ToolCatalogue::mirrored(std::string_view tool,
                                                                         const json::object& arguments) const {
    std::vector<std::pair<std::string, json::value>> out;
    const auto found = tools_.find(tool);
    if (found == tools_.end()) return out;
    for (const MirroredParameter& parameter : found->second.mirrored) {
        const json::value* v = value_at(arguments, parameter.path);
        if (v && !v->is_null() && !v->is_structured()) out.emplace_back(parameter.header, *v);
    }
    return out;
}

}  // namespace tenon::core
