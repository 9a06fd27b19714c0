// A reader for the part of YAML 1.2 that the frontmatter of skills uses.
#pragma once

#include <cstddef>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::skills {

struct YamlLimits {
    std::size_t max_depth = 32;    ///< nesting of lists and mappings
    std::size_t max_nodes = 1000;  ///< values and keys
};

/// Returns the JSON form of one YAML document, in linear time. Reads block and flow lists and mappings, plain and
/// quoted text over several lines, literal (|) and folded (>) text, comments, and the types of the core schema.
///
/// Refuses, with the number of the line: anchors, aliases, tags, directives, merge keys, keys that are not text,
/// duplicate keys, numbers that JSON does not have, tabs as indentation, and invalid YAML. So a document never
/// means something else here than for another reader.
Result<json::value> parse_yaml(std::string_view text, YamlLimits limits = {});

}  // namespace tenon::skills
