#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "screen.hpp"
#include "tools/tenon/metrics_page.hpp"
#include "tools/tenon/top_table.hpp"

namespace tenon::program {
namespace {

// A page with `calls` fast calls of echo, `slow` calls of "slow" (one of them failed), and some gauges.
std::string page_text(int calls, int slow) {
    const auto series = [](const std::string& labels, int fast, int all, const char* more = "") {
        const std::string name = "mcp_server_operation_duration_seconds", n = std::to_string(all);
        return name + "_bucket{" + labels + more + ",le=\"0.01\"} " + std::to_string(fast) + "\n" + name + "_bucket{" +
               labels + more + ",le=\"1\"} " + n + "\n" + name + "_bucket{" + labels + more + ",le=\"+Inf\"} " + n +
               "\n" + name + "_count{" + labels + more + "} " + n + "\n";
    };
    return "# HELP x y\n# TYPE x gauge\n" +
           series(R"(mcp_method_name="tools/call",gen_ai_tool_name="echo",outcome="ok")", calls, calls) +
           series(R"(mcp_method_name="tools/call",gen_ai_tool_name="slow",outcome="ok")", 0, slow) +
           series(R"(mcp_method_name="tools/call",gen_ai_tool_name="slow",outcome="tool_error")", 0, 1,
                  R"(,error_type="tool_error")") +
           "tenon_sessions 3\ntenon_streams 1\ntenon_connections 5\ntenon_queued_bytes 0\ntenon_workers_busy 2\n"
           "tenon_calls_waiting 0\ntenon_memory_used_bytes 1572864\ntenon_memory_budget_bytes 536870912\n"
           "tenon_limits_hit_total{limit=\"max_sessions\"} 2\ntenon_limits_hit_total{limit=\"max_connections\"} 1\n";
}

std::string shown(const TopTable& table) {
    Screen screen;
    write_top(screen.out, table, "http://127.0.0.1:9464/metrics");
    return screen.shown();
}

TEST(Top, one_page_counts_since_the_start) {
    EXPECT_EQ(shown(TopTable::make(MetricsPage::read(page_text(100, 9)))),
              R"(http://127.0.0.1:9464/metrics
calls 110 since the start   errors 1 since the start   limits hit 3
sessions 3   streams 1   connections 5   workers 2 busy, 0 waiting
queued 0 B   memory 1.5 MiB of 512.0 MiB

METHOD      NAME  CALLS  ERRORS  P50     P99
tools/call  slow  10     1       505 ms  990 ms
tools/call  echo  100    0       <10 ms  <10 ms
)");
}

TEST(Top, two_pages_show_rates_of_the_time_between_them) {
    const auto before = MetricsPage::read(page_text(100, 9)), now = MetricsPage::read(page_text(150, 9));
    EXPECT_EQ(shown(TopTable::make(now, &before, 2)), R"(http://127.0.0.1:9464/metrics
calls 25/s   errors 0/s   limits hit 3
sessions 3   streams 1   connections 5   workers 2 busy, 0 waiting
queued 0 B   memory 1.5 MiB of 512.0 MiB

METHOD      NAME  CALLS/S  ERRORS/S  P50     P99
tools/call  echo  25       0         <10 ms  <10 ms
)");
}

TEST(Top, a_server_that_started_again_counts_since_its_start) {
    const auto before = MetricsPage::read(page_text(100, 9)), now = MetricsPage::read(page_text(2, 0));
    const TopTable table = TopTable::make(now, &before, 1);
    EXPECT_FALSE(table.per_second);
    EXPECT_EQ(table.calls, 3);
}

TEST(Top, a_server_without_calls_has_no_table) {
    const std::string text = shown(TopTable::make(MetricsPage::read("tenon_sessions 0\n")));
    EXPECT_TRUE(text.ends_with("\n\nno calls\n")) << text;
}

TEST(Top, json_has_the_same_numbers) {
    const json::value j = top_json(TopTable::make(MetricsPage::read(page_text(100, 9))));
    EXPECT_EQ(j.at("calls"), 110.0);
    EXPECT_EQ(j.at("operations").at(0).at("name"), "slow");
    EXPECT_EQ(j.at("memoryBudget"), 536870912.0);
}

TEST(Top, names_of_the_server_cannot_act_on_the_terminal) {
    const std::string text = shown(TopTable::make(
        MetricsPage::read("mcp_server_operation_duration_seconds_count{mcp_method_name=\"\x1b[2J\"} 1\n")));
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Top, quantiles_are_interpolated_inside_a_bucket) {
    EXPECT_EQ(quantile({}, 0.5), std::nullopt);
    EXPECT_EQ(quantile({{1, 0}, {INFINITY, 0}}, 0.5), std::nullopt);
    EXPECT_EQ(quantile({{1, 0}, {2, 10}, {INFINITY, 10}}, 0.5), Quantile{1.5});
}

TEST(Top, a_time_in_the_first_or_the_last_bucket_is_only_a_bound) {
    EXPECT_EQ(quantile({{1, 10}, {2, 10}, {INFINITY, 10}}, 0.5), (Quantile{1, Quantile::Known::at_most}));
    EXPECT_EQ(quantile({{1, 0}, {2, 0}, {INFINITY, 10}}, 0.99), (Quantile{2, Quantile::Known::at_least}));
}

TEST(Top, the_fine_buckets_of_a_server_show_fast_calls) {
    const std::string fine =
        "tenon_server_duration_seconds_bucket{mcp_method_name=\"tools/call\",gen_ai_tool_name=\"echo\",le=\"";
    const auto page = MetricsPage::read(page_text(100, 0) + fine + "0.0001\"} 0\n" + fine + "0.0002\"} 60\n" + fine +
                                        "0.0005\"} 100\n" + fine + "+Inf\"} 100\n");
    const TopTable table = TopTable::make(page);
    const auto echo = std::ranges::find(table.rows, "echo", &TopTable::Row::name);
    ASSERT_NE(echo, table.rows.end());
    EXPECT_NEAR(echo->p50->seconds, 0.000183, 0.000001);
    EXPECT_NE(shown(table).find("183 us"), std::string::npos) << shown(table);
    EXPECT_EQ(top_json(table).at("operations").as_array().size(), 2U);
}

TEST(MetricsPageReader, reads_escapes_and_leaves_malformed_lines_out) {
    const auto page =
        MetricsPage::read("a{l=\"x\\\"y\\\\z\\n\"} 1.5 1234\nb +Inf\nc\nd{ 1\ne{l=\"x} 1\nf nonsense\n\ng{} 2");
    ASSERT_EQ(page.of("a").size(), 1U);
    EXPECT_EQ(page.of("a")[0].labels.at("l"), "x\"y\\z\n");
    EXPECT_EQ(page.of("a")[0].value, 1.5);
    EXPECT_EQ(page.value("b"), INFINITY);
    for (const char* name : {"c", "d", "e", "f"}) EXPECT_TRUE(page.of(name).empty()) << name;
    EXPECT_EQ(page.value("g"), 2);
}

TEST(MetricsPageReader, any_text_can_be_read) {
    rc::check([](const std::string& text) { shown(TopTable::make(MetricsPage::read(text))); });
    rc::check([] {
        const auto text =
            *rc::gen::container<std::string>(rc::gen::element('a', '{', '}', '"', '=', ',', ' ', '\n', '1', '\\'));
        shown(TopTable::make(MetricsPage::read(text)));
    });
}

}  // namespace
}  // namespace tenon::program
