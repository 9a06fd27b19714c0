#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <regex>

#include <tenon/error.hpp>
#include <tenon/store_times.hpp>

#include "observe/error_type.hpp"
#include "observe/operation_series.hpp"
#include "support/folders.hpp"

namespace tenon::observe {
namespace {

using namespace std::chrono_literals;

Operation call(std::string_view tool = "echo", std::chrono::nanoseconds took = 1ms) {
    Operation o;
    o.method = "tools/call";
    o.name = tool;
    o.known_method = o.known_name = true;
    o.revision = "2026-07-28";
    o.transport = "tcp";
    o.took = took;
    return o;
}

MetricsSnapshot snapshot_of(const OperationSeries& series) {
    MetricsSnapshot out;
    series.add_to(out);
    return out;
}

const MetricsSnapshot::Family& server_durations(const MetricsSnapshot& s) {
    return *s.find("mcp_server_operation_duration_seconds");
}

TEST(OperationSeries, a_duration_is_in_the_first_bucket_whose_bound_it_does_not_exceed) {
    OperationSeries series(10);
    for (const auto took : {0ns, 10ms - 0ns, 10ms + 1ns, 300s - 0ns, 301s - 0ns, -5ns})
        series.record(call("echo", took));
    const auto s = snapshot_of(series);
    const auto& family = server_durations(s);
    ASSERT_EQ(family.series.size(), 1U);
    EXPECT_EQ(family.bounds,
              (std::vector{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0}))
        << "the bounds of OpenTelemetry's conventions";
    EXPECT_EQ(family.series[0].buckets, (std::vector<std::uint64_t>{3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1}));
    EXPECT_NEAR(family.series[0].value, 601.020000001, 1e-6);
}

TEST(OperationSeries, labels_are_those_of_the_conventions) {
    OperationSeries series(10);
    Operation failed = call();
    failed.end = OperationEnd::tool_error;
    series.record(failed);
    const auto s = snapshot_of(series);
    const std::vector<MetricsSnapshot::Label> expected = {
        {"mcp_method_name", "tools/call"}, {"gen_ai_tool_name", "echo"}, {"mcp_protocol_version", "2026-07-28"},
        {"network_transport", "tcp"},      {"outcome", "tool_error"},    {"error_type", "tool_error"}};
    EXPECT_EQ(server_durations(s).series.at(0).labels, expected);
}

TEST(OperationSeries, names_that_a_peer_invented_count_as_other) {
    OperationSeries series(100);
    for (int i = 0; i < 50; ++i) {
        const std::string invented = "tool" + std::to_string(i);
        Operation o = call(invented);
        o.known_name = false;
        series.record(o);
        o.known_method = false;
        o.method = invented;
        o.revision = invented;
        o.transport = invented;
        series.record(o);
    }
    EXPECT_EQ(series.size(), 2U);
    const auto s = snapshot_of(series);
    EXPECT_EQ(server_durations(s).series.at(0).label("mcp_method_name"), "other");
    EXPECT_EQ(server_durations(s).series.at(0).label("mcp_protocol_version"), "");
    EXPECT_EQ(server_durations(s).series.at(1).label("gen_ai_tool_name"), "other");
}

TEST(OperationSeries, a_registered_name_that_is_too_long_counts_as_other) {
    OperationSeries series(10);
    const std::string just_right(max_label_bytes, 'x'), too_long(max_label_bytes + 1, 'x');
    series.record(call(just_right));
    series.record(call(too_long));
    const auto s = snapshot_of(series);
    EXPECT_EQ(server_durations(s).series.at(0).label("gen_ai_tool_name"), "other");
    EXPECT_EQ(server_durations(s).series.at(1).label("gen_ai_tool_name"), just_right);
}

// The limit MetricsOptions::max_series.
TEST(OperationSeries, beyond_max_series_operations_count_for_the_method_other) {
    OperationSeries series(3);
    for (int i = 0; i < 10; ++i) series.record(call("tool" + std::to_string(i)));
    EXPECT_EQ(series.size(), 3U);
    const auto s = snapshot_of(series);
    const auto& all = server_durations(s).series;
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0].label("mcp_method_name"), "other");
    EXPECT_EQ(all[0].count(), 7U);
}

