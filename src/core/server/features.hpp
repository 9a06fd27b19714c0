// The features of a server: its registered tools, resources, templates and prompts, as immutable snapshots.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenon/protocol/completion.hpp>
#include <tenon/protocol/prompts.hpp>
#include <tenon/protocol/resources.hpp>
#include <tenon/schema.hpp>

#include "base/string_map.hpp"
#include "base/uri_template.hpp"
#include "core/mirrored_parameters.hpp"
#include "core/server/action.hpp"
#include "protocol/spellings.hpp"

namespace tenon::core {

using ToolHandler = std::function<void(Context&, const json::value& arguments, Reply<ToolResult>)>;
using ResourceHandler = std::function<void(Context&, ResourceRequest, Reply<ReadResult>)>;
using PromptHandler = std::function<void(Context&, PromptArguments, Reply<PromptResult>)>;
using MethodHandler = std::function<void(Context&, const json::value& params, Reply<json::object>)>;
using Completers = std::map<std::string, CompletionHandler, std::less<>>;

struct ToolEntry {
    Tool definition;
    ToolHandler handler;
    Placement placement = Placement::worker;
    std::optional<Duration> time = {};
    TaskStart task_start = TaskStart::at_once;
    bool restartable = false;                  // see ToolOptions
    std::optional<schema::Schema> input = {};  // compiled by the registry
    std::optional<schema::Schema> output = {};
    json::object defaults = {};                    // of the top-level properties
    std::vector<MirroredParameter> mirrored = {};  // found by the registry
    std::string app = {};                          // the URI of its app; read by the registry from `_meta.ui`
    bool only_for_apps = false;                    // the model does not see it
    protocol::Spellings spelled = {};              // the definition in JSON; made by the registry, as in all entries
    std::uint64_t order = 0;
};

struct ResourceEntry {
    Resource definition;
    ResourceHandler handler;
    Placement placement = Placement::worker;
    protocol::Spellings spelled = {};
    std::uint64_t order = 0;
};

struct TemplateEntry {
    ResourceTemplate definition;
    ResourceHandler handler;
    Completers completers = {};
    ResourceLister list = {};  // may be empty
    Placement placement = Placement::worker;
    base::UriTemplate::Values values = base::UriTemplate::Values::safe;
    std::optional<base::UriTemplate> pattern = {};  // parsed by the registry
    protocol::Spellings spelled = {};
    std::uint64_t order = 0;

    /// Returns the variables of `uri`, or nullopt when it does not match.
    std::optional<base::UriTemplate::Variables> match(std::string_view uri) const {
        return pattern->match(uri, values);
    }
};

struct PromptEntry {
    Prompt definition;
    PromptHandler handler;
    Completers completers = {};
    Placement placement = Placement::worker;
    protocol::Spellings spelled = {};
    std::uint64_t order = 0;
};

/// A method of an extension.
struct MethodEntry {
    std::string name;
    json::object params_schema;
    MethodHandler handler;
    std::string extension = {};  // found by the registry when it is empty
    Placement placement = Placement::worker;
    std::optional<Duration> time = {};
    std::optional<schema::Schema> input = {};  // compiled by the registry
    json::object defaults = {};                // of the top-level parameters
};

/// A skill. Its files are resources.
struct SkillEntry {
    std::string uri;                 // of its SKILL.md
    std::string spelled;             // the entry in JSON, the same in every revision
    std::vector<std::string> files;  // the URIs of all files
    bool listed = true;
    std::uint64_t order = 0;
};

/// The folders of all skills: the URIs of the direct children of each, and whether a child is a folder.
using Folders = base::StringMap<std::map<std::string, bool, std::less<>>>;

/// Keeps entries in the order of registration, with a hash table for lookup by key. Copies share the entries.
template <class Entry>
class Table {
 public:
    using Ptr = std::shared_ptr<const Entry>;

    const std::vector<Ptr>& all() const { return ordered_; }
    bool empty() const { return ordered_.empty(); }

    Ptr find(std::string_view key) const {
        const auto it = by_key_.find(key);
        return it == by_key_.end() ? nullptr : it->second;
    }
    void add(std::string key, Ptr entry) {
        ordered_.push_back(entry);
        by_key_.emplace(std::move(key), std::move(entry));
    }
    bool remove(std::string_view key) {
        const auto it = by_key_.find(key);
        if (it == by_key_.end()) return false;
        std::erase(ordered_, it->second);
        by_key_.erase(it);
        return true;
    }

 private:
    std::vector<Ptr> ordered_;
    base::StringMap<Ptr> by_key_;
};

struct Features {
    Table<ToolEntry> tools;                                                      // by name
    Table<ResourceEntry> resources;                                              // by URI
    Table<TemplateEntry> templates;                                              // by URI template
    Table<PromptEntry> prompts;                                                  // by name
    Table<MethodEntry> methods;                                                  // of extensions, by name
    Table<SkillEntry> skills;                                                    // by the URI of the SKILL.md
    std::shared_ptr<const Folders> folders = std::make_shared<const Folders>();  // of the skills
    bool completions = false;      // whether any prompt or template has completions
    bool lists_resources = false;  // whether any template has ResourceOptions::list
    bool tasks = false;            // whether any tool may run as a task
    bool apps = false;             // whether any tool belongs to an app
    bool restarts = false;         // whether any tool is restartable
};

/// Checks and stores the features of a server. Not thread-safe.
class Registry {
 public:
    /// Whether the input schemas that are added from now on check `format`.
    void check_formats(bool check) { check_formats_ = check; }

    Result<void> add(ToolEntry entry);
    Result<void> add(ResourceEntry entry);
    Result<void> add(TemplateEntry entry);
    Result<void> add(PromptEntry entry);
    /// Adds a method of one of the declared extensions.
    Result<void> add(MethodEntry entry, const json::object& declared);
    /// Replaces skills: removes those with the URIs `old`, and adds the new ones. Changes nothing on an error.
    Result<void> replace_skills(const std::vector<std::string>& old, std::vector<SkillEntry> entries);
    /// Returns an error that names a declared extension without methods, if there is one.
    Result<void> check_extensions(const json::object& declared) const;
    bool remove_tool(std::string_view name) { return touch(features_.tools.remove(name)); }
    bool remove_resource(std::string_view uri) { return touch(features_.resources.remove(uri)); }
    bool remove_template(std::string_view uri_template) { return touch(features_.templates.remove(uri_template)); }
    bool remove_prompt(std::string_view name) { return touch(features_.prompts.remove(name)); }

    /// Returns the current features. The same object until something changes.
    std::shared_ptr<const Features> snapshot();

 private:
    bool touch(bool changed) {
        if (changed) snapshot_.reset();
        return changed;
    }
    template <class Entry>
    Result<void> keep(Table<Entry>& table, std::string key, Entry entry, std::string_view what);

    Features features_;
    std::shared_ptr<const Features> snapshot_;
    std::uint64_t next_order_ = 1;
    bool check_formats_ = true;
};

}  // namespace tenon::core
