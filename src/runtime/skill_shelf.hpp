// The skills that a server publishes: their files, and which call published them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <tenon/skills.hpp>

namespace tenon {

/// One file that is published as a resource. Immutable.
struct PublishedFile {
    std::string name;         // of the resource
    std::string description;  // of a skill, for its SKILL.md
    std::string mime_type;
    std::string bytes;
    std::string digest;
    std::function<std::string()> generate;  // makes the bytes at each read, when set
};

/// The files and skills of one folder, or one skill by hand.
struct SkillSet {
    std::map<std::string, std::shared_ptr<const PublishedFile>> files;  // by URI
    std::vector<Skill> skills;
    bool listed = true;
};

/// The published skills, by their source: a folder, or the URI of a skill that was added by hand. The mutex is held
/// while skills are published, so that two calls for the same folder do not mix. Readers take no lock.
struct SkillShelf {
    std::mutex mutex;
    std::map<std::string, SkillSet, std::less<>> sets;
};

/// Makes the skills of some files. `paths` are relative to the root of the skills: "billing/refunds/SKILL.md". Throws
/// when a skill is not valid.
SkillSet make_skills(std::map<std::string, SkillFile> paths, const SkillOptions& options);

/// Reads all files of a folder, by their path. Throws: see Server::skills().
std::map<std::string, SkillFile> read_skill_folder(const std::string& folder, const SkillLimits& limits);

}  // namespace tenon
