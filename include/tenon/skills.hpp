// Skills: folders of instructions that a server publishes for agents (the extension io.modelcontextprotocol/skills,
// SEP-2640). A server publishes them with Server::skills() or Server::skill(). A client reads them with SkillsClient
// (skills_client.hpp).
//
//     server.skills("./skills");   // publishes every folder beneath that has a SKILL.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// The id of the extension.
inline constexpr std::string_view skills_extension = "io.modelcontextprotocol/skills";

/// Limits of skills, for servers and clients. The extension fixes the first two: every host accepts skills up to these
/// limits, so raise them only when you know all the hosts.
struct SkillLimits {
    std::size_t max_files = 512;                      ///< files of one skill, SKILL.md included
    std::size_t max_skill_bytes = 16 * 1024 * 1024;   ///< size of all files of one skill
    std::size_t max_skills = 1000;                    ///< skills in one folder that a server publishes
    std::size_t max_folder_bytes = 64 * 1024 * 1024;  ///< size of all files that one call of skills() publishes
    std::size_t max_folder_depth = 16;                ///< folders within folders
    std::size_t max_frontmatter_bytes = 64 * 1024;    ///< size of the YAML block at the start of a SKILL.md
};

/// One file of a skill, as its manifest describes it.
struct SkillResource {
    std::string uri;
    std::string digest;      ///< "sha256:" and 64 lowercase hexadecimal digits
    std::uint64_t size = 0;  ///< in bytes

    friend bool operator==(const SkillResource&, const SkillResource&) = default;
};

/// The entry of a skill: what skills/list and skills/get return.
struct Skill {
    std::string uri;                            ///< of its SKILL.md
    json::object frontmatter;                   ///< every field that the author wrote at the start of SKILL.md
    std::vector<SkillResource> resources = {};  ///< every file; empty when `dynamic`
    bool dynamic = false;                       ///< the server makes the content when it is read: no digests
    /// Why a client must not load this skill, for people; empty when the entry is valid. Set by SkillsClient.
    std::string problem = {};

    std::string name() const;         ///< a label for people. It is not unique: the URI identifies a skill
    std::string description() const;  ///< when to use the skill, for the model
    std::string root() const;         ///< the URI of the folder: `uri` without "/SKILL.md"

    friend bool operator==(const Skill&, const Skill&) = default;
};

/// One file of a skill that a server publishes by hand, with Server::skill().
struct SkillFile {
    std::string path;          ///< relative to the skill: "SKILL.md", "references/FORMS.md"
    std::string content = {};  ///< bytes
    /// Makes the content at each read. Such a skill is "dynamic": clients cannot verify it, and some refuse it. For
    /// SKILL.md it runs once more at registration, and the frontmatter must always be the same. Runs on any thread.
    std::function<std::string()> generate = {};
    std::string mimeType = {};  ///< empty: by the extension of the path
};

/// Options of Server::skills() and Server::skill().
struct SkillOptions {
    /// Folders before the name of the skill, for example "acme/billing": skill://acme/billing/refunds/SKILL.md.
    std::string prefix = {};
    /// Whether skills/list contains the skill. A skill that is not listed can still be read by its URI.
    bool listed = true;
    SkillLimits limits = {};
};

}  // namespace tenon

#pragma GCC visibility pop
