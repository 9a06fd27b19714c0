// StoreTimes: how long the operations of a store take. Metrics::store_times() makes one.
//
//     const auto times = metrics->store_times("tasks", {"get", "put"});
//     times->record("get", took);
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/metrics_snapshot.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// The times of one store, as a histogram for each operation and outcome ("ok" or "error"). The number of series is
/// bounded. Thread-safe, without locks.
class StoreTimes {
 public:
    static constexpr std::size_t max_operations = 40;  ///< of one store; others count as the operation "other"
    /// Upper bounds of the buckets, in seconds.
    static constexpr std::array bounds = {0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02,
                                          0.05,   0.1,    0.2,    0.5,   1.0,   2.0,   5.0};

    StoreTimes(std::string_view store, std::vector<std::string> operations);

    const std::string& store() const { return store_; }
    /// Counts an operation. A name that the constructor did not get counts as "other".
    void record(std::string_view operation, std::chrono::nanoseconds took, bool failed = false);
    /// Adds the series of this store, for Metrics::snapshot(). Operations that never happened have no series.
    void add_to(MetricsSnapshot::Family& family) const;

 private:
    struct Counts {
        std::array<std::atomic<std::uint64_t>, bounds.size() + 1> buckets{};
        std::atomic<std::uint64_t> nanoseconds{0};
    };
    const std::string store_;
    std::vector<std::string> operations_;  // the last one is "other"
    std::unique_ptr<Counts[]> counts_;     // for each operation: of successes, of failures
};

}  // namespace tenon

#pragma GCC visibility pop
