// Bounds the reading of a list, in case the server's list never ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>

#include <tenon/client_options.hpp>
#include <tenon/error.hpp>

#include "base/siphash.hpp"

namespace tenon::core {

/// Counts the pages of one list against the limits of the client. Errors name the limit that was hit.
///
/// Stores a keyed hash of each cursor, since a cursor may be as large as a message.
class PageGuard {
 public:
    /// `key` is random, so that a server cannot choose cursors with the same hash.
    PageGuard(const ClientLimits& limits, const base::SipKey& key) : limits_(limits), key_(key) {}

    /// Counts a page that arrived.
    Result<void> page(std::size_t entries, std::size_t bytes, Duration waited);
    /// Checks whether another page may be requested with this cursor.
    Result<void> next(std::string_view cursor);
    /// Returns how long the remaining pages may take.
    Duration time_left() const { return limits_.list_time - waited_; }
    /// Returns the error for a page that did not arrive within time_left().
    Error too_slow() const;

 private:
    const ClientLimits& limits_;
    const base::SipKey key_;
    std::size_t entries_ = 0, bytes_ = 0;
    Duration waited_ = {};
    std::unordered_set<std::uint64_t> cursors_;
};

}  // namespace tenon::core
