// Content blocks: the parts of tool results, prompts and sampling messages.
// https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <tenon/protocol/common.hpp>

#pragma GCC visibility push(default)

namespace tenon {

struct TextContent {
    std::string text;
    Annotations annotations = {};
    json::object meta = {};
};

struct ImageContent {
    std::string bytes;  ///< the raw image; Tenon encodes it as base64
    std::string mimeType;
    Annotations annotations = {};
    json::object meta = {};
};

/// Audio. From 2025-03-26 on; older clients get a text with the type and the size instead.
struct AudioContent {
    std::string bytes;  ///< the raw audio; Tenon encodes it as base64
    std::string mimeType;
    Annotations annotations = {};
    json::object meta = {};
};

/// The contents of a resource: text, or bytes that Tenon encodes as base64.
struct ResourceContents {
    std::string uri;
    std::string mimeType = {};
    std::string text = {};
    std::optional<std::string> blob = {};  ///< raw bytes; when set, `text` is not sent
    json::object meta = {};
};

/// A resource whose contents are part of the message.
struct EmbeddedResource {
    ResourceContents resource;
    Annotations annotations = {};
    json::object meta = {};
};

/// A link to a resource that the client may read. From 2025-06-18 on; older clients get a text with the name and the
/// URI.
struct ResourceLink {
    std::string uri;
    std::string name;
    std::string title = {};
    std::string description = {};
    std::string mimeType = {};
    std::optional<std::uint64_t> size = {};
    Annotations annotations = {};
    std::vector<Icon> icons = {};
    json::object meta = {};
};

using Content = std::variant<TextContent, ImageContent, AudioContent, ResourceLink, EmbeddedResource>;

inline Content text(std::string s) { return TextContent{std::move(s)}; }
inline Content image(std::string bytes, std::string mime_type) {
    return ImageContent{std::move(bytes), std::move(mime_type)};
}
inline Content audio(std::string bytes, std::string mime_type) {
    return AudioContent{std::move(bytes), std::move(mime_type)};
}

}  // namespace tenon

#pragma GCC visibility pop
