// The entry of a skill: names, URIs, digests, and the rules that an entry must follow.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tenon/skills.hpp>

namespace tenon::skills {

inline constexpr std::string_view main_file = "SKILL.md";

/// Returns "sha256:" and the digest in lowercase hexadecimal digits.
std::string digest_of(std::string_view bytes);

/// Returns the URI of a file or folder: "skill://" and the path, with every segment percent-encoded.
std::string uri_of(std::string_view path);

/// Returns the MIME type for the extension of a file, or for its content when the extension is unknown.
std::string mime_type_of(std::string_view path, bool text);

/// Returns whether the bytes can be sent as text without any change: valid UTF-8 without control
/// characters. Other content is sent as a blob, because a filter for control characters would change it and break its
/// digest.
bool is_plain_text(std::string_view bytes);

/// Checks `name` and `description` of a frontmatter, and that `folder` is the name.
Result<void> check_frontmatter(const json::object& frontmatter, std::string_view folder);

/// Returns whether every segment of a relative path may be published: no "." or "..", no hidden characters, valid
/// UTF-8.
bool is_safe_path(std::string_view path);

/// Reads an entry that a server sent. Its `problem` says why it must not be loaded; the other members are as far as
/// they could be read.
Skill read_entry(const json::value& sent, const SkillLimits& limits);
json::object write_entry(const Skill& skill);

/// Returns an error when the bytes are not those that the manifest describes.
Result<void> check_content(const SkillResource& expected, std::string_view bytes);

}  // namespace tenon::skills
