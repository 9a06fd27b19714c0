// Decides when to resume a stream that broke. Starts with the time that the server set, and backs off after failures.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include <tenon/limits.hpp>

namespace tenon::web {

struct ReconnectPolicy {
    Duration first = std::chrono::seconds(1);        ///< first wait, if the server sets none
    Duration most = std::chrono::seconds(30);        ///< the wait doubles up to this
    std::size_t attempts = 10;                       ///< attempts in a row without an event
    Duration least = std::chrono::milliseconds(50);  ///< shortest wait, even if the server asks for less
};

/// The back-off of one stream. Not thread-safe.
class Reconnect {
 public:
    explicit Reconnect(ReconnectPolicy policy) : policy_(policy) {}

    /// Starts counting attempts again, because the stream has brought an event.
    void event() { failed_ = 0; }
    /// Sets the wait that the server asked for (`retry:`). No wait is shorter than that.
    void retry(Duration wish) { wish_ = wish; }

    /// Returns the time to wait before the next attempt; nullopt when there were too many attempts.
    std::optional<Duration> next() {
        if (failed_ >= policy_.attempts) return std::nullopt;
        const Duration begin = wish_.value_or(policy_.first);
        Duration wait = std::max(begin, policy_.least);
        for (std::size_t i = 0; i < failed_ && wait < policy_.most; ++i) wait *= 2;
        ++failed_;
        return std::max(std::min(wait, policy_.most), begin);
    }

 private:
    ReconnectPolicy policy_;
    std::size_t failed_ = 0;
    std::optional<Duration> wish_;
};

}  // namespace tenon::web
