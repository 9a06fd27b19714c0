// Invariant: whatever a label, a help text or a value is, each sample is on one line, and the number of lines is known.
// Input: an Accept header up to a newline, then the labels.
#include <algorithm>

#include <tenon/metrics_snapshot.hpp>

#include "support.hpp"

namespace tenon::fuzz::metrics_text_target {
namespace {

MetricsSnapshot snapshot_of(std::string_view text) {
    const MetricsSnapshot::Label label{"tool", std::string(text)};
    const double value = static_cast<double>(text.size()) / 7;
    MetricsSnapshot out;
    out.families.push_back(
        {"calls", MetricsSnapshot::Kind::counter, "", std::string(text), {}, {{{label}, value, {}}}});
    out.families.push_back({"time_seconds",
                            MetricsSnapshot::Kind::histogram,
                            "seconds",
                            "",
                            {0.1, 1},
                            {{{label, label}, value, {1, 2, 3}}}});
    return out;
}

// Returns how many lines are samples, and not comments.
std::ptrdiff_t samples_in(std::string_view text) {
    std::ptrdiff_t out = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        must(end != std::string_view::npos, "every line ends");
        must(end > 0, "no line is empty");
        if (text[0] != '#') ++out;
        text.remove_prefix(end + 1);
    }
    return out;
}

void run(std::string_view input) {
    Feed feed(input);
    const MetricsFormat format = metrics_format(feed.until('\n'));
    must(!content_type(format).empty(), "a format has a type");
    const MetricsSnapshot snapshot = snapshot_of(feed.rest());
    for (const MetricsFormat one : {MetricsFormat::prometheus, MetricsFormat::openmetrics}) {
        const std::string text = write_metrics(snapshot, one);
        must(samples_in(text) == 1 + 3 + 2, "a counter, three buckets, a sum and a count");
        must(text.ends_with("# EOF\n") == (one == MetricsFormat::openmetrics), "OpenMetrics says where it ends");
    }
}

const Target target{"metrics_text", run};

}  // namespace
}  // namespace tenon::fuzz::metrics_text_target
