// MetricsSnapshot: the values of all metrics at one moment, and the text formats in which Prometheus reads them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace tenon {

/// The values of all metrics at one moment. Plain data.
struct MetricsSnapshot {
    enum class Kind { counter, gauge, histogram };

    struct Label {
        std::string name = {}, value = {};
        friend auto operator<=>(const Label&, const Label&) = default;
    };
    /// One set of labels and its value.
    struct Series {
        std::vector<Label> labels = {};
        double value = 0;  ///< of a histogram: the sum of all observations
        /// Of a histogram: the observations of each bucket. Not cumulative; the last bucket is above all bounds.
        std::vector<std::uint64_t> buckets = {};

        /// Returns the number of observations of a histogram.
        std::uint64_t count() const;
        /// Returns the value of a label; empty if the series does not have the label.
        std::string_view label(std::string_view name) const;
    };
    /// One metric with all its series.
    struct Family {
        std::string name = {};  ///< as Prometheus names it, without the suffix "_total" of counters
        Kind kind = Kind::gauge;
        std::string unit = {};  ///< "seconds" or "bytes"; if set, `name` ends with it. Empty: none
        std::string help = {};
        std::vector<double> bounds = {};  ///< of a histogram: the upper bounds of its buckets, without +Inf; rising
        std::vector<Series> series = {};
    };

    std::vector<Family> families = {};

    /// Returns the family with this name, or null.
    const Family* find(std::string_view name) const;
};

/// The text formats for metrics.
enum class MetricsFormat {
    prometheus,   ///< Prometheus text format 0.0.4
    openmetrics,  ///< OpenMetrics 1.0
};

/// Returns the text of all families. Label values are escaped, so each sample is on one line.
std::string write_metrics(const MetricsSnapshot& snapshot, MetricsFormat format);
/// Returns the format that an Accept header prefers. OpenMetrics only if the header names it.
MetricsFormat metrics_format(std::string_view accept);
/// Returns the Content-Type of a format.
std::string_view content_type(MetricsFormat format);

}  // namespace tenon

#pragma GCC visibility pop
