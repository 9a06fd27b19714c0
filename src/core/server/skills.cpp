// The extension io.modelcontextprotocol/skills: skills/list, skills/get and resources/directory/read. Files of skills
// are resources, so resources/read serves them.
#include <algorithm>

#include "base/cursor.hpp"
#include "base/printable.hpp"
#include "base/uri.hpp"
#include "core/server/engine.hpp"
#include "json/reader.hpp"
#include "protocol/write.hpp"

namespace tenon::core {
namespace {

constexpr char skills_cursor = 's', folder_cursor = 'd';

bool may_read(const Access& access, std::string_view uri) {
    return !access.restricts() || access.allows({UseKind::resource, uri});
}

// A folder is visible when one of its files is, at any depth.
bool is_visible(const Folders& folders, const Access& access, const std::string& uri, bool folder) {
    if (!folder || !access.restricts()) return may_read(access, uri);
    const auto it = folders.find(uri);
    return it != folders.end() && std::ranges::any_of(it->second, [&](const auto& child) {
               return is_visible(folders, access, child.first, child.second);
           });
}

std::string last_segment(std::string_view uri) {
    const std::string_view segment = uri.substr(uri.rfind('/') + 1);
    return base::percent_decode(segment).value_or(std::string(segment));
}

void write_child(json::Writer& w, const Features& features, const protocol::Rules& rules, const std::string& uri,
                 bool folder) {
    if (!folder) {
        if (const auto file = features.resources.find(uri)) w.raw(file->spelled.of(rules));
        return;
    }
    w.begin_object();
    w.field("uri", uri);
    w.field("name", last_segment(uri));
    w.field("mimeType", "inode/directory");
    w.end_object();
}

Error unknown(std::string what) { return {code::invalid_params, "Invalid params: " + std::move(what)}; }

}  // namespace

Result<std::uint64_t> Lists::position(const Call& call, char kind) const {
    json::Reader r(call.params, "params");
    const auto cursor = r.optional_string("cursor");
    const auto after = cursor ? settings_.cursors.open(kind, *cursor) : std::uint64_t{0};
    if (!after) r.complain("cursor", "the `nextCursor` of an earlier answer to " + call.method);
    if (!r.ok()) return r.error();
    return *after;
}

// The entry of one skill can be large, since it names every file. So a page is also limited by its size.
bool Lists::has_room(std::size_t bytes, std::size_t entries) const {
    return entries < settings_.limits.page_size && bytes < settings_.limits.max_message_bytes / 2;
}

Result<HandlerResult> Lists::skills(const Call& call, const Features& features) const {
    const auto after = position(call, skills_cursor);
    if (!after) return after.error();
    Encoded out;
    json::Writer w(out.json);
    w.begin_object();
    w.key("skills");
    w.begin_array();
    std::size_t written = 0;
    std::uint64_t last = 0;
    bool full = false;
    for (const auto& entry : features.skills.all()) {
        if (entry->order <= *after || !entry->listed || !may_read(call.access, entry->uri)) continue;
        full = written > 0 && !has_room(out.json.size() + entry->spelled.size(), written);
        if (full) break;
        w.raw(entry->spelled);
        last = entry->order;
        ++written;
    }
    w.end_array();
    if (full) w.field("nextCursor", settings_.cursors.close(skills_cursor, last));
    protocol::write_cache_hints(w, hints(call), call.peer->rules);
    w.end_object();
    return HandlerResult{std::move(out)};
}

Result<HandlerResult> Lists::folder(const Call& call, const Features& features) const {
    json::Reader r(call.params, "params");
    const std::string uri = r.string("uri");
    if (!r.ok()) return r.error();
    const auto after = position(call, folder_cursor);
    if (!after) return after.error();
    const auto found = features.folders->find(uri);
    if (found == features.folders->end() || !is_visible(*features.folders, call.access, uri, true))
        return unknown("`params.uri` must be the URI of a folder of a skill (a directory resource)");
    Encoded out;
    json::Writer w(out.json);
    w.begin_object();
    w.key("resources");
    w.begin_array();
    std::uint64_t at = 0;
    const std::uint64_t end = *after + settings_.limits.page_size;
    for (const auto& [child, is_folder] : found->second)
        if (is_visible(*features.folders, call.access, child, is_folder) && ++at > *after && at <= end)
            write_child(w, features, call.peer->rules, child, is_folder);
    w.end_array();
    if (at > end) w.field("nextCursor", settings_.cursors.close(folder_cursor, end));
    w.end_object();
    return HandlerResult{std::move(out)};
}

Result<HandlerResult> Lists::skill(const Call& call, const Features& features) const {
    json::Reader r(call.params, "params");
    const std::string uri = r.string("uri");
    if (!r.ok()) return r.error();
    const auto entry = features.skills.find(uri);
    if (!entry || !may_read(call.access, uri))
        return unknown("no skill is served at " + base::printable(uri, settings_.limits.max_error_text_bytes));
    Encoded out;
    json::Writer w(out.json);
    w.begin_object();
    w.key("skill");
    w.raw(entry->spelled);
    protocol::write_cache_hints(w, hints(call), call.peer->rules);
    w.end_object();
    return HandlerResult{std::move(out)};
}

namespace {

// Adds the folders between the root of a skill and one of its files. `root` is the URI of the skill's folder.
void add_folders(Folders& folders, std::string_view root, const std::string& file) {
    std::string child = file;
    for (bool is_folder = false; child.size() > root.size(); is_folder = true) {
        std::string parent = child.substr(0, child.rfind('/'));
        folders[parent].insert_or_assign(child, is_folder);
        child = std::move(parent);
    }
}

std::shared_ptr<const Folders> folders_of(const Table<SkillEntry>& skills) {
    Folders out;
    for (const auto& skill : skills.all()) {
        const std::string_view root = std::string_view(skill->uri).substr(0, skill->uri.rfind('/'));
        for (const std::string& file : skill->files) add_folders(out, root, file);
    }
    return std::make_shared<const Folders>(std::move(out));
}

}  // namespace

Result<void> Registry::replace_skills(const std::vector<std::string>& old, std::vector<SkillEntry> entries) {
    for (const SkillEntry& entry : entries)
        if (features_.skills.find(entry.uri) && std::ranges::find(old, entry.uri) == old.end())
            return unknown("there is already a skill `" + entry.uri + "`: give one of them another prefix.");
    for (const std::string& uri : old) features_.skills.remove(uri);
    for (SkillEntry& entry : entries) {
        entry.order = next_order_++;
        std::string key = entry.uri;
        features_.skills.add(std::move(key), std::make_shared<const SkillEntry>(std::move(entry)));
    }
    features_.folders = folders_of(features_.skills);
    snapshot_.reset();
    return {};
}

}  // namespace tenon::core
