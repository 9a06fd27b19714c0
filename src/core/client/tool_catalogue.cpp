#include "core/client/tool_catalogue.hpp"

#include <algorithm>

#include "json/find.hpp"
#include "json/weight.hpp"
#include "protocol/read_task.hpp"

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
            if (const auto* output = json::find_object(*definition, "outputSchema")) {
                entry.bytes = json::weight(*output);
                entry.output =
                    std::make_shared<OutputSchema>(std::string(name->get_string()), *output, limits_.max_violations);
            }
            if (const auto* execution = json::find_object(*definition, "execution"))
                entry.task = protocol::task_support(*execution);
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
    entry.bytes += name.size() + sizeof(Entry);
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

TaskSupport ToolCatalogue::task_of(std::string_view tool) const {
    const auto found = tools_.find(tool);
    return found == tools_.end() ? TaskSupport::forbidden : found->second.task;
}

OutputSchemaPtr ToolCatalogue::output_of(std::string_view tool) const {
    const auto found = tools_.find(tool);
    return found == tools_.end() ? nullptr : found->second.output;
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
