// Announcements between nodes: their form on the bus, and those that this node has sent and not yet heard itself.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include <tenon/json.hpp>

#include "runtime/server_impl.hpp"

namespace tenon {

/// One announcement. No two announcements of a cluster have the same key.
struct KeyedAnnouncement {
    std::uint64_t key;
    Announcement what;
};

/// Returns an announcement with a new random key.
KeyedAnnouncement with_new_key(Announcement what);
/// Returns a key of the state of a task: the same on every node, which makes the same notification from it.
std::uint64_t key_of(const TaskRecord& task);

json::object encode(const KeyedAnnouncement& announcement);
/// Returns nullopt for a message that is not an announcement.
std::optional<KeyedAnnouncement> decode_announcement(const json::object& message);

/// The announcements that this node has sent. It makes each one when the bus brings it back, so that all nodes have the
/// same order. If the bus fails, it makes the announcement itself. take() decides which of the two comes first.
/// Thread-safe.
class SentAnnouncements {
 public:
    static constexpr std::size_t max_waiting = 1024;  ///< of which the bus has brought nothing back yet

    /// Adds an announcement. Returns the oldest one when there are too many: make it now.
    std::optional<KeyedAnnouncement> add(KeyedAnnouncement announcement);
    /// Returns the announcement with this key, once.
    std::optional<KeyedAnnouncement> take(std::uint64_t key);
    /// Returns all, in the order in which they were sent.
    std::vector<KeyedAnnouncement> take_all();

 private:
    std::mutex mutex_;  // guards the members below
    std::deque<KeyedAnnouncement> waiting_;
};

}  // namespace tenon
