// Parameters of a tool that HTTP clients repeat in a header (`x-mcp-header`), so that what stands between client and
// server can route a call without reading its body.
#pragma once

#include <string>
#include <vector>

#include <tenon/json.hpp>

namespace tenon::core {

struct MirroredParameter {
    std::string header;             ///< the whole name: "Mcp-Param-Region"
    std::vector<std::string> path;  ///< the keys that lead to its value in the arguments

    /// About how many bytes it occupies.
    std::size_t weight() const {
        std::size_t sum = sizeof(*this) + header.size();
        for (const std::string& key : path) sum += sizeof(key) + key.size();
        return sum;
    }
    friend bool operator==(const MirroredParameter&, const MirroredParameter&) = default;
};

/// All that an input schema marks, in its order; or why clients would refuse the tool: a name that is no token or is
/// taken, a type that a header cannot carry, a place that no fixed path leads to.
Result<std::vector<MirroredParameter>> mirrored_parameters(const json::object& input_schema);

}  // namespace tenon::core
