// The part of a legacy session that another node needs to continue it.
#pragma once

#include <set>
#include <string>

#include <tenon/log.hpp>

#include "core/server/call.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::core {

/// What `initialize` and later requests of a session have settled. Running calls and open questions are not part of it:
/// they stay on the node that runs the handler.
struct SessionState {
    protocol::Revision revision = protocol::oldest_revision;
    protocol::ClientCapabilities capabilities = {};
    Implementation client = {};
    std::size_t bytes = 0;     ///< charged for the two members above
    Declared declared = {};    ///< what the first node declared to the client
    bool initialized = false;  ///< notifications/initialized was received
    LogLevel log_level = LogLevel::info;
    std::set<std::string> subscriptions = {};  ///< URIs of resources/subscribe
};

/// A change that a request of the client makes to its session. Each node applies the changes of all others to its copy,
/// and the changed node applies its own to the stored record. So no node overwrites the change of another.
struct StateChange {
    enum class Kind { initialized, log_level, subscribe, unsubscribe };
    Kind kind;
    std::string value = {};  ///< the name of the level, or the URI

    friend bool operator==(const StateChange&, const StateChange&) = default;
};

/// Applies a change. Ignores a level that does not exist.
void apply(const StateChange& change, SessionState& state);

}  // namespace tenon::core

#pragma GCC visibility pop
