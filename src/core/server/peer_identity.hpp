// The authenticated identity of a peer.
#pragma once

#include <string>

#include "base/memory_budget.hpp"

namespace tenon::core {

/// Tasks and request states belong to `principal`. When it is empty, the tasks of a legacy client belong to `session`.
struct PeerIdentity {
    std::string principal = {};
    std::string session = {};
    base::MemoryAccountPtr account = {};  ///< charged for the memory that the server holds because of this peer
};

}  // namespace tenon::core
