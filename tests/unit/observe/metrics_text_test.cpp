#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <sstream>

#include <tenon/metrics_snapshot.hpp>

namespace tenon {
namespace {

using Kind = MetricsSnapshot::Kind;

MetricsSnapshot example() {
    MetricsSnapshot s;
    s.families.push_back({"calls", Kind::counter, {}, "Calls \"so\\far\"\nof all tools.", {}, {}});
    s.families.back().series.push_back({{{"tool", "a\\b\"c\nd"}}, 3});
    s.families.push_back({"used_bytes", Kind::gauge, "bytes", "Memory.", {}, {{{}, 1.5e9}}});
    s.families.push_back({"took_seconds", Kind::histogram, "seconds", "Time.", {0.5, 1}, {}});
    s.families.back().series.push_back({{{"tool", "x"}}, 2.25, {1, 0, 2}});
    s.families.push_back({"nothing", Kind::gauge, {}, "No series.", {}, {}});
    return s;
}

TEST(MetricsText, prometheus_text_has_total_in_the_type_line_and_no_end_mark) {
    EXPECT_EQ(write_metrics(example(), MetricsFormat::prometheus), R"(# HELP calls_total Calls "so\\far"\nof all tools.
# TYPE calls_total counter
calls_total{tool="a\\b\"c\nd"} 3
# HELP used_bytes Memory.
# TYPE used_bytes gauge
used_bytes 1.5e+09
# HELP took_seconds Time.
# TYPE took_seconds histogram
took_seconds_bucket{tool="x",le="0.5"} 1
took_seconds_bucket{tool="x",le="1"} 1
took_seconds_bucket{tool="x",le="+Inf"} 3
took_seconds_sum{tool="x"} 2.25
took_seconds_count{tool="x"} 3
)");
}

TEST(MetricsText, openmetrics_has_units_float_bounds_and_an_end_mark) {
    EXPECT_EQ(write_metrics(example(), MetricsFormat::openmetrics), R"(# HELP calls Calls \"so\\far\"\nof all tools.
# TYPE calls counter
calls_total{tool="a\\b\"c\nd"} 3
# HELP used_bytes Memory.
# TYPE used_bytes gauge
# UNIT used_bytes bytes
used_bytes 1.5e+09
# HELP took_seconds Time.
# TYPE took_seconds histogram
# UNIT took_seconds seconds
took_seconds_bucket{tool="x",le="0.5"} 1
took_seconds_bucket{tool="x",le="1.0"} 1
took_seconds_bucket{tool="x",le="+Inf"} 3
took_seconds_sum{tool="x"} 2.25
took_seconds_count{tool="x"} 3
# EOF
)");
}

TEST(MetricsText, openmetrics_is_sent_only_to_readers_that_ask_for_it) {
    using F = MetricsFormat;
    EXPECT_EQ(metrics_format(""), F::prometheus);
    EXPECT_EQ(metrics_format("*/*"), F::prometheus);
    EXPECT_EQ(metrics_format("text/html, application/xml;q=0.9, */*;q=0.8"), F::prometheus);
    EXPECT_EQ(metrics_format("application/openmetrics-text"), F::openmetrics);
    EXPECT_EQ(metrics_format("Application/OpenMetrics-Text; version=1.0.0; charset=utf-8"), F::openmetrics);
    EXPECT_EQ(metrics_format("application/openmetrics-text;version=0.0.1"), F::prometheus);
    EXPECT_EQ(metrics_format("application/openmetrics-text;q=0, text/plain"), F::prometheus);
    EXPECT_EQ(metrics_format("application/openmetrics-text;q=0.2,text/plain;q=0.5"), F::prometheus);
    EXPECT_EQ(metrics_format("application/openmetrics-text;q=nonsense"), F::prometheus);
    EXPECT_EQ(metrics_format("application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;"
                             "q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"),
              F::openmetrics)
        << "as Prometheus 2.42 sends it";
    EXPECT_EQ(content_type(F::prometheus), "text/plain; version=0.0.4; charset=utf-8");
    EXPECT_EQ(content_type(F::openmetrics), "application/openmetrics-text; version=1.0.0; charset=utf-8");
}

// A reader that is written from the specification, to check the writer.
struct Sample {
    std::string name;
    std::map<std::string, std::string> labels;
    std::string value;
};

std::string read_quoted(const std::string& line, std::size_t& at) {
    std::string out;
    for (++at; line.at(at) != '"'; ++at) {
        if (line[at] != '\\') {
            out += line[at];
            continue;
        }
        const char c = line.at(++at);
        RC_ASSERT(c == '\\' || c == '"' || c == 'n');
        out += c == 'n' ? '\n' : c;
    }
    ++at;
    return out;
}

Sample read_sample(const std::string& line) {
    Sample out;
    std::size_t at = line.find_first_of("{ ");
    out.name = line.substr(0, at);
    while (line.at(at) == '{' || line.at(at) == ',') {
        const std::size_t equal = line.find('=', at);
        const std::string key = line.substr(at + 1, equal - at - 1);
        at = equal + 1;
        RC_ASSERT(out.labels.emplace(key, read_quoted(line, at)).second);
    }
    if (line.at(at) == '}') ++at;
    RC_ASSERT(line.at(at) == ' ');
    out.value = line.substr(at + 1);
    return out;
}

RC_GTEST_PROP(MetricsText, a_reader_gets_back_every_label_and_cumulative_buckets, ()) {
    const auto label = *rc::gen::string<std::string>();
    const auto counts = *rc::gen::container<std::vector<std::uint64_t>>(4, rc::gen::inRange<std::uint64_t>(0, 1000));
    const auto format = *rc::gen::element(MetricsFormat::prometheus, MetricsFormat::openmetrics);
    MetricsSnapshot snapshot;
    snapshot.families.push_back({"h", Kind::histogram, {}, label, {0.1, 2, 30}, {{{{"l", label}}, 1, counts}}});
    std::istringstream text(write_metrics(snapshot, format));
    std::vector<Sample> samples;
    std::string line, last;
    while (std::getline(text, line)) {
        last = line;
        if (!line.starts_with('#')) samples.push_back(read_sample(line));
    }
    RC_ASSERT((last == "# EOF") == (format == MetricsFormat::openmetrics));
    RC_ASSERT(samples.size() == counts.size() + 2);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        sum += counts[i];
        RC_ASSERT(samples[i].labels.at("l") == label);
        RC_ASSERT(samples[i].value == std::to_string(sum));
    }
    RC_ASSERT(samples[counts.size() - 1].labels.at("le") == "+Inf");
    RC_ASSERT(samples.back().name == "h_count");
    RC_ASSERT(samples.back().value == std::to_string(sum));
}

}  // namespace
}  // namespace tenon
