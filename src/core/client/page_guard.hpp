// Keeps a list that never ends from being read for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>

#include <tenon/client_options.hpp>
#include <tenon/error.hpp>

#include "base/siphash.hpp"

namespace tenon::core {

/// Counts the pages of one list against the limits of the client. An error names the limit that was hit.
///
/// Cursors are remembered by a keyed hash, since a server may make them as large as a message.
class PageGuard {
 public:
    /// `key` is random, so that a server cannot choose cursors with the same hash.
    PageGuard(const ClientLimits& limits, const base::SipKey& key) : limits_(limits), key_(key) {}

    /// A page has come.
    Result<void> page(std::size_t entries, std::size_t bytes, Duration waited);
    /// Another page is to be asked for with this cursor.
    Result<void> next(std::string_view cursor);
    /// How long the pages that are left may take.
    Duration time_left() const { return limits_.list_time - waited_; }
    /// The error of a page that did not come within that.
    Error too_slow() const;

 private:
    const ClientLimits& limits_;
    const base::SipKey key_;
    std::size_t entries_ = 0, bytes_ = 0;
    Duration waited_ = {};
    std::unordered_set<std::uint64_t> cursors_;
};

}  // namespace tenon::core
