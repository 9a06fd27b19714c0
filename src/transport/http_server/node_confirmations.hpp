// Messages that other nodes must confirm before a client is answered.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tenon/limits.hpp>

namespace tenon {

/// The messages of this node that wait for confirmations. Each wait is bounded. A node that did not confirm in time is
/// silent: it is not waited for again until something is heard of it. Thread-safe. Calls nothing under its lock.
class NodeConfirmations {
 public:
    /// For the confirmations of one message, from the first tick after it. A late tick must not end a wait that has
    /// just begun.
    static constexpr std::chrono::milliseconds max_wait{1'000};
    static constexpr std::size_t max_waiting = 4096;  ///< messages. One more is not waited for
    static constexpr std::size_t max_silent = 1024;   ///< silent nodes that are remembered
    using Done = std::function<void()>;

    /// Adds a message that these nodes must confirm, and returns its token. `done` is called once: when all have
    /// confirmed it, or after max_wait. nullopt: there is nothing to wait for, and `done` is not called.
    std::optional<std::uint64_t> add(const std::vector<std::string>& nodes, Done done);
    /// Takes the confirmation of a node. Tokens that are not known have no effect.
    void confirm(std::uint64_t token, const std::string& node);
    /// Waits no longer for this message, and does not call its `done`. Returns false if that was called already.
    bool drop(std::uint64_t token);
    /// Something was heard of this node.
    void heard(const std::string& node);
    void tick(TimePoint now);
    std::size_t waiting() const;

 private:
    struct Waiting {
        std::set<std::string> nodes;
        Done done;
        std::optional<TimePoint> since = {};  // the first tick
    };
    mutable std::mutex mutex_;  // guards the members below
    std::uint64_t last_token_ = 0;
    std::map<std::uint64_t, Waiting> waiting_;
    std::set<std::string> silent_;
    std::atomic<bool> any_silent_{false};  // read without the lock
};

}  // namespace tenon
