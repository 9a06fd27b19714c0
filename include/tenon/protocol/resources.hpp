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

#pragma GCC visibility push(default)

namespace tenon {

/// The definition of a resource.
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

/// The definition of all resources whose URI matches a template.
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

/// The request that a resource handler gets. The URI was checked: it follows RFC 3986 and has no "." or ".." segment,
/// also not percent-encoded.
struct ResourceRequest {
    std::string uri;
    std::map<std::string, std::vector<std::string>, std::less<>> variables = {};  ///< template variables, decoded

    /// Returns the first value of a template variable; empty when the URI has none.
    std::string var(std::string_view name) const {
        const auto it = variables.find(name);
        return it == variables.end() || it->second.empty() ? std::string() : it->second.front();
    }
};

/// Binary data, as the return value of a resource handler.
struct Blob {
    std::string bytes;
};

/// The result of resources/read.
struct ReadResult {
    std::vector<ResourceContents> contents = {};
    std::optional<CacheHints> cache = {};  ///< empty: ServerOptions::cache
    json::object meta = {};
};

/// One page of a list of resources.
struct ResourcePage {
    std::vector<Resource> resources = {};
    std::string next = {};  ///< where the next page begins, in your own form; empty: this is the last page
};

/// Makes the error for a resource that does not exist. Throw it from a resource handler.
Exception resource_not_found(std::string_view uri);

}  // namespace tenon

#pragma GCC visibility pop
