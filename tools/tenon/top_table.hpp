// The table of `tenon top`: computed from two pages of metrics. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tenon/json.hpp>

#include "metrics_page.hpp"
#include "out.hpp"

namespace tenon::program {

/// A quantile, as far as the buckets of a histogram tell it.
struct Quantile {
    enum class Known {
        about,
        at_most,   ///< it is in the first bucket, so only its upper bound is known
        at_least,  ///< it is above all bounds
    };
    double seconds = 0;
    Known known = Known::about;

    friend bool operator==(const Quantile&, const Quantile&) = default;
};

/// What a server did between two moments.
struct TopTable {
    struct Row {
        std::string method, name;
        double calls = 0, errors = 0;  ///< per second, or since the start
        std::optional<Quantile> p50, p99;
    };
    bool per_second = false;     ///< false: `calls` and `errors` count since the server started
    std::vector<Row> rows = {};  ///< the slowest first
    double calls = 0, errors = 0;
    double sessions = 0, streams = 0, connections = 0, queued_bytes = 0, busy = 0, waiting = 0, memory = 0, budget = 0;
    double limits_hit = 0;

    /// Computes the table from the newest page and the page `seconds` before it. Without an earlier page, or if the
    /// server has started again since, it counts since the start.
    static TopTable make(const MetricsPage& now, const MetricsPage* before = nullptr, double seconds = 0);
};

/// Estimates a quantile from cumulative buckets (upper bound and count, rising), as Prometheus does. Empty: no calls.
std::optional<Quantile> quantile(const std::vector<std::pair<double, double>>& buckets, double q);

/// Writes the table. Of the tools, writes the first `most_rows`, and how many there are besides.
void write_top(Out& out, const TopTable& table, const std::string& url, std::size_t most_rows = std::string::npos);
json::value top_json(const TopTable& table);

}  // namespace tenon::program