TEST(OperationSeries, outcomes_are_counted_by_side_and_method) {
    OperationSeries series(100);
    Operation o = call();
    series.record(o);
    series.record(call("other tool"));
    o.end = OperationEnd::cancelled;
    series.record(o);
    o.side = Operation::Side::client;
    series.record(o);
    const auto s = snapshot_of(series);
    const auto& counts = s.find("tenon_operations")->series;
    ASSERT_EQ(counts.size(), 3U);
    EXPECT_EQ(counts[0].label("side"), "client");
    EXPECT_EQ(counts[1].label("outcome"), "cancelled");
    EXPECT_EQ(counts[2].label("outcome"), "ok");
    EXPECT_EQ(counts[2].value, 2);
    EXPECT_EQ(s.find("mcp_client_operation_duration_seconds")->series.size(), 1U);
}

RC_GTEST_PROP(OperationSeries, every_operation_is_counted_once, ()) {
    const auto most = *rc::gen::inRange<std::size_t>(0, 6);
    const auto tools = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 8));
    OperationSeries series(most);
    for (const int tool : tools) series.record(call("t" + std::to_string(tool)));
    std::uint64_t counted = 0;
    const auto s = snapshot_of(series);
    for (const auto& one : server_durations(s).series) counted += one.count();
    RC_ASSERT(counted == tools.size());
    RC_ASSERT(series.size() <= most);
}

TEST(ErrorType, has_a_fixed_set_of_values) {
    Operation o;
    EXPECT_EQ(error_type(o), "");
    o.end = OperationEnd::input_required;
    EXPECT_EQ(error_type(o), "");
    o.end = OperationEnd::tool_error;
    EXPECT_EQ(error_type(o), "tool_error");
    o.end = OperationEnd::protocol_error;
    o.error_code = -32602;
    EXPECT_EQ(error_type(o), "-32602");
    o.error_code = 123456;
    EXPECT_EQ(error_type(o), "_OTHER") << "a peer could make a series for each number";
    o.error_code = 0;
    o.end = OperationEnd::timed_out;
    EXPECT_EQ(error_type(o), "timeout");
    o.end = OperationEnd::refused;
    o.http_status = 401;
    EXPECT_EQ(error_type(o), "401");
    o.http_status = 799;
    EXPECT_EQ(error_type(o), "_OTHER");
}

TEST(ErrorType, a_mistake_of_the_client_is_not_an_error_of_the_server) {
    Operation o;
    o.end = OperationEnd::protocol_error;
    o.error_code = code::invalid_params;
    EXPECT_TRUE(is_mistake_of_client(o));
    o.error_code = code::internal_error;
    EXPECT_FALSE(is_mistake_of_client(o));
    o.end = OperationEnd::refused;
    o.http_status = 401;
    EXPECT_TRUE(is_mistake_of_client(o));
    o.http_status = 503;
    EXPECT_FALSE(is_mistake_of_client(o));
    o.end = OperationEnd::tool_error;
    EXPECT_FALSE(is_mistake_of_client(o));
}

TEST(LimitNames, are_the_members_of_limits_hpp) {
    std::ifstream file(test_folders::tests() + "/../include/tenon/limits.hpp");
    std::stringstream text;
    text << file.rdbuf();
    std::string header = text.str();
    header = header.substr(header.find("struct Limits {"));
    const std::regex member(R"(\n    [A-Za-z_:<>]+ ([a-z_]+)( =|\{))");
    std::vector<std::string> found, names;
    for (std::sregex_iterator it(header.begin(), header.end(), member), end; it != end; ++it) found.push_back((*it)[1]);
    for (std::size_t i = 1; i < limit_count; ++i) names.emplace_back(to_string(static_cast<LimitName>(i)));
    found.insert(found.end(), {"max_connections_per_address", "rate_limits"});  // which are elsewhere
    EXPECT_EQ(found, names);
    EXPECT_EQ(to_string(LimitName::none), "");
    EXPECT_EQ(to_string(LimitName::max_sessions), "max_sessions");
}

