// Reads the files of a folder of skills, without leaving the folder.
#include <tenon/safe_path.hpp>

#include "base/printable.hpp"
#include "runtime/skill_shelf.hpp"
#include "skills/entry.hpp"

namespace tenon {
namespace {

class SkillFolder {
 public:
    SkillFolder(const std::string& root, const SkillLimits& limits)
        : folder_(root, {.max_file_bytes = limits.max_skill_bytes}), limits_(limits) {}

    std::map<std::string, SkillFile> read() {
        walk("", 0);
        return std::move(files_);
    }

 private:
    [[noreturn]] static void refuse(const std::string& path, const std::string& why) {
        throw Exception({code::invalid_params, "The folder of skills: `" + base::printable(path, 256) + "` " + why});
    }

    void walk(const std::string& path, std::size_t depth) {
        if (depth > limits_.max_folder_depth) refuse(path, "is nested deeper than SkillLimits::max_folder_depth.");
        const auto entries = folder_.list(path, limits_.max_files * limits_.max_skills);
        if (!entries) refuse(path, "cannot be read: " + entries.error().message);
        for (const FolderEntry& entry : *entries) {
            if (entry.name.starts_with('.')) continue;
            const std::string child = path.empty() ? entry.name : path + "/" + entry.name;
            if (!skills::is_safe_path(child)) refuse(child, "has hidden characters, or is not UTF-8: rename it.");
            if (entry.kind == FolderEntry::Kind::folder) {
                walk(child, depth + 1);
            } else {
                add(child);
            }
        }
    }

    // SafeFolder follows a link only when it stays inside, and opens only regular files.
    void add(const std::string& path) {
        const auto file = folder_.open(path);
        if (!file)
            refuse(path,
                   "is not a file of the folder, is a link to a folder or out of the folder, or is larger than "
                   "SkillLimits::max_skill_bytes: remove it.");
        if (files_.size() == limits_.max_files * limits_.max_skills)
            refuse(path, "is above the limit on files (SkillLimits::max_files times max_skills).");
        auto bytes = file->read(limits_.max_folder_bytes - bytes_);
        if (!bytes) refuse(path, "exceeds SkillLimits::max_folder_bytes, or cannot be read.");
        bytes_ += bytes->size();
        files_.emplace(path, SkillFile{.path = path, .content = *std::move(bytes)});
    }

    SafeFolder folder_;
    const SkillLimits& limits_;
    std::map<std::string, SkillFile> files_;
    std::size_t bytes_ = 0;
};

}  // namespace

std::map<std::string, SkillFile> read_skill_folder(const std::string& folder, const SkillLimits& limits) {
    return SkillFolder(folder, limits).read();
}

}  // namespace tenon
