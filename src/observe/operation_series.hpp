// Counts operations and their durations by method, name and outcome.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/metrics_snapshot.hpp>
#include <tenon/operation.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::observe {

/// Upper bounds of the buckets of a duration, in seconds: those of OpenTelemetry's conventions for MCP.
inline constexpr std::array duration_bounds = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5,  1.0,
                                               2.0,  5.0,  10.0, 30., 60., 120., 300.};
/// Upper bounds of finer buckets below those, for servers that answer quickly: see OperationSeries::add_to().
inline constexpr std::array fine_bounds = {0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005};
/// Longer names are not used as labels.
inline constexpr std::size_t max_label_bytes = 128;

/// A table of series, which only grows, up to its limit. Thread-safe, without locks: a series is found through a hash
/// table of atomic pointers, and counts with atomic numbers.
class OperationSeries {
 public:
    /// Beyond `max_series`, operations with new labels count for the method "other".
    explicit OperationSeries(std::size_t max_series);
    ~OperationSeries();
    OperationSeries(const OperationSeries&) = delete;
    OperationSeries& operator=(const OperationSeries&) = delete;

    void record(const Operation& operation);
    std::size_t size() const { return size_.load(std::memory_order_relaxed); }
    /// Adds the histograms of both sides and of tasks, and the number of operations by method and outcome. Also adds a
    /// histogram of the server with the fine buckets. It has fewer labels than the one of the conventions.
    void add_to(MetricsSnapshot& snapshot) const;

 private:
    /// The labels of an operation. All texts are registered names, or constants.
    struct Labels {
        Operation::Side side = Operation::Side::server;
        OperationEnd end = OperationEnd::ok;
        Operation::Kind kind = Operation::Kind::request;
        std::string_view method = {}, tool = {}, prompt = {}, revision = {}, transport = {}, error = {};
        std::size_t hash() const;
        friend bool operator==(const Labels&, const Labels&) = default;
    };
    struct Series;
    static constexpr std::size_t ends = 7;  // values of OperationEnd

    static Labels labels_of(const Operation& operation);
    Series& find(const Labels& labels);
    Series& overflow_of(const Labels& labels);
    std::vector<const Series*> all() const;

    const std::size_t max_series_;
    std::vector<std::atomic<Series*>> table_;  // open addressing; its size is a power of two
    std::atomic<std::size_t> size_{0};
    std::vector<std::unique_ptr<Series>> overflow_;  // for each side and end
};

}  // namespace tenon::observe

#pragma GCC visibility pop
