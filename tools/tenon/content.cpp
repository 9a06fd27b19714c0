#include "content.hpp"

#include <sys/stat.h>

#include "describe.hpp"
#include "json_text.hpp"

namespace tenon::program {
namespace {

constexpr int most_names = 10'000;

bool is_folder(const std::string& path) {
    struct stat st {};
    return ::stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

// Returns the last segment of a URI, which makes a better file name than its beginning.
std::string last_segment(std::string_view uri) {
    uri = uri.substr(0, uri.find_first_of("?#"));
    while (uri.ends_with('/')) uri.remove_suffix(1);
    return std::string(uri.substr(uri.rfind('/') + 1));
}

bool exists(const std::string& path) {
    struct stat st {};
    return ::lstat(path.c_str(), &st) == 0;
}

}  // namespace

Keeper::Keeper(const CommandLine& line) : wanted_(line.has("save")), path_(line.last("save")) {
    if (line.has("force")) existing_ = Existing::overwrite;
    if (line.has("force") && !wanted_) throw usage_failure("--force needs --save");
    if (wanted_ && line.has("json"))
        throw usage_failure("--save and --json cannot be combined", "the JSON has the bytes, as base64");
    if (wanted_ && path_.empty()) throw usage_failure("--save needs a folder or a file");
    if (path_.ends_with('/') && !is_folder(path_) && ::mkdir(path_.c_str(), 0777) != 0)
        throw usage_failure("cannot make the folder " + path_);
    folder_ = is_folder(path_);
    if (!folder_ && wanted_ && existing_ == Existing::refuse && exists(path_))
        throw usage_failure(path_ + " is there already", "--force overwrites it");
}

std::optional<std::string> Keeper::keep(const std::string& name, const std::string& mime_type,
                                        const std::string& bytes) {
    if (!wanted_) return std::nullopt;
    if (!folder_) return keep_as_file(bytes);
    std::string file = safe_file_name(name);
    if (const std::string extension = extension_of(mime_type); !file.ends_with(extension)) file += extension;
    return keep_in_folder(file, bytes);
}

std::string Keeper::keep_as_file(const std::string& bytes) {
    if (used_) throw usage_failure("there is more than one thing to save", "give --save a folder");
    used_ = true;
    if (auto made = make_file(path_, bytes, existing_); !made)
        throw usage_failure("cannot write " + path_ + ": " + made.error().message,
                            existing_ == Existing::refuse ? "--force overwrites a file that is there" : "");
    return path_;
}

std::string Keeper::keep_in_folder(const std::string& file_name, const std::string& bytes) const {
    const std::size_t dot = file_name.rfind('.');
    std::string path;
    Result<void> made;
    for (int n = 1; n <= most_names; ++n) {
        path = path_ + (path_.ends_with('/') ? "" : "/") + file_name.substr(0, dot);
        if (n > 1) path += "-" + std::to_string(n);
        path += file_name.substr(dot);
        if (existing_ == Existing::refuse && exists(path)) continue;
        made = make_file(path, bytes, existing_);
        if (made) return path;
        if (!exists(path)) break;  // a real error, not another process that created the file first
    }
    throw usage_failure("cannot write " + path + ": " + (made ? "too many of that name" : made.error().message));
}

void ContentWriter::text(const std::string& text) {
    out_ << safe_text(text);
    if (!text.ends_with('\n')) out_ << "\n";
}

void ContentWriter::bytes(const std::string& name, const std::string& mime_type, const std::string& data) {
    SafeText line = "[" + safe_line(mime_type.empty() ? "bytes" : mime_type) + ", " + size_words(data.size());
    if (const auto path = keeper_.keep(name, mime_type, data)) {
        line += ", saved as " + safe_line(*path);
    } else {
        dropped_ = true;
    }
    out_ << Styled(Look::cyan, line + "]") << "\n";
}

void ContentWriter::link(const ResourceLink& link) {
    out_ << Styled(Look::cyan, "-> " + safe_line(link.uri));
    if (!link.title.empty() || !link.name.empty())
        out_ << "  " << safe_line(link.title.empty() ? link.name : link.title);
    SafeText facts = safe_line(link.mimeType);
    if (link.size) facts += (facts.empty() ? SafeText() : SafeText(", ")) + size_words(*link.size);
    if (!facts.empty()) out_ << Styled(Look::dim, " (" + facts + ")");
    out_ << "\n";
}

void ContentWriter::write(const Content& content) {
    if (const auto* t = std::get_if<TextContent>(&content)) {
        text(t->text);
    } else if (const auto* image = std::get_if<ImageContent>(&content)) {
        bytes(name_, image->mimeType, image->bytes);
    } else if (const auto* audio = std::get_if<AudioContent>(&content)) {
        bytes(name_, audio->mimeType, audio->bytes);
    } else if (const auto* pointer = std::get_if<ResourceLink>(&content)) {
        link(*pointer);
    } else {
        const ResourceContents& inside = std::get<EmbeddedResource>(content).resource;
        out_ << Styled(Look::cyan, safe_line(inside.uri) + ":") << "\n";
        write(inside);
    }
}

void ContentWriter::write(const ResourceContents& contents) {
    if (contents.blob) return bytes(last_segment(contents.uri), contents.mimeType, *contents.blob);
    text(contents.text);
}

void ContentWriter::write(const json::value& structured) { out_ << pretty_json(structured) << "\n"; }

}  // namespace tenon::program
