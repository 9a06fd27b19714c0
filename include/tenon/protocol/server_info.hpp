// A server's description of itself, from its response to `initialize`, or to `server/discover` in 2026-07-28.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tenon/protocol/common.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// The capabilities that a server declared.
struct ServerCapabilities {
    bool tools = false;
    bool tools_list_changed = false;
    bool resources = false;
    bool resources_list_changed = false;
    bool resources_subscribe = false;
    bool prompts = false;
    bool prompts_list_changed = false;
    bool completions = false;
    bool logging = false;
    bool tasks = false;
    json::object raw = {};  ///< as received, for capabilities without a member here

    /// Returns whether the server declared this protocol extension.
    bool has_extension(std::string_view name) const;
};

/// A server's description of itself.
struct ServerInfo {
    Implementation info = {};  ///< as the server claims; not verified
    ServerCapabilities capabilities = {};
    std::string instructions = {};
    std::string protocolVersion = {};                 ///< the negotiated revision
    std::vector<std::string> supportedVersions = {};  ///< the revisions that the server offered; 2026-07-28
};

}  // namespace tenon

#pragma GCC visibility pop
