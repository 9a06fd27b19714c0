// Tests of the server checker over HTTP+SSE, the transport of 2024-11-05.
#include <gtest/gtest.h>

#include <tenon/check.hpp>
#include <tenon/transport/http_server.hpp>

#include "check/good_server.hpp"
#include "check/mutant_run.hpp"

namespace tenon::check::mutant {
namespace {

Options options_for(const HttpServer& http, const std::string& path) {
    Options out{.security = true, .allow_writes = true, .cases = 20, .seed = 1};
    out.target.url = "http://127.0.0.1:" + std::to_string(http.port()) + path;
    return out;
}

TEST(OldTransport, a_correct_server_breaks_no_rule) {
    Server server = good_server();
    const HttpServer http(server, {.port = 0, .old_http_sse = true});
    const Report report = check_server(options_for(http, "/sse"));
    EXPECT_EQ(broken(report), std::set<std::string>{}) << details(report);
    EXPECT_EQ(report.incomplete, "");
    EXPECT_EQ(report.transport, "sse");
    EXPECT_EQ(report.revisions, std::vector<std::string>{"2024-11-05"});
    EXPECT_GT(report.count(Outcome::pass), 30U);
    for (const Finding& finding : report.findings) {
        const bool of_another_transport =
            finding.rule->id.starts_with("HTTP-") || finding.rule->id.starts_with("STDIO-");
        EXPECT_TRUE(!of_another_transport || finding.outcome == Outcome::not_applicable) << finding.rule->id;
    }
}

TEST(OldTransport, a_defect_is_found_and_shows_what_was_sent_and_received) {
    Server server = good_server();
    server.tool("note", "Reads\u200b a note", [] { return "x"; });  // an invisible character
    const HttpServer http(server, {.port = 0, .old_http_sse = true});
    const Report report = check_server(options_for(http, "/sse"));
    EXPECT_EQ(broken(report), std::set<std::string>{"SEC-3.hidden-text"}) << details(report);
    EXPECT_EQ(without_evidence(report), "");
}

TEST(OldTransport, an_address_without_any_server_says_what_both_transports_answered) {
    Server server = good_server();
    const HttpServer http(server, {.port = 0});
    const Report report = check_server(options_for(http, "/nothing"));
    EXPECT_TRUE(report.findings.empty());
    EXPECT_NE(report.incomplete.find("over HTTP+SSE: "), std::string::npos) << report.incomplete;
}

}  // namespace
}  // namespace tenon::check::mutant
