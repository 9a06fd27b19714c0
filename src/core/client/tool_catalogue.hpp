// Stores facts about tools from tools/list: the schemas of their results, the arguments to repeat in headers,
// and whether calls are tasks.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/client_options.hpp>
#include <tenon/protocol/tasks.hpp>

#include "core/client/output_schema.hpp"
#include "core/mirrored_parameters.hpp"

namespace tenon::core {

class ToolCatalogue {
 public:
    explicit ToolCatalogue(const ClientLimits& limits) : limits_(limits) {}

    /// Learns from a result of tools/list. When `mirrors` is set, removes tools with invalid header annotations from
    /// the result. Returns lines for the log: one for each removed tool, and one about tools that exceed the limits.
    std::vector<std::string> learn(json::value& result, bool mirrors);

    bool knows(std::string_view tool) const { return tools_.find(tool) != tools_.end(); }
    /// Returns whether calls of the tool are tasks; `forbidden` for an unknown tool.
    TaskSupport task_of(std::string_view tool) const;
    void clear() { tools_.clear(), bytes_ = 0; }

    /// Returns the output schema of the tool. Returns null if the tool is unknown or declares no output schema.
    OutputSchemaPtr output_of(std::string_view tool) const;

    /// Returns the headers of a call: names, and the values of the arguments that they repeat.
    std::vector<std::pair<std::string, json::value>> mirrored(std::string_view tool,
                                                              const json::object& arguments) const;

 private:
    struct Entry {
        OutputSchemaPtr output = {};
        std::vector<MirroredParameter> mirrored = {};
        TaskSupport task = TaskSupport::forbidden;
        std::size_t bytes = 0;  // of the whole entry
    };
    bool remember(std::string name, Entry entry);  // returns false when it exceeds the limits

    const ClientLimits& limits_;
    std::map<std::string, Entry, std::less<>> tools_;  // not a hash table: the server could choose names that collide
    std::size_t bytes_ = 0;                            // of tools_
};

}  // namespace tenon::core
