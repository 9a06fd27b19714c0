// The authenticated identity of a peer.
#pragma once

#include <memory>
#include <string>

#include <tenon/caller.hpp>

#include "base/memory_budget.hpp"

namespace tenon::core {

/// Tasks and request states belong to `principal`. When it is empty, the tasks of a legacy client belong to `session`.
struct PeerIdentity {
    std::string principal = {};
    std::string session = {};
    base::MemoryAccountPtr account = {};  ///< charged for the memory that the server holds because of this peer
    std::shared_ptr<const Caller> caller =
        {};  ///< of messages that come without one; null: only the principal is known
};

}  // namespace tenon::core
