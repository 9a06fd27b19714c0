// Counts the outcomes of requests.
#pragma once

#include <string>
#include <vector>

#include <tenon/bench.hpp>

#include "load/histogram.hpp"
#include "load/pace.hpp"

namespace tenon::load {

class Tally {
 public:
    Tally(std::size_t calls, double precision, std::uint64_t max_wrong)
        : latencies_(calls, Histogram(precision)), wrong_(calls), max_wrong_(max_wrong), missed_latencies_(precision) {}

    void right(std::size_t call, Duration latency) {
        latencies_[call].record(static_cast<std::uint64_t>(std::chrono::nanoseconds(latency).count()));
        ++answers_;
    }
    void wrong(std::size_t call, std::string why);
    void notice() { ++notices_; }
    void reconnect() { ++reconnects_; }
    /// Counts requests that were due but not sent. Their calls are unknown.
    void missed(const Pace::Missed& missed);

    std::uint64_t answers() const { return answers_; }
    std::uint64_t all_wrong() const { return all_wrong_; }
    const std::string& first_wrong() const { return first_wrong_; }
    /// Returns whether there were more wrong responses than Options::max_wrong.
    bool hopeless() const { return all_wrong_ > max_wrong_; }

    /// Fills the counts into the report.
    void tell(bench::Report& result) const;

 private:
    std::vector<Histogram> latencies_;
    std::vector<std::uint64_t> wrong_;
    std::uint64_t answers_ = 0, all_wrong_ = 0, notices_ = 0, reconnects_ = 0, missed_ = 0;
    const std::uint64_t max_wrong_;
    std::string first_wrong_;
    Histogram missed_latencies_;
};

bench::Latency latency_of(const Histogram& nanoseconds);

}  // namespace tenon::load
