// When a stream that broke is asked for again: as soon as the server said, and less often the more often that fails.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include <tenon/limits.hpp>

namespace tenon::web {

struct ReconnectPolicy {
    Duration first = std::chrono::seconds(1);        ///< when the server says nothing
    Duration most = std::chrono::seconds(30);        ///< the wait doubles up to this
    std::size_t attempts = 10;                       ///< in a row without an event
    Duration least = std::chrono::milliseconds(50);  ///< also when the server wants less: it might want a busy loop
};

class Reconnect {
 public:
    explicit Reconnect(ReconnectPolicy policy) : policy_(policy) {}

    /// The stream has brought something: it is worth another try.
    void event() { failed_ = 0; }
    /// The server's own wish, which is never undercut.
    void retry(Duration wish) { wish_ = wish; }

    /// How long to wait before the next attempt; nothing when there have been enough.
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
