// The frontmatter of a SKILL.md: the YAML between two lines "---" at the start of the file.
#pragma once

#include <string_view>

#include <tenon/skills.hpp>

namespace tenon::skills {

/// Returns the fields, as JSON. Fails when the block is missing, too large or not a mapping, or is YAML that
/// parse_yaml() refuses. The message is a part of a sentence: "has no frontmatter: ...".
Result<json::object> read_frontmatter(std::string_view file, const SkillLimits& limits);

/// Returns whether two frontmatters have the same fields and values. The order of fields does not count, and 1 equals
/// 1.0.
bool same_frontmatter(const json::value& a, const json::value& b);

}  // namespace tenon::skills
