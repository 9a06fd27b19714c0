#include "core/server/redaction.hpp"

namespace tenon::core {

void Redaction::apply(std::string& text) const {
    if (!redact_ || text.empty()) return;
    try {
        redact_(text);
    } catch (...) {
        text = "[the redaction failed]";  // never send text that could not be redacted
    }
}

void Redaction::apply(json::value& v) const {
    if (!redact_) return;
    if (auto* s = v.if_string()) {
        std::string text(*s);
        apply(text);
        *s = text;
    } else if (auto* o = v.if_object()) {
        apply(*o);
    } else if (auto* a = v.if_array()) {
        for (auto& element : *a) apply(element);
    }
}

void Redaction::apply(json::object& o) const {
    if (!redact_) return;
    json::object out(o.storage());
    for (auto& member : o) {
        std::string name(member.key());
        apply(name);
        apply(member.value());
        out.insert_or_assign(name, std::move(member.value()));
    }
    o = std::move(out);
}

void Redaction::apply(ResourceContents& contents) const {
    apply(contents.uri);
    apply(contents.text);
    apply(contents.meta);
}

void Redaction::apply(Content& content) const {
    if (auto* text = std::get_if<TextContent>(&content)) {
        apply(text->text);
    } else if (auto* resource = std::get_if<EmbeddedResource>(&content)) {
        apply(resource->resource);
    } else if (auto* link = std::get_if<ResourceLink>(&content)) {
        for (std::string* part : {&link->uri, &link->name, &link->title, &link->description}) apply(*part);
    }
    std::visit([this](auto& c) { apply(c.meta); }, content);
}

void Redaction::apply(ToolResult& result) const {
    if (!redact_) return;
    for (Content& content : result.content) apply(content);
    if (result.structuredContent) apply(*result.structuredContent);
    apply(result.meta);
}

void Redaction::apply(ReadResult& result) const {
    if (!redact_) return;
    for (ResourceContents& contents : result.contents) apply(contents);
    apply(result.meta);
}

void Redaction::apply(PromptResult& result) const {
    if (!redact_) return;
    apply(result.description);
    for (PromptMessage& message : result.messages) apply(message.content);
    apply(result.meta);
}

void Redaction::apply(Completion& completion) const {
    if (!redact_) return;
    for (std::string& value : completion.values) apply(value);
}

void Redaction::apply(Error& error) const {
    if (!redact_ || detail::is_replayed(error)) return;
    apply(error.message);
    apply(error.data);
}

}  // namespace tenon::core
