// Writes content, and the results that consist of it: of tools, resources and prompts.
#include <algorithm>

#include "base/base64.hpp"
#include "protocol/write_parts.hpp"

namespace tenon::protocol {

namespace {

constexpr const char* any_bytes = "application/octet-stream";

struct Signature {
    std::size_t at;
    std::string_view bytes;
    std::string_view mime_type;
};

constexpr Signature signatures[] = {
    {0, "\x89PNG", "image/png"}, {0, "\xFF\xD8\xFF", "image/jpeg"}, {0, "GIF8", "image/gif"},
    {8, "WEBP", "image/webp"},   {8, "WAVE", "audio/wav"},          {0, "OggS", "audio/ogg"},
    {0, "fLaC", "audio/flac"},   {0, "ID3", "audio/mpeg"},          {0, "\xFF\xFB", "audio/mpeg"},
};

// Returns the type of an image or a sound that its author left empty.
std::string_view recognised_type(std::string_view bytes) {
    for (const Signature& s : signatures)
        if (bytes.size() > s.at && bytes.substr(s.at).starts_with(s.bytes)) return s.mime_type;
    return any_bytes;
}

}  // namespace

std::string_view to_string(Role role) { return role == Role::user ? "user" : "assistant"; }

void write_annotations(Writer& w, const Annotations& a, const Rules& rules) {
    if (a.empty()) return;
    w.key("annotations");
    w.begin_object();
    if (!a.audience.empty()) {
        w.key("audience");
        w.begin_array();
        for (const Role role : a.audience) w.string(to_string(role));
        w.end_array();
    }
    if (a.priority) write_optional(w, "priority", std::optional(std::clamp(*a.priority, 0.0, 1.0)));
    if (rules.has(Trait::last_modified)) write_optional(w, "lastModified", a.lastModified);
    w.end_object();
}

void write_icons(Writer& w, const std::vector<Icon>& icons, const Rules& rules) {
    if (icons.empty() || !rules.has(Trait::icons)) return;
    w.key("icons");
    w.begin_array();
    for (const Icon& icon : icons) {
        w.begin_object();
        w.field("src", icon.src);
        write_optional(w, "mimeType", icon.mimeType);
        if (!icon.sizes.empty()) {
            w.key("sizes");
            w.begin_array();
            for (const std::string& size : icon.sizes) w.string(size);
            w.end_array();
        }
        write_optional(w, "theme", icon.theme);
        w.end_object();
    }
    w.end_array();
}

void write(Writer& w, const Implementation& v, const Rules& rules) {
    w.begin_object();
    w.field("name", v.name);
    w.field("version", v.version);
    write_title(w, v.title, rules);
    if (rules.has(Trait::icons)) {
        write_optional(w, "description", v.description);
        write_optional(w, "websiteUrl", v.websiteUrl);
    }
    write_icons(w, v.icons, rules);
    w.end_object();
}

void write(Writer& w, const ResourceContents& v, const Rules& rules) {
    w.begin_object();
    w.field("uri", v.uri);
    w.field("mimeType", v.mimeType.empty() ? std::string_view(v.blob ? any_bytes : "text/plain") : v.mimeType);
    if (v.blob)
        w.field("blob", base::base64_encode(*v.blob));
    else
        w.field("text", v.text);
    write_entity_meta(w, v.meta, rules);
    w.end_object();
}

namespace {

class ContentWriter {
 public:
    ContentWriter(Writer& w, const Rules& rules) : w_(w), rules_(rules) {}

    void operator()(const TextContent& c) const {
        begin("text");
        w_.field("text", c.text);
        end(c.annotations, c.meta);
    }
    void operator()(const ImageContent& c) const { media("image", c.bytes, c.mimeType, c.annotations, c.meta); }
    void operator()(const AudioContent& c) const {
        if (rules_.has(Trait::audio)) return media("audio", c.bytes, c.mimeType, c.annotations, c.meta);
        (*this)(TextContent{"[" + c.mimeType + ", " + std::to_string(c.bytes.size()) +
                            " bytes: this revision of the protocol has no audio content]"});
    }
    void operator()(const ResourceLink& c) const {
        if (!rules_.has(Trait::resource_links)) return (*this)(TextContent{c.name + ": " + c.uri});
        begin("resource_link");
        w_.field("uri", c.uri);
        w_.field("name", c.name);
        write_title(w_, c.title, rules_);
        write_optional(w_, "description", c.description);
        write_optional(w_, "mimeType", c.mimeType);
        write_optional(w_, "size", c.size);
        write_icons(w_, c.icons, rules_);
        end(c.annotations, c.meta);
    }
    void operator()(const EmbeddedResource& c) const {
        begin("resource");
        w_.key("resource");
        write(w_, c.resource, rules_);
        end(c.annotations, c.meta);
    }

 private:
    void begin(const char* type) const {
        w_.begin_object();
        w_.field("type", type);
    }
    void end(const Annotations& annotations, const json::object& meta) const {
        write_annotations(w_, annotations, rules_);
        write_entity_meta(w_, meta, rules_);
        w_.end_object();
    }
    void media(const char* type, const std::string& bytes, const std::string& mime_type, const Annotations& annotations,
               const json::object& meta) const {
        begin(type);
        w_.field("data", base::base64_encode(bytes));
        w_.field("mimeType", mime_type.empty() ? recognised_type(bytes) : mime_type);
        end(annotations, meta);
    }

    Writer& w_;
    const Rules& rules_;
};

bool may_send(const json::value& structured, const Rules& rules) {
    return rules.has(Trait::structured_content) && (structured.is_object() || rules.has(Trait::structured_any_value));
}

}  // namespace

void write(Writer& w, const Content& v, const Rules& rules) { std::visit(ContentWriter(w, rules), v); }

void write(Writer& w, const ToolResult& v, const Rules& rules) {
    w.begin_object();
    if (v.content.empty() && v.structuredContent) {
        write_list(w, "content", std::vector<Content>{TextContent{json::write(*v.structuredContent)}}, rules);
    } else {
        write_list(w, "content", v.content, rules);
    }
    if (v.structuredContent && may_send(*v.structuredContent, rules))
        w.field("structuredContent", *v.structuredContent);
    if (v.isError) w.field("isError", true);
    w.end_object();
}

void write(Writer& w, const ReadResult& v, const Rules& rules) {
    w.begin_object();
    write_list(w, "contents", v.contents, rules);
    write_cache_hints(w, v.cache.value_or(CacheHints{}), rules);
    w.end_object();
}

void write(Writer& w, const PromptResult& v, const Rules& rules) {
    w.begin_object();
    write_optional(w, "description", v.description);
    w.key("messages");
    w.begin_array();
    for (const PromptMessage& m : v.messages) {
        w.begin_object();
        w.field("role", to_string(m.role));
        w.key("content");
        write(w, m.content, rules);
        w.end_object();
    }
    w.end_array();
    w.end_object();
}

}  // namespace tenon::protocol
