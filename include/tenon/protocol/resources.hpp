// Resources: data that a client may read, by URI or by URI template (RFC 6570).
// https://modelcontextprotocol.io/specification/2025-11-25/server/resources
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/protocol/content.hpp>

namespace tenon {

struct Resource {
    std::string uri;  ///< RFC 3986, absolute
    std::string name;
    std::string title = {};
    std::string description = {};
    std::string mimeType = {};
    std::optional<std::uint64_t> size = {};
    Annotations annotations = {};
    std::vector<Icon> icons = {};
    json::object meta = {};
};

struct ResourceTemplate {
    std::string uriTemplate;  ///< RFC 6570, for example "file:///logs/{day}"
    std::string name;
    std::string title = {};
    std::string description = {};
    std::string mimeType = {};
    Annotations annotations = {};
    std::vector<Icon> icons = {};
    json::object meta = {};
};

/// What a resource handler is asked for. The URI was checked: RFC 3986, and no "." or ".." segment in any spelling.
struct ResourceRequest {
    std::string uri;
    std::map<std::string, std::vector<std::string>, std::less<>> variables = {};  ///< of the template, decoded

    /// The value of a template variable; empty when it did not occur.
    std::string var(std::string_view name) const {
        const auto it = variables.find(name);
        return it == variables.end() || it->second.empty() ? std::string() : it->second.front();
    }
};

/// Bytes that are not text.
struct Blob {
    std::string bytes;
};

struct ReadResult {
    std::vector<ResourceContents> contents = {};
    std::optional<CacheHints> cache = {};  ///< the server's when empty
    json::object meta = {};
};

/// The error for a resource that is not there: throw it from a resource handler.
Exception resource_not_found(std::string_view uri);

}  // namespace tenon
