// Tests of the server checker: it must report nothing for a server that is unusual but correct, and be safe for any
// server.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include <tenon/check.hpp>
#include <tenon/json.hpp>

#include "check/mutant.hpp"
#include "check/mutant_run.hpp"

namespace tenon::check::mutant {
namespace {

using namespace std::chrono_literals;

// A file that the server can use for its locks and notes.
class ServerFile {
 public:
    ServerFile() { std::remove(path_.c_str()); }
    ~ServerFile() { std::remove(path_.c_str()); }
    ServerFile(const ServerFile&) = delete;
    ServerFile& operator=(const ServerFile&) = delete;

    const std::string& path() const { return path_; }
    std::vector<std::string> lines() const {
        std::vector<std::string> out;
        std::ifstream file(path_);
        for (std::string line; std::getline(file, line);) out.push_back(line);
        return out;
    }

 private:
    const std::string path_ = testing::TempDir() + "tenon-odd-" + std::to_string(::getpid());
};

Report check(std::string_view name, bool http, const ServerFile& file, Options options) {
    Running server({std::string(name)}, http);
    server.target().environment = {{"TENON_ODD_FILE", file.path()}};
    options.target = server.target();
    options.cases = 20;
    options.seed = 1;
    return check_server(options);
}

class OddServerTest : public testing::TestWithParam<Mutant> {};

TEST_P(OddServerTest, nothing_is_reported) {
    const Mutant& odd = GetParam();
    const ServerFile file;
    const Report report = check(odd.rule, odd.over_http(), file, {.security = true, .allow_writes = true});
    EXPECT_EQ(broken(report), std::set<std::string>{}) << details(report);
    EXPECT_EQ(report.incomplete, "");
    EXPECT_EQ(report.revisions, std::vector<std::string>{std::string(odd.revision)});
    EXPECT_GT(report.count(Outcome::pass), 30U);
}

INSTANTIATE_TEST_SUITE_P(All, OddServerTest, testing::ValuesIn(odd_servers()), [](const auto& odd) {
    std::string name(odd.param.rule.substr(odd.param.rule.find('.') + 1));
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
});

TEST(OddServers, there_are_many) { EXPECT_GE(odd_servers().size(), 40U); }

// `tenon check --help` names the same time.
TEST(OddServers, a_response_may_take_a_minute) { EXPECT_EQ(Options().answer_time, 60s); }

TEST(OddServers, a_start_that_does_not_answer_is_not_a_failure) {
    const ServerFile file;
    const Report report = check("special.starts-five-times", false, file, {});
    EXPECT_EQ(broken(report), std::set<std::string>{}) << details(report);
    EXPECT_EQ(report.incomplete, "the server does not answer any more when it is started again");
    EXPECT_GT(report.count(Outcome::pass), 30U);
}

// A response to a later request must not be taken for the response to an invalid message that was dropped.
TEST(OddServers, a_server_that_drops_invalid_messages_breaks_only_the_rules_about_them) {
    const ServerFile file;
    const Report report = check("special.drops-what-is-invalid", false, file, {.allow_writes = true});
    EXPECT_EQ(broken(report),
              (std::set<std::string>{"RPC-2.refuses-invalid-utf8", "RPC-8.no-request", "RPC-8.parse-error",
                                     "RPC-8.wrong-version", "RPC-11.params-type", "RPC-12.refused"}))
        << details(report);
}

TEST(OddServers, too_many_requests_is_no_failure) {
    const ServerFile file;
    const Report report = check("special.limits-requests", true, file, {.security = true});
    EXPECT_EQ(broken(report), std::set<std::string>{}) << details(report);
    EXPECT_NE(report.incomplete.find("HTTP 429"), std::string::npos) << report.incomplete;
    EXPECT_GT(report.count(Outcome::pass), 0U);
}

// The call was not accepted. Only `isError` is missing.
TEST(OddServers, a_refusal_text_counts_as_a_refusal_without_is_error) {
    const ServerFile file;
    for (const std::string_view name : {"special.refuses-in-words", "special.is-not-ready"}) {
        const Report report = check(name, false, file, {.allow_writes = true});
        EXPECT_EQ(broken(report), std::set<std::string>{"TOOL-5.kind-of-error"}) << name << details(report);
    }
}

std::set<std::string> failures_of(const Report& report) {
    std::set<std::string> out;
    for (const Finding& finding : report.findings)
        if (finding.outcome == Outcome::fail) out.insert(std::string(finding.rule->id));
    return out;
}

// Words decide whether it is a refusal, and no list of words is complete.
TEST(OddServers, a_result_that_may_be_a_refusal_is_never_a_failure) {
    const ServerFile file;
    const Report report = check("special.refuses-in-other-words", false, file, {.allow_writes = true});
    EXPECT_EQ(failures_of(report), std::set<std::string>{}) << details(report);
    EXPECT_EQ(broken(report), std::set<std::string>{"TOOL-5.missing-argument"}) << details(report);
}

// The text has no limit for the time of a call.
TEST(OddServers, a_tool_that_does_not_answer_in_time_is_never_a_failure) {
    const ServerFile file;
    const Report report =
        check("special.never-answers-a-call", false, file, {.allow_writes = true, .time = 20s, .answer_time = 1s});
    EXPECT_TRUE(broken(report).contains("TOOL-9.answers")) << details(report);
    EXPECT_EQ(failures_of(report), std::set<std::string>{}) << details(report);
}

TEST(OddServers, a_server_that_sends_messages_without_end_is_reported_as_not_checkable) {
    const ServerFile file;
    const Report report = check("special.floods", false, file, {});
    EXPECT_EQ(failures_of(report), std::set<std::string>{}) << details(report);
    EXPECT_NE(report.incomplete.find("messages that no request asked for"), std::string::npos) << report.incomplete;
}

TEST(OddServers, a_response_belongs_to_the_request_and_not_to_a_dropped_message_with_the_same_id) {
    const ServerFile file;
    const Report report = check("special.drops-other-versions", false, file, {.answer_time = 5s});
    EXPECT_EQ(broken(report), std::set<std::string>{"RPC-8.wrong-version"}) << details(report);
}

json::object arguments_in(const json::object& request) {
    const json::value* params = request.if_contains("params");
    const json::value* arguments =
        params && params->is_object() ? params->get_object().if_contains("arguments") : nullptr;
    return arguments && arguments->is_object() ? arguments->get_object() : json::object();
}

std::vector<json::object> calls_in(const ServerFile& file) {
    std::vector<json::object> out;
    for (const std::string& line : file.lines())
        if (const auto call = json::parse(line); call && call->is_object()) out.push_back(call->get_object());
    return out;
}

TEST(CheckSafety, by_default_no_tool_and_no_prompt_gets_arguments) {
    const ServerFile file;
    const Report report = check("odd.records", false, file, {.security = true});
    EXPECT_EQ(broken(report), std::set<std::string>{}) << details(report);
    const auto calls = calls_in(file);
    EXPECT_GT(calls.size(), 0U);
    for (const json::object& call : calls) EXPECT_TRUE(arguments_in(call).empty()) << json::write(call);
}

TEST(CheckSafety, only_named_tools_are_called) {
    const ServerFile file;
    check("odd.records", false, file, {.call = {"add"}, .skip = {"echo"}});
    std::set<std::string> called, probed;
    for (const json::object& call : calls_in(file)) {
        const json::value* params = call.if_contains("params");
        const json::value* name = params && params->is_object() ? params->get_object().if_contains("name") : nullptr;
        if (!name || !name->is_string()) continue;
        probed.insert(std::string(name->get_string()));
        if (!arguments_in(call).empty()) called.insert(std::string(name->get_string()));
    }
    EXPECT_EQ(called, std::set<std::string>{"add"});
    EXPECT_FALSE(probed.contains("echo"));
}

// rules: TOOL-13
TEST(CheckSafety, trusts_hints_only_with_the_trust_hints_option) {
    const ServerFile file;
    check("odd.records", false, file, {.trust_hints = true});
    EXPECT_TRUE(std::ranges::any_of(calls_in(file), [](const auto& call) { return !arguments_in(call).empty(); }));
}

TEST(CheckSafety, starts_a_server_a_few_times_and_ends_each_copy_by_the_end_of_its_input) {
    const ServerFile file;
    const Report report = check("odd.records", false, file, {});
    EXPECT_EQ(report.incomplete, "");
    const auto lines = file.lines();
    const auto starts = std::ranges::count(lines, "start");
    EXPECT_LE(starts, 12);
    EXPECT_EQ(std::ranges::count(lines, "end"), starts);
}

}  // namespace
}  // namespace tenon::check::mutant
