// The values of YAML's plain text (core schema of YAML 1.2), and its line folding.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

namespace tenon::skills {

/// Returns null, a boolean, a number or a string. Returns nullopt for numbers that JSON does not have: .inf and .nan.
std::optional<json::value> plain_value(std::string_view text);

/// What happens to the line breaks at the end of a block of text.
enum class Chomp { clip, strip, keep };

/// Joins the lines of a literal ("|") or folded (">") text. They have no indentation.
std::string join_block(const std::vector<std::string_view>& lines, bool folded, Chomp chomp);

}  // namespace tenon::skills
