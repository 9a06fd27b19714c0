// The reports about several servers: `tenon check --fleet`.
#include <gtest/gtest.h>

#include "hostile_report.hpp"
#include "markup_reader.hpp"
#include "screen.hpp"
#include "tools/tenon/fleet.hpp"

namespace tenon::program {
namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// Three servers: one that fails, one that is right, and one that cannot be started.
struct Fleet : testing::Test {
    Fleet() {
        std::erase_if(right.findings, [](const check::Finding& one) { return one.outcome == check::Outcome::fail; });
        gone.incomplete = "it cannot be started";
    }
    NamedVerdicts verdicts() const { return {{"shop", &first}, {"bank", &second}, {"post", &third}}; }

    check::Report wrong = a_report(), right = a_report(), gone{.target = "post", .transport = "stdio"};
    Assessment first = judge(wrong), second = judge(right), third = judge(gone);
};

TEST_F(Fleet, one_table_has_a_row_for_each_server) {
    Screen screen;
    write_fleet(screen.out, verdicts(), Detail::normal, std::chrono::seconds(3));
    EXPECT_EQ(screen.shown(),
              "SERVER  RESULT       FAILED  WARNINGS  PASSED  REVISION    FIX FIRST\n"
              "shop    FAILED       3       1         1       2025-11-25  RPC-4.same-id\n"
              "bank    ok                   1         1       2025-11-25  TOOL-1.description\n"
              "post    not checked\n"
              "\n"
              "shop\n"
              "    FAIL RPC-4.same-id\n"
              "        the id was \"7\"\n"
              "    FAIL TOOL-4.bad-cursor\n"
              "        the answer was a page\n"
              "\n"
              "post\n"
              "    it cannot be started\n"
              "\n"
              "3 servers: 1 ok, 1 failed, 1 not checked to the end in 3.0 s\n");
}

TEST_F(Fleet, status_is_that_of_the_worst_server) {
    EXPECT_EQ(status_of(verdicts()), Status::check_failed);
    EXPECT_EQ(status_of(NamedVerdicts{{"bank", &second}, {"post", &third}}), Status::connection);
    EXPECT_EQ(status_of(NamedVerdicts{{"bank", &second}}), Status::ok);
}

TEST_F(Fleet, json_html_junit_and_sarif_contain_every_server) {
    const json::object all = fleet_as_json(".mcp.json", verdicts());
    EXPECT_EQ(all.at("servers").as_array().size(), 3u);
    EXPECT_EQ(all.at("servers").at(2).at("server"), "post");
    EXPECT_EQ(all.at("servers").at(2).at("result"), "not checked");
    EXPECT_EQ(json::write(all.at("summary")), R"({"servers":3,"ok":1,"failed":1})");
    const std::string page = fleet_as_html(".mcp.json", verdicts());
    EXPECT_EQ(MarkupReader(page, {"meta", "input"}).fault(), "");
    for (const std::string_view part : {"href=\"#server-3\">post</a>", "<section id=\"server-3\">\n<h2>post</h2>"})
        EXPECT_TRUE(has(page, part)) << part;
    const std::string xml = junit_of(".mcp.json", verdicts(), {});
    EXPECT_EQ(MarkupReader(xml).fault(), "");
    EXPECT_TRUE(has(xml, "<testsuite name=\"shop: RPC\""));
    EXPECT_EQ(sarif_run(second, "bank").at("automationDetails").at("id"), "tenon check/bank/");
}

TEST_F(Fleet, names_of_servers_cannot_add_markup) {
    for (const std::string& hostile : hostile_texts) {
        const NamedVerdicts named = {{hostile, &first}};
        EXPECT_EQ(MarkupReader(fleet_as_html(hostile, named), {"meta", "input"}).fault(), "") << hostile;
        EXPECT_EQ(MarkupReader(junit_of(hostile, named, {})).fault(), "") << hostile;
    }
}

TEST_F(Fleet, a_baseline_has_the_failures_of_each_server) {
    const json::object file = fleet_baseline_of({{"shop", &wrong}, {"bank", &right}});
    const FleetBaseline read = read_fleet_baseline(json::write(file), "f");
    EXPECT_EQ(read.at("shop").size(), 3u);
    EXPECT_TRUE(read.at("bank").empty());
    EXPECT_THROW(read_fleet_baseline(json::write(baseline_of(wrong)), "f"), Failure);
    for (const std::string_view text : {"", "{}", R"({"tenonBaseline":1,"servers":{"a":7}})"})
        EXPECT_THROW(read_fleet_baseline(text, "f"), Failure) << text;
}

TEST_F(Fleet, the_table_shows_changes_since_a_baseline) {
    Assessment changed = judge(wrong, {{"RPC-4.same-id", "2025-11-25"}, {"TOOL-1.description", "2025-06-18"}});
    changed.since = "old.json";
    Screen screen;
    write_fleet(screen.out, {{"shop", &changed}}, Detail::normal, {});
    EXPECT_TRUE(has(screen.shown(), "+2 -1")) << screen.shown();
    EXPECT_TRUE(has(screen.shown(), "fixed: TOOL-1.description@2025-06-18")) << screen.shown();
}

TEST(RepeatingCommand, names_headers_and_variables_but_not_their_values) {
    const std::vector<std::string> words = {"check", "--security",   "-H",       "Authorization: Bearer s3cret",
                                            "-e",    "TOKEN=s3cret", "-e",       "HOME",
                                            "--",    "node",         "server.js"};
    EXPECT_EQ(repeating_command(read_command_line(words), 7),
              "tenon check --security -e TOKEN -e HOME -H 'Authorization: (hidden)' --seed 7 -- node server.js");
}

}  // namespace
}  // namespace tenon::program
