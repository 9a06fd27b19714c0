// Apps (the extension io.modelcontextprotocol/ui): which tools belong to one, and which clients can show them.
#pragma once

#include "core/server/features.hpp"
#include "protocol/read.hpp"

namespace tenon::core {

/// Reads `_meta.ui` of a tool into the entry. Fails when it is malformed.
Result<void> read_app(ToolEntry& entry);

/// Returns an error that names a tool whose app is not registered, if there is one.
Result<void> check_apps(const Features& features);

/// Returns whether the client can show apps.
bool shows_apps(const protocol::ClientCapabilities& capabilities);

/// Returns whether the client may see and call a tool. A tool that is only for apps is hidden from clients without
/// apps: such a client would offer it to the model.
inline bool may_see(const ToolEntry& tool, const protocol::ClientCapabilities& capabilities) {
    return !tool.only_for_apps || shows_apps(capabilities);
}

}  // namespace tenon::core
