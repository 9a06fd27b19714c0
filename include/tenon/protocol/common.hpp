// Types that several features share: roles, annotations, icons, implementation names, cache hints, pages.
// https://modelcontextprotocol.io/specification/2025-11-25/schema
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <tenon/json.hpp>

#pragma GCC visibility push(default)

namespace tenon {

enum class Role { user, assistant };

/// Hints for the client about content and resources. Empty members are not sent.
struct Annotations {
    std::vector<Role> audience = {};
    std::optional<double> priority = {};  ///< 0 (optional) to 1 (required)
    std::string lastModified = {};        ///< ISO 8601; from 2025-06-18 on

    bool empty() const { return audience.empty() && !priority && lastModified.empty(); }
};

/// An icon for user interfaces. From 2025-11-25 on.
struct Icon {
    std::string src;  ///< an https: or data: URI
    std::string mimeType = {};
    std::vector<std::string> sizes = {};  ///< "48x48" or "any"
    std::string theme = {};               ///< "light", "dark" or empty
};

/// The name and version of a server or client.
struct Implementation {
    std::string name;
    std::string version;
    std::string title = {};        ///< from 2025-06-18 on
    std::string description = {};  ///< from 2025-11-25 on
    std::string websiteUrl = {};   ///< from 2025-11-25 on
    std::vector<Icon> icons = {};  ///< from 2025-11-25 on
};

/// Tells clients of 2026-07-28 how long they may cache a result, and whether they may share it.
struct CacheHints {
    std::chrono::milliseconds ttl{0};  ///< 0: do not cache
    bool shared = false;               ///< the result is the same for all callers, so gateways may share it
};

/// One page of a list.
template <class T>
struct Page {
    std::vector<T> items = {};
    std::optional<std::string> nextCursor = {};  ///< empty: this is the last page
};

}  // namespace tenon

#pragma GCC visibility pop
