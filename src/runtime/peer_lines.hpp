// Limits the log lines that a peer causes, so that it cannot fill the log.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/protocol/tasks.hpp>

namespace tenon {

/// Counts the events of each peer that are worth a log line, for example its refused requests. Thread-safe.
class PeerLines {
 public:
    static constexpr std::size_t max_lines = 60;  ///< of one peer in one period
    static constexpr std::chrono::minutes period{1};
    static constexpr std::size_t max_peers = 1000;  ///< that are counted; others count together

    struct Line {
        bool is_last = false;       ///< more events of this peer are not logged until the period is over
        std::uint64_t skipped = 0;  ///< events of this peer, before this one, that were not logged
    };
    /// Counts an event. Returns nullopt if it is not logged.
    std::optional<Line> count(std::string_view peer, WallTime now) {
        const std::lock_guard lock(mutex_);
        Peer& one = find(peer, now);
        Line out;
        if (now >= one.end || now + period < one.end) {  // the second: the clock was set back
            out.skipped = one.events > max_lines ? one.events - max_lines : 0;
            one = {now + period, 0};
        }
        if (++one.events > max_lines) return std::nullopt;
        out.is_last = one.events == max_lines;
        return out;
    }

 private:
    struct Peer {
        WallTime end = {};
        std::uint64_t events = 0;
    };

    Peer& find(std::string_view name, WallTime now) {
        if (const auto it = peers_.find(name); it != peers_.end()) return it->second;
        if (peers_.size() >= max_peers && (now >= next_cleaning_ || now + period < next_cleaning_)) {
            std::erase_if(peers_, [now](const auto& peer) { return now >= peer.second.end; });
            next_cleaning_ = now + period;
        }
        return peers_.size() >= max_peers ? others_ : peers_[std::string(name)];
    }

    std::mutex mutex_;  // guards the members below
    std::map<std::string, Peer, std::less<>> peers_;
    Peer others_;
    WallTime next_cleaning_ = {};
};

}  // namespace tenon
