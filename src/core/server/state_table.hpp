// Keeps the states of calls that wait for the client's input. They stay in this process, so they need no encryption.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <tenon/limits.hpp>
#include <tenon/protocol/tasks.hpp>

#include "base/siphash.hpp"
#include "core/memory.hpp"

namespace tenon::core {

/// A state for StateTable::add().
struct NewState {
    std::string state;
    std::string_view binding;  ///< find() must get the same binding
    MemoryAccountPtr account;  ///< charged while the state is kept; identifies the peer
    WallTime expires;
};

/// States by their handles. A state may be read several times until it expires, because a client may repeat a request.
///
/// Holds at most Limits::max_request_states. If there are several peers, each may use a quarter of them. A peer that
/// adds more loses its own oldest state. A full table drops the oldest state of all peers. Not thread-safe.
class StateTable {
 public:
    /// `key` must be random.
    StateTable(const Limits& limits, const base::SipKey& key)
        : max_states_(limits.max_request_states), max_bytes_(limits.max_message_bytes), key_(key) {}

    /// Keeps a state. `handle` must be random, because a client that knows it can use the state. Fails when
    /// the state is larger than max_message_bytes, or when the peer has no memory left for it.
    Result<void> add(std::string handle, NewState state, WallTime now);
    Result<std::string> find(std::string_view handle, std::string_view binding, WallTime now) const;

    std::size_t size() const { return states_.size(); }

 private:
    using Order = std::uint64_t;
    using Peer = const base::MemoryAccount*;
    struct Kept {
        std::string handle;
        std::string state;
        std::uint64_t binding;  ///< a keyed hash: bindings can be as long as messages
        WallTime expires;
        MemoryCharge charge;
    };

    void make_room(const MemoryAccountPtr& account, WallTime now);
    Result<MemoryCharge> charge(const MemoryAccountPtr& account, std::size_t bytes);
    void drop(Order order);
    void drop_oldest_of(Peer peer);
    std::size_t count_of(Peer peer) const;
    std::size_t share_of(const MemoryAccountPtr& account) const;

    const std::size_t max_states_, max_bytes_;
    const base::SipKey key_;
    Order last_order_ = 0;
    std::map<Order, Kept> states_;  // the oldest first
    std::map<std::string, Order, std::less<>> orders_;
    std::map<Peer, std::set<Order>> peers_;
};

}  // namespace tenon::core
