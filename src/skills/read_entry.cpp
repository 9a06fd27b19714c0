// Reads and writes the entries of skills/list and skills/get.
#include <algorithm>
#include <set>

#include "base/uri.hpp"
#include "json/reader.hpp"
#include "skills/entry.hpp"

namespace tenon::skills {
namespace {

bool is_digest(std::string_view text) {
    constexpr std::string_view prefix = "sha256:";
    if (!text.starts_with(prefix) || text.size() != prefix.size() + 64) return false;
    return text.substr(prefix.size()).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::optional<std::uint64_t> whole_number(const json::value* v) {
    if (!v) return std::nullopt;
    boost::system::error_code failed;
    const auto n = v->to_number<std::uint64_t>(failed);
    return failed ? std::nullopt : std::optional(n);
}

// Returns a problem, or an empty text.
std::string read_resource(const json::value& sent, const Skill& skill, SkillResource& out) {
    const json::object* o = sent.if_object();
    if (!o) return "an entry of `resources` is not an object";
    json::Reader r(*o, "resources");
    out.uri = r.string("uri");
    out.digest = r.string("digest");
    const auto size = whole_number(o->if_contains("size"));
    if (!r.ok()) return r.error().message;
    if (!size) return "a file has no valid `size`";
    out.size = *size;
    if (!is_digest(out.digest)) return "a file has no valid `digest`";
    const auto parsed = base::parse_uri(out.uri);
    if (!parsed || base::has_traversal(*parsed) || !out.uri.starts_with(skill.root() + "/"))
        return "a file is not within the folder of the skill";
    return {};
}

std::string check_totals(const Skill& skill, const SkillLimits& limits) {
    std::set<std::string_view> seen;
    std::uint64_t total = 0;
    for (const SkillResource& file : skill.resources) {
        if (!seen.insert(file.uri).second) return "a file is listed twice";
        if (file.size > limits.max_skill_bytes - total)
            return "its files are larger than SkillLimits::max_skill_bytes (" + std::to_string(limits.max_skill_bytes) +
                   ")";
        total += file.size;
    }
    return seen.contains(skill.uri) ? "" : "its `resources` do not contain its SKILL.md";
}

std::string read_resources(const json::value* sent, const SkillLimits& limits, Skill& out) {
    if (sent && sent->is_string() && sent->get_string() == "dynamic") {
        out.dynamic = true;
        return {};
    }
    const json::array* list = sent ? sent->if_array() : nullptr;
    if (!list) return "its `resources` is neither a list nor \"dynamic\"";
    if (list->size() > limits.max_files)
        return "it has " + std::to_string(list->size()) + " files, and SkillLimits::max_files is " +
               std::to_string(limits.max_files);
    for (const json::value& file : *list)
        if (auto problem = read_resource(file, out, out.resources.emplace_back()); !problem.empty()) return problem;
    return check_totals(out, limits);
}

std::string check_uri(const Skill& skill) {
    const auto parsed = base::parse_uri(skill.uri);
    if (!parsed || base::has_traversal(*parsed) || !skill.uri.ends_with("/SKILL.md"))
        return "its `uri` is not that of a SKILL.md";
    const std::string root = skill.root();
    const auto ok = check_frontmatter(skill.frontmatter, std::string_view(root).substr(root.rfind('/') + 1));
    return ok ? "" : "it " + ok.error().message;
}

}  // namespace

Skill read_entry(const json::value& sent, const SkillLimits& limits) {
    Skill out;
    const json::object* o = sent.if_object();
    if (!o) {
        out.problem = "the entry is not an object";
        return out;
    }
    json::Reader r(*o, "skill");
    out.uri = r.string("uri");
    out.frontmatter = r.object("frontmatter");
    out.problem = r.ok() ? check_uri(out) : r.error().message;
    if (out.problem.empty()) out.problem = read_resources(o->if_contains("resources"), limits, out);
    return out;
}

json::object write_entry(const Skill& skill) {
    json::object out{{"uri", skill.uri}, {"frontmatter", skill.frontmatter}};
    if (skill.dynamic) {
        out.emplace("resources", "dynamic");
        return out;
    }
    json::array& files = out.emplace("resources", json::array()).first->value().get_array();
    for (const SkillResource& file : skill.resources)
        files.push_back(json::object{{"uri", file.uri}, {"digest", file.digest}, {"size", file.size}});
    return out;
}

}  // namespace tenon::skills
