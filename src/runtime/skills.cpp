// Server::skills() and Server::skill(): makes the entries of skills, and publishes their files as resources.
#include <algorithm>
#include <ranges>

#include "base/printable.hpp"
#include "runtime/server_impl.hpp"
#include "runtime/skill_shelf.hpp"
#include "skills/entry.hpp"
#include "skills/frontmatter.hpp"

namespace tenon {
namespace {

using Files = std::map<std::string, SkillFile>;

[[noreturn]] void refuse_skill(std::string_view path, const std::string& why) {
    throw Exception({code::invalid_params, "The skill `" + base::printable(path, 256) + "` " + why});
}

std::string joined(std::string_view folder, std::string_view name) {
    return folder.empty() ? std::string(name) : std::string(folder) + "/" + std::string(name);
}

std::string_view parent_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

std::string_view last_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_main(std::string_view path) { return last_of(path) == skills::main_file; }

std::string content_of(const SkillFile& file) { return file.generate ? file.generate() : file.content; }

std::shared_ptr<const PublishedFile> published(const SkillFile& file, const Skill* skill) {
    auto out = std::make_shared<PublishedFile>();
    out->name = skill ? skill->name() : std::string(last_of(file.path));
    if (skill) out->description = skill->description();
    out->mime_type =
        file.mimeType.empty() ? skills::mime_type_of(file.path, skills::is_plain_text(file.content)) : file.mimeType;
    out->bytes = file.content;
    out->digest = file.generate ? std::string() : skills::digest_of(file.content);
    out->generate = file.generate;
    return out;
}

std::ranges::subrange<Files::const_iterator> files_beneath(const Files& files, std::string_view folder) {
    // "0" is the character after "/".
    return {files.lower_bound(std::string(folder) + "/"), files.lower_bound(std::string(folder) + "0")};
}

// Makes the entry of the skill in the folder of `main`. All files beneath belong to it, also those of nested skills.
Skill make_skill(const Files& files, const SkillFile& main, const SkillLimits& limits) {
    const std::string folder(parent_of(main.path));
    const std::string text = content_of(main);
    if (!skills::is_plain_text(text))
        refuse_skill(folder, "has a SKILL.md that is not text, or has control characters.");
    auto frontmatter = skills::read_frontmatter(text, limits);
    if (!frontmatter) refuse_skill(folder, frontmatter.error().message + ".");
    if (auto ok = skills::check_frontmatter(*frontmatter, last_of(folder)); !ok)
        refuse_skill(folder, ok.error().message + ".");
    Skill out{.uri = skills::uri_of(main.path), .frontmatter = *std::move(frontmatter)};
    std::size_t bytes = 0;
    for (const auto& [path, file] : files_beneath(files, folder)) {
        out.dynamic = out.dynamic || file.generate;
        bytes += file.content.size();
        if (out.resources.size() == limits.max_files)
            refuse_skill(folder, "has more files than SkillLimits::max_files.");
        if (bytes > limits.max_skill_bytes) refuse_skill(folder, "is larger than SkillLimits::max_skill_bytes.");
        out.resources.push_back(
            {skills::uri_of(file.path), file.generate ? "" : skills::digest_of(file.content), file.content.size()});
    }
    return out;
}

// The folder itself may be the skill. Then its name comes from its frontmatter.
std::string name_of_root(const Files& files, const SkillLimits& limits) {
    const auto main = files.find(std::string(skills::main_file));
    if (main == files.end()) return {};
    const auto frontmatter = skills::read_frontmatter(main->second.content, limits);
    if (!frontmatter) refuse_skill(skills::main_file, frontmatter.error().message + ".");
    return Skill{.uri = {}, .frontmatter = *frontmatter}.name();
}

void add_skill(SkillSet& set, const Files& files, const SkillFile& main, const SkillLimits& limits) {
    set.skills.push_back(make_skill(files, main, limits));
    for (const auto& [path, file] : files_beneath(files, parent_of(main.path)))
        set.files.try_emplace(skills::uri_of(path), published(file, nullptr));
    set.files.insert_or_assign(set.skills.back().uri, published(main, &set.skills.back()));
}

Files below(Files files, const std::string& prefix) {
    if (prefix.empty()) return files;
    Files out;
    for (auto& [path, file] : files) {
        file.path = joined(prefix, path);
        std::string key = file.path;
        out.emplace(std::move(key), std::move(file));
    }
    return out;
}

core::SkillEntry entry_of(const Skill& skill, bool listed) {
    core::SkillEntry out{.uri = skill.uri, .spelled = json::write(skills::write_entry(skill)), .files = {}};
    for (const SkillResource& file : skill.resources) out.files.push_back(file.uri);
    out.listed = listed;
    return out;
}

ReadResult contents(const std::string& uri, const PublishedFile& file) {
    const std::string bytes = file.generate ? file.generate() : file.bytes;
    ResourceContents out{.uri = uri, .mimeType = file.mime_type};
    if (skills::is_plain_text(bytes)) {
        out.text = bytes;
    } else {
        out.blob = bytes;
    }
    return {.contents = {std::move(out)}};
}

bool same_file(const SkillSet& set, const std::string& uri, const PublishedFile& file) {
    const auto it = set.files.find(uri);
    return it != set.files.end() && !file.generate && !it->second->generate && it->second->digest == file.digest &&
           it->second->description == file.description;
}

void add_file(Server& server, const std::string& uri, const std::shared_ptr<const PublishedFile>& file) {
    server.resource(uri, file->name, [uri, file] { return contents(uri, *file); },
                    {.description = file->description,
                     .mimeType = file->mime_type,
                     .size = file->generate ? std::nullopt : std::optional<std::uint64_t>(file->bytes.size()),
                     .placement = file->generate ? Placement::worker : Placement::inline_});
}

// Adds the files of `to` that differ from those of `from`. When one cannot be added, none is.
void add_files(Server& server, const SkillSet& from, const SkillSet& to) {
    std::vector<std::string> added;
    try {
        for (const auto& [uri, file] : to.files) {
            if (same_file(from, uri, *file)) continue;
            add_file(server, uri, file);
            added.push_back(uri);
        }
    } catch (...) {
        for (const std::string& uri : added) server.remove_resource(uri);
        throw;
    }
}

void remove_files(Server& server, const SkillSet& from, const SkillSet& to) {
    for (const auto& [uri, file] : from.files)
        if (!same_file(to, uri, *file)) server.remove_resource(uri);
}

// Brings the resources of a server from one set to another. On an error, they stay as they were.
void exchange_files(Server& server, const SkillSet& from, const SkillSet& to) {
    remove_files(server, from, to);
    try {
        add_files(server, from, to);
    } catch (...) {
        add_files(server, to, from);
        throw;
    }
    for (const auto& [uri, file] : to.files)
        if (from.files.contains(uri) && !same_file(from, uri, *file)) server.resource_updated(uri);
}

std::vector<std::string> uris_of(const SkillSet& set) {
    std::vector<std::string> out;
    for (const Skill& skill : set.skills) out.push_back(skill.uri);
    return out;
}

std::vector<core::SkillEntry> entries_of(const SkillSet& set) {
    std::vector<core::SkillEntry> out;
    for (const Skill& skill : set.skills) out.push_back(entry_of(skill, set.listed));
    return out;
}

// Replaces the skills and files that `source` has published. On an error, everything stays as it was.
void publish(Server& server, const std::string& source, SkillSet set) {
    SkillShelf& shelf = server.impl()->skills();
    const std::lock_guard lock(shelf.mutex);
    const auto it = shelf.sets.find(source);
    const SkillSet old = it == shelf.sets.end() ? SkillSet() : it->second;
    server.impl()->replace_skills(uris_of(old), entries_of(set));
    try {
        exchange_files(server, old, set);
    } catch (...) {
        server.impl()->replace_skills(uris_of(set), entries_of(old));
        throw;
    }
    shelf.sets.insert_or_assign(source, std::move(set));
}

}  // namespace

SkillSet make_skills(Files files, const SkillOptions& options) {
    std::string prefix = joined(options.prefix, name_of_root(files, options.limits));
    if (prefix.ends_with('/')) prefix.pop_back();
    if (!prefix.empty() && !skills::is_safe_path(prefix))
        refuse_skill(prefix,
                     "has a prefix that is not a relative path: set SkillOptions::prefix like \"acme/billing\".");
    files = below(std::move(files), prefix);
    SkillSet out;
    out.listed = options.listed;
    for (const auto& [path, file] : files) {
        if (!is_main(path)) continue;
        if (out.skills.size() == options.limits.max_skills) refuse_skill(path, "is above SkillLimits::max_skills.");
        add_skill(out, files, file, options.limits);
    }
    return out;
}

Server& Server::skills(const std::string& folder, const SkillOptions& options) {
    publish(*this, "folder " + options.prefix + " " + folder,
            make_skills(read_skill_folder(folder, options.limits), options));
    return *this;
}

Server& Server::skill(std::string_view name, std::vector<SkillFile> files, const SkillOptions& options) {
    Files by_path;
    for (SkillFile& file : files) {
        if (!skills::is_safe_path(file.path)) refuse_skill(name, "has a file whose path is not a relative path.");
        std::string path = joined(name, file.path);
        if (!by_path.emplace(path, std::move(file)).second) refuse_skill(name, "has two files with the same path.");
        by_path[path].path = path;
    }
    const std::string main = joined(name, skills::main_file);
    if (!by_path.contains(main)) refuse_skill(name, "has no file `SKILL.md`.");
    publish(*this, skills::uri_of(joined(options.prefix, main)), make_skills(std::move(by_path), options));
    return *this;
}

bool Server::remove_skill(std::string_view uri) {
    SkillShelf& shelf = impl_->skills();
    const std::lock_guard lock(shelf.mutex);
    for (auto it = shelf.sets.begin(); it != shelf.sets.end(); ++it) {
        SkillSet rest = it->second;
        if (std::erase_if(rest.skills, [uri](const Skill& skill) { return skill.uri == uri; }) == 0) continue;
        std::erase_if(rest.files, [&rest](const auto& file) {
            return std::ranges::none_of(
                rest.skills, [&file](const Skill& skill) { return file.first.starts_with(skill.root() + "/"); });
        });
        impl_->replace_skills({std::string(uri)}, {});
        exchange_files(*this, it->second, rest);
        it->second = std::move(rest);
        if (it->second.skills.empty()) shelf.sets.erase(it);
        return true;
    }
    return false;
}

}  // namespace tenon
