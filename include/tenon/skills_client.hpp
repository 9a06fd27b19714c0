// SkillsClient: finds, loads and verifies the skills of a server (skills.hpp).
//
//     tenon::SkillsClient skills(client);
//     for (const tenon::Skill& skill : skills.list()) show(skill.name(), skill.description());   // reads no file
//     tenon::LoadedSkill loaded = skills.load(chosen);                  // after the user has agreed
//     give_to_model(loaded.text());
//     give_to_model(loaded.read("references/FORMS.md"));
//
// Skills are text that a server wrote for your model. Treat them as untrusted: show their origin, ask the user before a
// skill is loaded, and ignore `allowed-tools` unless the user grants it. A digest only shows that a file is the one
// that the entry describes. It does not show that the server can be trusted.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/client.hpp>
#include <tenon/skills.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// Options of a SkillsClient.
struct SkillsClientOptions {
    SkillLimits limits = {};
    /// Whether to load skills whose content the server makes when it is read. They have no digests, so nothing shows
    /// that the content is what the user agreed to.
    bool allow_dynamic = false;
    CallOptions call = {};  ///< of every request
};

/// A skill whose SKILL.md was read and verified. Holds the entry from which it was loaded: only files of that entry can
/// be read, and each is verified. Files are read when they are needed, and kept. Not thread-safe. The Client must
/// outlive it.
class LoadedSkill {
 public:
    const Skill& entry() const { return entry_; }
    const std::string& text() const { return text_; }  ///< SKILL.md

    /// Returns a file of the skill, by its path relative to the folder of the skill. Throws tenon::Exception with
    /// code::invalid_answer when the entry does not list the file, or when its size or digest differ: then get the
    /// skill again, and ask the user again.
    std::string read(std::string_view path);
    /// Returns the paths of all files, from the entry. Empty for a dynamic skill.
    std::vector<std::string> files() const;

 private:
    friend class SkillsClient;
    LoadedSkill(Client& client, Skill entry, SkillsClientOptions options);
    std::string fetch(const std::string& uri);
    void check_main();

    Client* client_;
    Skill entry_;
    SkillsClientOptions options_;
    std::string text_;
    std::map<std::string, std::string> kept_;  // verified files, by URI; bounded by SkillLimits::max_skill_bytes
    std::size_t fetched_ = 0;                  // bytes of a dynamic skill
};

/// Reads the skills of one server. Thread-safe, as Client is. The Client must outlive it. Nothing is read ahead: list()
/// and get() read no file.
class SkillsClient {
 public:
    explicit SkillsClient(Client& client, SkillsClientOptions options = {});

    /// Returns whether the server declares the extension. Waits for the connection.
    bool offered() const;
    /// Lists the skills. Entries with a `problem` must not be loaded; they are part of the list so that you can tell
    /// the user why. A server may leave skills out of its list: see get().
    List<Skill> list() const;
    /// Returns the current entry of one skill, by the URI of its SKILL.md.
    Skill get(const std::string& uri) const;
    /// Reads SKILL.md and verifies its size, its digest and its frontmatter. Call it when the user has agreed to this
    /// entry. Throws tenon::Exception when the entry has a problem, or when anything differs from it.
    LoadedSkill load(Skill entry) const;
    /// Lists a folder, as the server sees it now. Throws when the server does not declare `directoryRead`. Do not read
    /// files that are missing in the entry of a loaded skill: get the skill again first.
    std::vector<Resource> read_folder(const std::string& uri) const;

 private:
    json::value ask(std::string method, json::object params) const;
    json::object settings() const;  // of the extension; throws when it is not declared

    Client* client_;
    SkillsClientOptions options_;
};

}  // namespace tenon

#pragma GCC visibility pop
