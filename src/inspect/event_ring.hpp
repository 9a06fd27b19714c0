// EventRing: the newest events, numbered, for streams that may fall behind. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace tenon::inspect {

/// Keeps events within two limits and forgets the oldest. Not thread-safe.
class EventRing {
 public:
    struct Limits {
        std::size_t max_events = 5000;
        std::size_t max_bytes = 16 * 1024 * 1024;  ///< of the data of all events
    };
    EventRing() = default;
    explicit EventRing(Limits limits) : limits_(limits) {}

    /// Adds an event. `data` is JSON on one line. Returns its number, counted from 1.
    std::uint64_t add(std::string_view type, std::string_view data);
    std::uint64_t last() const { return first_ + events_.size() - 1; }

    /// Returns the events after number `cursor` as server-sent events, at least one and at most about `max_bytes`.
    /// Moves the cursor behind them. When some were forgotten, the text begins with the event `lost`. Empty: nothing is
    /// new.
    std::string after(std::uint64_t& cursor, std::size_t max_bytes) const;

 private:
    Limits limits_;
    std::deque<std::string> events_;  // in the form in which they are sent
    std::uint64_t first_ = 1;         // number of the front
    std::size_t bytes_ = 0;
};

/// Writes one server-sent event without a number.
std::string write_event(std::string_view type, std::string_view data);

}  // namespace tenon::inspect
