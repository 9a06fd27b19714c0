// Rate limits that several nodes count together, with a store. See base/shared_bucket.hpp for what holds.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/limits.hpp>
#include <tenon/store.hpp>

#include "base/memory_budget.hpp"
#include "base/shared_bucket.hpp"
#include "base/siphash.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon {

/// The shared buckets that this node has used last. Thread-safe. Never waits: calls are reported to the store while
/// others are counted. Holds no lock while it calls the store.
class SharedRates : public std::enable_shared_from_this<SharedRates> {
 public:
    static constexpr std::size_t max_reports = 256;  ///< at once; more wait for a later call
    static constexpr int max_conflicts = 8;          ///< attempts to change a bucket that other nodes change too
    static constexpr std::chrono::seconds pause{1};  ///< without reports, after the store has failed
    static constexpr std::chrono::seconds clock_interval{60};  ///< between two looks at the clock of the store
    static constexpr std::size_t max_bytes_per_bucket = 160;   ///< that the table needs

    struct Options {
        std::shared_ptr<Store> store = {};
        std::size_t max_counted = 10'000;  ///< buckets; the one that has been silent for longest is forgotten first
        base::SipKey key = {};             ///< random: clients must not know it
        std::function<TimePoint()> clock = [] { return Clock::now(); };
    };
    /// `charge` pays for the buckets.
    explicit SharedRates(Options options, base::MemoryCharge charge = {});

    /// Counts a call. Returns zero, or the time until a call is allowed. `what` names the limit, without a newline.
    Duration count(std::string_view what, std::string_view principal, const base::BucketPace& pace);
    /// Looks at the clock of the store when it is time. Call it at once, and then regularly. Until the store has
    /// answered, count() allows everything.
    void tick();
    /// Lets go of the store. Afterwards count() allows everything.
    void leave();

 private:
    using Time = base::BucketPace::Time;
    using StorePtr = std::shared_ptr<Store>;
    struct Entry {
        std::uint64_t hash;
        base::SharedBucket bucket;
    };
    struct Report {
        std::uint64_t hash;  // of the entry
        std::string key;     // in the store
        std::int64_t calls;
        base::BucketPace pace;
        int tries = max_conflicts;
    };
    Entry& use(std::uint64_t hash);  // under the lock, as the next functions
    bool has_room();
    std::optional<Time> store_time(TimePoint now) const;
    void send(const StorePtr& store, Report report);
    void change(const StorePtr& store, Report report, const std::optional<std::string>& stored);
    void finish(const Report& report, std::optional<Time> stored);

    StorePtr store_;         // guarded by mutex_
    const Options options_;  // without the store
    std::mutex mutex_;       // guards the members below
    base::MemoryCharge charge_;
    std::list<Entry> entries_;  // the last used one first
    boost::unordered_flat_map<std::uint64_t, std::list<Entry>::iterator> by_hash_;
    std::size_t reports_ = 0;
    std::optional<TimePoint> silent_until_;  // after a failure
    struct StoreClock {
        Time time;
        TimePoint at;
    };
    std::optional<StoreClock> clock_;
    std::optional<TimePoint> looked_;
};

}  // namespace tenon

#pragma GCC visibility pop
