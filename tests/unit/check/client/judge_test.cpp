// Findings of the judge in hand-made records of clients.
#include "check/client/judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tenon::check::client {
namespace {

using Kind = Event::Kind;

constexpr std::string_view hello =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
    R"("clientInfo":{"name":"c","version":"1"}}})";
constexpr std::string_view welcome = R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}})";
constexpr std::string_view ready = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
constexpr std::string_view tools = R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})";

struct Script {
    explicit Script(Scene scene = Scene::plain, bool http = false) { record.scene = scene, record.http = http; }

    Script& says(std::string_view text) { return add({.kind = Kind::line, .text = std::string(text)}); }
    Script& hears(std::string_view text) { return add({.kind = Kind::sent, .text = std::string(text)}); }
    Script& does(Kind kind) { return add({.kind = kind}); }
    Script& posts(std::string_view text, std::vector<std::pair<std::string, std::string>> fields) {
        fields.emplace_back("Accept", "application/json, text/event-stream");
        fields.emplace_back("Content-Type", "application/json");
        return add({.kind = Kind::request,
                    .text = std::string(text),
                    .method = "POST",
                    .target = "/mcp",
                    .fields = std::move(fields)});
    }
    Script& after(std::chrono::milliseconds time) { return clock += time, *this; }
    Script& ends() { return record.ended = true, does(Kind::input_closed).does(Kind::exited); }
    Script& add(Event event) {
        event.at = clock;
        record.events.push_back(std::move(event));
        return *this;
    }
    Record record;
    Duration clock = {};
};

Script handshake(Scene scene = Scene::plain) {
    Script out(scene);
    out.says(hello).hears(welcome).says(ready);
    return out;
}

Finding finding(const std::vector<const Script*>& scripts, std::string_view rule) {
    Dialogues dialogues;
    for (const Script* script : scripts) dialogues.emplace(script->record.scene, script->record);
    for (Finding& found : judge(dialogues, 100))
        if (found.rule->id == rule) return found;
    ADD_FAILURE() << rule;
    return {};
}

std::vector<std::string> wrong(const std::vector<const Script*>& scripts) {
    Dialogues dialogues;
    for (const Script* script : scripts) dialogues.emplace(script->record.scene, script->record);
    std::vector<std::string> out;
    for (const Finding& found : judge(dialogues, 100))
        if (found.outcome == Outcome::fail || found.outcome == Outcome::warning) out.emplace_back(found.rule->id);
    return out;
}
std::vector<std::string> wrong(const Script& script) { return wrong({&script}); }

using Rules = std::vector<std::string>;

TEST(ClientJudge, a_correct_client_has_no_findings) {
    Script script = handshake().says(tools).ends();
    EXPECT_EQ(wrong(script), Rules());
    EXPECT_EQ(finding({&script}, "LIFE-1.client-first").outcome, Outcome::pass);
    EXPECT_EQ(finding({&script}, "LIFE-1.client-first").revision, "2025-11-25");
    EXPECT_EQ(finding({&script}, "HTTP-1.client-accept").outcome, Outcome::not_applicable);
}

TEST(ClientJudge, has_one_finding_per_client_rule_in_catalogue_order) {
    Script script = handshake();
    Dialogues dialogues;
    dialogues.emplace(Scene::plain, script.record);
    const auto findings = judge(dialogues, 100);
    const auto rules = std::ranges::count(catalogue(), Side::client, &Rule::side);
    EXPECT_EQ(findings.size(), static_cast<std::size_t>(rules));
    EXPECT_TRUE(std::ranges::is_sorted(findings, {}, &Finding::rule));
}

TEST(ClientJudge, distinguishes_a_message_over_several_lines_from_noise) {
    EXPECT_EQ(wrong(handshake().says("{\"jsonrpc\":\"2.0\",").says("\"id\":5,\"method\":\"ping\"").says("}")),
              Rules{"INT-1.client-one-line"});
    EXPECT_EQ(wrong(handshake().says("Content-Length: 5")), Rules{"STDIO-2.client-only-messages"});
    EXPECT_EQ(wrong(handshake().says("").says("  ")), Rules());
}

