// Calls of restartable tools, as the store keeps them while they run. When the node of a call dies, another node runs
// it again.
//
//   - The call is stored before its handler starts, in the stream `run:LOG` of its session. LOG has its events.
//   - A node that shows LOG, and finds its node gone, stores the call under a log of its own, and then ends LOG with
//   the
//     event `moved:NEW`. The store accepts one end of a log. So exactly one node runs the call, and a late event or
//     answer of the first node is refused.
//   - Readers of LOG continue with NEW.
//   - A cancellation that reaches no node which runs the request is stored, and found by the node that would run it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/server/call.hpp"
#include "core/server/features.hpp"

namespace tenon {

/// A call that may be run again.
struct StoredCall {
    static constexpr int max_runs = 3;  ///< of one call. Its tool may be what kills the nodes

    int runs = 1;           ///< how often the call was started
    std::string tool;       ///< a digest of the tool's definition: see tool_digest()
    std::string principal;  ///< the caller
    std::string request;    ///< in JSON
};

std::string encode(const StoredCall& call);
/// Returns nullopt for text that is not a stored call.
std::optional<StoredCall> decode_stored_call(std::string_view text);

/// Returns the record of a call that starts for the first time.
StoredCall stored_call(const core::Call& call);
/// Returns a digest of everything that clients know about a tool.
std::string tool_digest(const core::ToolEntry& tool);
/// Returns why the call cannot be run again with these features; nullopt: it can.
std::optional<std::string> why_not_again(const StoredCall& call, const core::Features& features,
                                         std::string_view principal);

}  // namespace tenon