TEST(OperationSeries, fine_buckets_are_parts_of_the_first_bucket_of_the_conventions) {
    OperationSeries series(10);
    Operation o;
    o.method = "ping";
    o.known_method = true;
    for (const auto took : {50us, 150us, 3000us, 15'000us}) {
        o.took = took;
        series.record(o);
    }
    MetricsSnapshot snapshot;
    series.add_to(snapshot);
    const auto* usual = snapshot.find("mcp_server_operation_duration_seconds");
    EXPECT_EQ(usual->bounds.front(), 0.01);
    EXPECT_EQ(usual->series.at(0).buckets.at(0), 3U);
    EXPECT_EQ(usual->series.at(0).buckets.at(1), 1U);
    const auto* fine = snapshot.find("tenon_server_duration_seconds");
    ASSERT_EQ(fine->bounds.size() + 1, fine->series.at(0).buckets.size());
    EXPECT_EQ(fine->bounds.front(), 0.0001);
    EXPECT_EQ(fine->series.at(0).buckets.at(0), 1U);
    EXPECT_EQ(fine->series.at(0).buckets.at(1), 1U);
    EXPECT_EQ(fine->series.at(0).buckets.at(5), 1U);
    EXPECT_EQ(fine->series.at(0).count(), 4U);
}

TEST(OperationSeries, a_task_is_not_counted_as_a_request) {
    OperationSeries series(10);
    Operation o;
    o.kind = Operation::Kind::task;
    o.method = "tools/call";
    o.name = "job";
    o.known_method = o.known_name = true;
    o.took = 3s;
    series.record(o);
    MetricsSnapshot snapshot;
    series.add_to(snapshot);
    EXPECT_EQ(snapshot.find("tenon_task_duration_seconds")->series.at(0).label("gen_ai_tool_name"), "job");
    EXPECT_TRUE(snapshot.find("mcp_server_operation_duration_seconds")->series.empty());
    EXPECT_TRUE(snapshot.find("tenon_operations")->series.empty());
}

TEST(StoreTimes, counts_by_operation_and_outcome_and_unknown_names_together) {
    StoreTimes times("tasks", {"get", "put"});
    times.record("get", 50us);
    times.record("get", 150us);
    times.record("put", 10s, true);
    times.record("invented", 1ms);
    times.record("another", 1ms);
    MetricsSnapshot::Family family;
    times.add_to(family);
    ASSERT_EQ(family.series.size(), 3U);
    EXPECT_EQ(family.series[0].label("operation"), "get");
    EXPECT_EQ(family.series[0].buckets[0], 1U);
    EXPECT_EQ(family.series[0].buckets[1], 1U);
    EXPECT_EQ(family.series[1].label("outcome"), "error");
    EXPECT_EQ(family.series[1].buckets.back(), 1U);
    EXPECT_EQ(family.series[2].label("operation"), "other");
    EXPECT_EQ(family.series[2].count(), 2U);
}

// The limit StoreTimes::max_operations.
TEST(StoreTimes, has_a_bounded_number_of_series) {
    std::vector<std::string> names;
    for (int i = 0; i < 100; ++i) names.push_back("n" + std::to_string(i));
    StoreTimes times("s", names);
    for (const std::string& name : names) times.record(name, 1ms);
    MetricsSnapshot::Family family;
    times.add_to(family);
    EXPECT_EQ(family.series.size(), StoreTimes::max_operations + 1);
}

}  // namespace
}  // namespace tenon::observe