TEST(ClientJudge, one_defect_breaks_only_one_rule) {
    EXPECT_EQ(wrong(handshake().says(R"({"id":5,"method":"ping"})")), Rules{"RPC-1.client-version"});
    EXPECT_EQ(wrong(handshake().says(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})")), Rules{"RPC-3.client-id"});
    EXPECT_EQ(wrong(handshake().says(R"({"jsonrpc":"2.0","id":5.0,"method":"ping"})")), Rules());
    EXPECT_EQ(wrong(handshake().says(R"({"jsonrpc":"2.0","id":5,"method":"ping","params":[1]})")),
              Rules{"RPC-3.client-params"});
    EXPECT_EQ(wrong(handshake().says("[" + std::string(tools) + "]")), Rules{"RPC-12.client-batch"});
    EXPECT_EQ(wrong(handshake().says("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"pi\xff\"}")),
              Rules{"RPC-2.client-utf8"});
    EXPECT_EQ(wrong(handshake().says(R"({"jsonrpc":"2.0","id":5,"method":"x\ud800"})")),
              Rules{"INT-2.client-surrogates"});
    EXPECT_EQ(wrong(handshake().add({.kind = Kind::rest, .text = "{"})), Rules{"INT-1.client-ended"});
}

TEST(ClientJudge, allows_ping_and_discover_before_initialize) {
    Script script;
    script.says(R"({"jsonrpc":"2.0","id":"p","method":"ping"})");
    script.says(R"({"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":{)"
                R"("io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
    script.says(hello).hears(welcome).says(ready);
    EXPECT_EQ(wrong(script), Rules());
    Script early;
    early.says(tools).says(hello).hears(welcome).says(ready);
    EXPECT_EQ(wrong(early), Rules{"LIFE-1.client-first"});
}

TEST(ClientJudge, requests_during_the_handshake_break_the_right_rule) {
    Script hasty, unready, overtaken;
    hasty.says(hello).says(tools).hears(welcome).says(ready);
    EXPECT_EQ(wrong(hasty), Rules{"LIFE-3.client-waits"});
    unready.says(hello).hears(welcome).says(tools).says(ready);
    EXPECT_EQ(wrong(unready), Rules{"LIFE-2.client-order"});
    overtaken.says(hello).says(ready).hears(welcome);
    EXPECT_EQ(wrong(overtaken), Rules{"LIFE-2.client-initialized"});
}

TEST(ClientJudge, allows_posts_that_arrive_out_of_order_within_milliseconds) {
    const std::vector<std::pair<std::string, std::string>> head = {{"Mcp-Session-Id", "session-1"},
                                                                   {"MCP-Protocol-Version", "2025-11-25"}};
    for (const auto gap : {5, 500}) {
        Script script(Scene::plain, true);
        script.posts(hello, {}).add({.kind = Kind::sent, .text = std::string(welcome), .status = 200});
        script.posts(tools, head).after(std::chrono::milliseconds(gap)).posts(ready, head);
        EXPECT_EQ(wrong(script), gap > 100 ? Rules{"LIFE-2.client-order"} : Rules()) << gap;
    }
}

TEST(ClientJudge, an_answer_is_matched_by_value_and_type_of_its_id) {
    const auto ask = [](std::string_view answer) {
        Script script = handshake(Scene::questions).says(tools);
        script.hears(R"({"jsonrpc":"2.0","id":0,"method":"ping"})").says(answer);
        Script plain = handshake().says(tools);
        return wrong({&plain, &script});
    };
    EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":0,"result":{}})"), Rules());
    EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":"0","result":{}})"), Rules{"RPC-4.client-same-id"});
    EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":0,"result":{"a":1}})"), Rules{"LIFE-14.client-ping"});
    EXPECT_EQ(ask(R"({"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":""}})"), Rules{"LIFE-14.client-ping"});
    EXPECT_EQ(ask(""), Rules{"LIFE-14.client-ping"});
}

