// Counts the calls of each principal, over all its sessions: Limits::max_calls_per_second.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <list>
#include <mutex>
#include <string_view>

#include "base/memory_budget.hpp"
#include "base/siphash.hpp"
#include "base/token_bucket.hpp"

namespace tenon {

/// The token buckets of the principals that called last. Thread-safe. Counting takes the same time however many
/// principals there are. An entry has a fixed size: it stores a keyed hash, because a name may be long.
class CallRates {
 public:
    /// Bytes that the table needs for each principal, at most. It needs most of them for a moment, while it grows.
    static constexpr std::size_t max_bytes_per_principal = 112;

    /// Keeps the buckets of at most `most` principals, see Limits::max_counted_principals, and of fewer when the memory
    /// budget refuses more. `charge` pays for them.
    CallRates(const base::SipKey& key, std::size_t most, base::MemoryCharge charge = {})
        : key_(key), most_(most > 0 ? most : 1), charge_(std::move(charge)) {}

    /// Counts a call. Returns zero, or the time until a call is allowed. `continued`: another round of a call that was
    /// counted already.
    Duration count(std::string_view principal, bool continued, base::BucketSize size, TimePoint now) {
        const std::uint64_t hash = base::siphash(key_, principal);
        const std::lock_guard lock(mutex_);
        Entry& entry = use(hash);
        return (continued ? entry.more_rounds : entry.calls).take(size, now);
    }
    std::size_t counted() const {
        const std::lock_guard lock(mutex_);
        return entries_.size();
    }

 private:
    struct Entry {
        explicit Entry(std::uint64_t h) : hash(h) {}
        std::uint64_t hash;
        base::TokenBucket calls, more_rounds;
    };
    using ByHash = boost::unordered_flat_map<std::uint64_t, std::list<Entry>::iterator>;
    // A node of the list has two pointers and a header of the allocator. For the rest see core::RateLimiter::Table.
    static_assert(sizeof(Entry) + 3 * sizeof(void*) + (sizeof(ByHash::value_type) * 15 + 16) / 15 * 16 / 7 * 3 / 2 <=
                  max_bytes_per_principal);

    // Returns the entry, which is the newest from now on.
    Entry& use(std::uint64_t hash) {
        const auto found = by_hash_.find(hash);
        if (found != by_hash_.end()) {
            entries_.splice(entries_.begin(), entries_, found->second);
        } else {
            // The bucket of a silent principal has filled up, as a new one is full.
            if (!has_room() && !entries_.empty()) {
                by_hash_.erase(entries_.back().hash);
                entries_.pop_back();
            }
            entries_.emplace_front(hash);
            by_hash_.emplace(hash, entries_.begin());
        }
        return entries_.front();
    }

    bool has_room() {
        const std::size_t next = entries_.size() + 1;
        return next <= most_ && charge_.cover(next * max_bytes_per_principal) == base::MemoryDecision::granted;
    }

    const base::SipKey key_;
    const std::size_t most_;
    mutable std::mutex mutex_;  // guards the members below
    base::MemoryCharge charge_;
    std::list<Entry> entries_;  // the last used one first
    ByHash by_hash_;
};

}  // namespace tenon
