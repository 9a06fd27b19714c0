#include "skills/entry.hpp"

#include <algorithm>

#include "base/printable.hpp"
#include "base/uri_encode.hpp"
#include "base/utf8.hpp"
#include "base/sha256.hpp"

namespace tenon {

std::string Skill::name() const {
    const json::value* v = frontmatter.if_contains("name");
    return v && v->is_string() ? std::string(v->get_string()) : std::string();
}

std::string Skill::description() const {
    const json::value* v = frontmatter.if_contains("description");
    return v && v->is_string() ? std::string(v->get_string()) : std::string();
}

std::string Skill::root() const {
    constexpr std::string_view suffix = "/SKILL.md";
    return uri.ends_with(suffix) ? uri.substr(0, uri.size() - suffix.size()) : uri;
}

namespace skills {
namespace {

constexpr std::size_t max_name = 64;
constexpr std::size_t max_description = 1024;

struct Type {
    std::string_view extension, mime_type;
};
constexpr Type types[] = {
    {".md", "text/markdown"},      {".txt", "text/plain"},       {".json", "application/json"},
    {".yaml", "application/yaml"}, {".yml", "application/yaml"}, {".csv", "text/csv"},
    {".html", "text/html"},        {".css", "text/css"},         {".js", "text/javascript"},
    {".ts", "text/x-typescript"},  {".py", "text/x-python"},     {".sh", "text/x-shellscript"},
    {".xml", "application/xml"},   {".svg", "image/svg+xml"},    {".png", "image/png"},
    {".jpg", "image/jpeg"},        {".jpeg", "image/jpeg"},      {".gif", "image/gif"},
    {".webp", "image/webp"},       {".pdf", "application/pdf"},  {".zip", "application/zip"},
};

// Returns the code point of one valid UTF-8 sequence.
char32_t decode(std::string_view sequence) {
    const auto first = static_cast<unsigned char>(sequence[0]);
    if (sequence.size() == 1) return first;
    char32_t c = first & (0x7FU >> sequence.size());
    for (const char next : sequence.substr(1)) c = (c << 6) | (static_cast<unsigned char>(next) & 0x3FU);
    return c;
}

// Returns whether the text is valid UTF-8, and no character is refused.
template <class Refused>
bool is_text_without(std::string_view text, Refused refused) {
    while (!text.empty()) {
        const std::size_t length = base::utf8_sequence(text);
        if (length == 0 || refused(decode(text.substr(0, length)))) return false;
        text.remove_prefix(length);
    }
    return true;
}

bool is_control_character(char32_t c) {
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7F && c < 0xA0);
}

bool is_skill_name(std::string_view name) {
    const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
    return !name.empty() && name.size() <= max_name && std::ranges::all_of(name, allowed) && name.front() != '-' &&
           name.back() != '-' && name.find("--") == std::string_view::npos;
}

Error entry_error(std::string message) { return {code::invalid_params, std::move(message)}; }

}  // namespace

std::string digest_of(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out = "sha256:";
    for (const char c : base::sha256(bytes)) {
        const auto byte = static_cast<unsigned char>(c);
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    return out;
}

std::string uri_of(std::string_view path) {
    std::string out = "skill://";
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        out += (begin > 0 ? "/" : "") + base::encode_unreserved(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return out;
}

std::string mime_type_of(std::string_view path, bool text) {
    for (const Type& type : types)
        if (path.ends_with(type.extension)) return std::string(type.mime_type);
    return text ? "text/plain" : "application/octet-stream";
}

bool is_plain_text(std::string_view bytes) { return is_text_without(bytes, is_control_character); }

bool is_safe_path(std::string_view path) {
    if (path.empty() || !is_text_without(path, base::is_hidden) || path.find('\\') != std::string_view::npos)
        return false;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string_view segment = path.substr(begin, end - begin);
        if (segment.empty() || segment == "." || segment == "..") return false;
        begin = end + 1;
    }
    return true;
}

Result<void> check_frontmatter(const json::object& frontmatter, std::string_view folder) {
    const Skill skill{.uri = {}, .frontmatter = frontmatter};
    const std::string name = skill.name(), description = skill.description();
    if (!is_skill_name(name))
        return entry_error("needs a `name` of at most 64 lowercase letters, digits and single hyphens between them");
    if (name != folder)
        return entry_error("has the name `" + name + "`, but its folder is `" + base::printable(folder, max_name) +
                           "`: give both the same name");
    if (description.empty() || base::utf8_length(description) > max_description)
        return entry_error("needs a `description` of 1 to 1024 characters");
    return {};
}

Result<void> check_content(const SkillResource& expected, std::string_view bytes) {
    if (bytes.size() != expected.size)
        return Error{code::invalid_answer, "The file has " + std::to_string(bytes.size()) +
                                               " bytes, but its entry says " + std::to_string(expected.size) +
                                               ": it was changed. Get the skill again and ask for approval again."};
    if (digest_of(bytes) != expected.digest)
        return Error{code::invalid_answer,
                     "The digest of the file differs from its entry: it was changed. Get the skill again and ask for "
                     "approval again."};
    return {};
}

}  // namespace skills
}  // namespace tenon