TEST(ClientJudge, an_unanswered_elicitation_is_not_a_failure) {
    Script script = handshake(Scene::questions).says(tools);
    script.hears(R"({"jsonrpc":"2.0","id":7,"method":"elicitation/create"})");
    Script plain = handshake().says(tools);
    EXPECT_EQ(wrong({&plain, &script}), Rules());
    EXPECT_NE(finding({&plain, &script}, "LIFE-12.client-elicitation").detail.find("a user may have to answer"),
              std::string::npos);
}

TEST(ClientJudge, a_client_that_stops_early_is_detected) {
    Script plain = handshake().says(tools);
    Script stops = handshake(Scene::stray_response), goes_on = handshake(Scene::unknown_notification).says(tools);
    EXPECT_EQ(wrong({&plain, &stops, &goes_on}), Rules{"RPC-9.client-stray-response"});
    Script idle = handshake();
    EXPECT_EQ(wrong({&idle, &stops}), Rules());
}

TEST(ClientJudge, the_client_must_close_the_input_before_it_terminates_the_server) {
    const auto closing = [](std::chrono::milliseconds wait, bool closes) {
        Script script = handshake().says(tools);
        script.record.ended = true;
        if (closes) script.does(Kind::input_closed);
        script.after(wait).does(Kind::terminated);
        return wrong(script);
    };
    EXPECT_EQ(closing(std::chrono::seconds(2), true), Rules());
    EXPECT_EQ(closing(std::chrono::milliseconds(1), true), Rules{"STDIO-3.client-closes"});
    EXPECT_EQ(closing(std::chrono::seconds(2), false), Rules{"STDIO-3.client-closes"});
}

TEST(ClientJudge, evidence_shows_the_shortened_messages_around_a_failure) {
    Script script = handshake().says(R"({"id":5,"method":"ping","params":{"x":")" + std::string(500, 'x') + "\"}}");
    const Finding found = finding({&script}, "RPC-1.client-version");
    ASSERT_EQ(found.evidence.size(), 3u);
    EXPECT_EQ(found.evidence[1].bytes, ready);
    EXPECT_EQ(found.evidence[2].bytes.size(), 100u);
    EXPECT_GT(found.evidence[2].left_out, 400u);
}

TEST(ClientJudge, a_violated_should_is_a_warning) {
    Script script;
    script.says(hello).says(tools).hears(welcome).says(ready);
    EXPECT_EQ(finding({&script}, "LIFE-3.client-waits").outcome, Outcome::warning);
}

// mcp-remote looks for OAuth metadata before it connects.
TEST(ClientJudge, requests_outside_the_endpoint_are_not_judged) {
    const Event lookup{
        .kind = Kind::request, .method = "GET", .target = "/.well-known/oauth-protected-resource", .fields = {}};
    Script script(Scene::plain, true);
    script.add(lookup).posts(hello, {}).hears(welcome);
    EXPECT_NE(finding({&script}, "HTTP-7.client-accept").outcome, Outcome::fail);
    Event stream = lookup;
    stream.target = "/mcp";
    script.add(stream);
    EXPECT_EQ(finding({&script}, "HTTP-7.client-accept").outcome, Outcome::fail);
}

// Codex continues with any version, also with one that does not exist.
TEST(ClientJudge, the_newest_version_of_a_client_that_accepts_any_version_is_unknown) {
    const auto script_in = [](Scene scene, std::string_view version) {
        Script out(scene);
        std::string old(hello);
        old.replace(old.find("2025-11-25"), 10, "2025-06-18");
        out.says(old);
        out.hears(R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":")" + std::string(version) + R"("}})");
        out.says(ready).says(tools);
        return out;
    };
    const Script plain = script_in(Scene::plain, "2025-06-18"), newest = script_in(Scene::newest_version, "2025-11-25");
    const Script unknown = script_in(Scene::no_common_version, "1999-12-31");
    EXPECT_EQ(finding({&plain, &newest}, "LIFE-7.client-newest").outcome, Outcome::warning);
    EXPECT_EQ(finding({&plain, &newest, &unknown}, "LIFE-7.client-newest").outcome, Outcome::not_applicable);
}

}  // namespace
}  // namespace tenon::check::client
