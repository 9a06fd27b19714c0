#include "load/tally.hpp"

namespace tenon::load {
namespace {

Duration of_nanoseconds(std::uint64_t n) { return std::chrono::nanoseconds(n); }

}  // namespace

void Tally::wrong(std::size_t call, std::string why) {
    ++wrong_[call];
    if (all_wrong_++ == 0) first_wrong_ = std::move(why);
}

void Tally::missed(const Pace::Missed& missed) {
    missed_latencies_.record(static_cast<std::uint64_t>(std::chrono::nanoseconds(missed.waited).count()),
                             missed.requests);
    missed_ += missed.requests;
}

bench::Latency latency_of(const Histogram& h) {
    return {h.count(),
            of_nanoseconds(h.min()),
            of_nanoseconds(static_cast<std::uint64_t>(h.mean())),
            of_nanoseconds(h.percentile(50)),
            of_nanoseconds(h.percentile(90)),
            of_nanoseconds(h.percentile(99)),
            of_nanoseconds(h.percentile(99.9)),
            of_nanoseconds(h.max())};
}

void Tally::tell(bench::Report& result) const {
    Histogram all = missed_latencies_;
    for (std::size_t i = 0; i < latencies_.size(); ++i) {
        all.add(latencies_[i]);
        result.calls[i].wrong = wrong_[i];
        result.calls[i].latency = latency_of(latencies_[i]);
    }
    result.latency = latency_of(all);
    result.answers = answers_;
    result.wrong = all_wrong_;
    result.first_wrong = first_wrong_;
    result.notices = notices_;
    result.missed = missed_;
    result.reconnects = reconnects_;
}

}  // namespace tenon::load
