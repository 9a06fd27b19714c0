// Parameters of a tool that HTTP clients repeat in a header (`x-mcp-header`). Proxies and gateways can then route a
// call without reading its body.
#pragma once

#include <string>
#include <vector>

#include <tenon/json.hpp>

namespace tenon::core {

struct MirroredParameter {
    std::string header;             ///< the full name: "Mcp-Param-Region"
    std::vector<std::string> path;  ///< the keys that lead to the value in the arguments

    /// Returns roughly how many bytes this object occupies.
    std::size_t weight() const {
        std::size_t sum = sizeof(*this) + header.size();
        for (const std::string& key : path) sum += sizeof(key) + key.size();
        return sum;
    }
    friend bool operator==(const MirroredParameter&, const MirroredParameter&) = default;
};

/// Returns the parameters that an input schema annotates with `x-mcp-header`, in the order of the schema.
///
/// Returns an error for an annotation that makes clients refuse the tool: a header name that is not an HTTP token or is
/// used twice, a type that a header cannot carry, or a property without a fixed path.
Result<std::vector<MirroredParameter>> mirrored_parameters(const json::object& input_schema);

}  // namespace tenon::core
