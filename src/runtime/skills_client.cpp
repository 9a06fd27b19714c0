#include <tenon/skills_client.hpp>

#include "base/printable.hpp"
#include "base/uri.hpp"
#include "protocol/read_server.hpp"
#include "skills/entry.hpp"
#include "skills/frontmatter.hpp"

namespace tenon {
namespace {

[[noreturn]] void reject(const Skill& skill, const std::string& why) {
    throw Exception({code::invalid_answer, "The skill " + base::printable(skill.uri, 256) + " is refused: " + why});
}

const SkillResource* find_file(const Skill& skill, std::string_view uri) {
    for (const SkillResource& file : skill.resources)
        if (file.uri == uri) return &file;
    return nullptr;
}

}  // namespace

LoadedSkill::LoadedSkill(Client& client, Skill entry, SkillsClientOptions options)
    : client_(&client), entry_(std::move(entry)), options_(std::move(options)) {
    if (!entry_.problem.empty()) reject(entry_, entry_.problem);
    if (entry_.dynamic && !options_.allow_dynamic)
        reject(entry_,
               "its content is dynamic, so it cannot be verified. Set SkillsClientOptions::allow_dynamic to "
               "load it anyway.");
    text_ = fetch(entry_.uri);
    check_main();
}

// The model must get exactly the content that the user agreed to.
void LoadedSkill::check_main() {
    const auto frontmatter = skills::read_frontmatter(text_, options_.limits);
    if (!frontmatter) reject(entry_, "its SKILL.md " + frontmatter.error().message);
    if (!skills::same_frontmatter(*frontmatter, entry_.frontmatter))
        reject(entry_, "the frontmatter of its SKILL.md differs from its entry");
}

std::string LoadedSkill::fetch(const std::string& uri) {
    const SkillResource* expected = find_file(entry_, uri);
    if (!entry_.dynamic && !expected)
        reject(entry_, "`" + base::printable(uri, 256) +
                           "` is not in its entry. Get the skill again and ask for "
                           "approval again.");
    if (const auto it = kept_.find(uri); it != kept_.end()) return it->second;
    const ReadResult result = client_->read_resource(uri, options_.call);
    if (result.contents.size() != 1 || result.contents[0].uri != uri) reject(entry_, "a read returned another file");
    const ResourceContents& file = result.contents[0];
    std::string bytes = file.blob ? *file.blob : file.text;
    if (expected) {
        if (auto ok = skills::check_content(*expected, bytes); !ok) reject(entry_, ok.error().message);
        kept_.emplace(uri, bytes);
    } else if ((fetched_ += bytes.size()) > options_.limits.max_skill_bytes) {
        reject(entry_, "its files are larger than SkillLimits::max_skill_bytes");
    }
    return bytes;
}

std::string LoadedSkill::read(std::string_view path) {
    if (!skills::is_safe_path(path)) reject(entry_, "`" + base::printable(path, 256) + "` is not a path within it");
    const std::string below = skills::uri_of(path).substr(std::string_view("skill://").size());
    return fetch(entry_.root() + "/" + below);
}

std::vector<std::string> LoadedSkill::files() const {
    std::vector<std::string> out;
    const std::size_t begin = entry_.root().size() + 1;
    for (const SkillResource& file : entry_.resources) {
        const std::string encoded = file.uri.substr(begin);
        out.push_back(base::percent_decode(encoded).value_or(encoded));
    }
    return out;
}

SkillsClient::SkillsClient(Client& client, SkillsClientOptions options)
    : client_(&client), options_(std::move(options)) {}

bool SkillsClient::offered() const {
    return client_->connect(options_.call).capabilities.has_extension(skills_extension);
}

json::object SkillsClient::settings() const {
    const ServerInfo server = client_->connect(options_.call);
    if (!server.capabilities.has_extension(skills_extension))
        throw Exception(
            {code::method_not_found, "The server does not offer skills: it does not declare the extension " +
                                         std::string(skills_extension) + "."});
    return server.capabilities.raw.at("extensions").at(skills_extension).as_object();
}

json::value SkillsClient::ask(std::string method, json::object params) const {
    return client_->request(std::move(method), std::move(params), options_.call);
}

List<Skill> SkillsClient::list() const {
    (void)settings();
    auto entries = std::make_shared<List<json::value>>(client_->list_any("skills/list", "skills", options_.call));
    auto at = std::make_shared<std::optional<List<json::value>::Iterator>>();
    return List<Skill>([entries, at, limits = options_.limits]() -> std::optional<std::vector<Skill>> {
        if (*at) {
            ++**at;
        } else {
            *at = entries->begin();
        }
        if (**at == entries->end()) return std::nullopt;
        return std::vector<Skill>{skills::read_entry(***at, limits)};
    });
}

Skill SkillsClient::get(const std::string& uri) const {
    (void)settings();
    const json::value answer = ask("skills/get", {{"uri", uri}});
    const json::value* entry = answer.is_object() ? answer.get_object().if_contains("skill") : nullptr;
    Skill skill = skills::read_entry(entry ? *entry : json::value(), options_.limits);
    if (skill.uri != uri)
        throw Exception({code::invalid_answer, "The server's answer is invalid: it is not about " + uri});
    return skill;
}

LoadedSkill SkillsClient::load(Skill entry) const { return LoadedSkill(*client_, std::move(entry), options_); }

std::vector<Resource> SkillsClient::read_folder(const std::string& uri) const {
    const json::object declared = settings();
    const json::value* allowed = declared.if_contains("directoryRead");
    if (!allowed || *allowed != json::value(true))
        throw Exception(
            {code::method_not_found, "The server does not list folders: it does not declare directoryRead."});
    std::vector<Resource> out;
    std::optional<std::string> cursor;
    do {
        json::object params{{"uri", uri}};
        if (cursor) params.emplace("cursor", *cursor);
        Page<Resource> page = protocol::read_resources(ask("resources/directory/read", std::move(params))).value();
        if (page.nextCursor && (page.items.empty() || page.nextCursor == cursor))
            throw Exception({code::invalid_answer, "The server's answer is invalid: its pages form a loop."});
        for (Resource& child : page.items) out.push_back(std::move(child));
        if (out.size() > options_.limits.max_files)
            throw Exception({code::invalid_answer, "The folder has more entries than SkillLimits::max_files."});
        cursor = std::move(page.nextCursor);
    } while (cursor);
    return out;
}

}  // namespace tenon
