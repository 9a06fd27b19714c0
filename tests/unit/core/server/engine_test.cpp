// The engine by itself: its actions, their order and their time. No handler runs here.
// rules: RPC-7, RPC-12, LIFE-15, LIFE-16
#include <gtest/gtest.h>

#include "core/server/engine.hpp"

namespace tenon::core {
namespace {

using namespace std::chrono_literals;

class EngineTest : public testing::Test {
 protected:
    void SetUp() override {
        for (const char* name : {"slow", "other"}) {
            ASSERT_TRUE(registry_.add(ToolEntry{.definition = {name, "A tool"}, .handler = {}}));
        }
        ASSERT_TRUE(registry_.add(ToolEntry{.definition = {"quick", "A tool"}, .handler = {}, .time = 3s}));
        start();
    }

    /// Begins with a new engine.
    void start() {
        auto settings = std::make_shared<Settings>();
        settings->info = protocol::Spellings(Implementation{"engine", "1"});
        settings->features = [this] { return registry_.snapshot(); };
        engine_.emplace(settings);
    }

    void initialize(const char* revision = "2025-03-26") {
        receive(R"({"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":")" +
                std::string(revision) + R"(","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}})");
        receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        engine_->take_actions();
    }

    void receive(const std::string& message) { engine_->receive(message, now_); }

    /// Sends a call and returns the one that the engine wants to run.
    CallPtr call(const std::string& id, const std::string& tool = "slow") {
        receive(request(id, tool));
        const auto actions = engine_->take_actions();
        return std::get<core::Run>(actions.at(0)).call;
    }
    static std::string request(const std::string& id, const std::string& tool = "slow") {
        return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":")" + tool + R"("}})";
    }

    /// Returns a Reply that writes its result into answers_[name].
    Reply<json::value> answer_to(const std::string& name) {
        return make_reply<json::value>(
            [this, name](Result<json::value> r) { answers_[name] = r ? json::write(*r) : r.error().message; });
    }

    /// Returns the actions, one line each.
    std::vector<std::string> take() {
        std::vector<std::string> out;
        for (Action& action : engine_->take_actions()) {
            if (auto* send = std::get_if<Send>(&action)) out.push_back("send " + send->message.json);
            if (auto* run = std::get_if<core::Run>(&action)) out.push_back("run " + run->call->id.text());
            if (auto* stop = std::get_if<Stop>(&action)) out.push_back("stop " + stop->call->id.text());
            if (std::holds_alternative<Note>(action)) out.push_back("note");
            if (std::holds_alternative<Notify>(action)) out.push_back("notify");
            if (auto* deliver = std::get_if<Deliver>(&action)) {
                out.push_back("deliver");
                std::move(deliver->reply).send(std::move(deliver->answer));
            }
        }
        return out;
    }

    void ask_roots(const CallPtr& call, TimePoint when, Reply<json::value> reply) {
        std::vector<Question> questions;
        questions.push_back(roots_question("", std::move(reply)));
        engine_->ask(call, std::move(questions), when);
    }

    using Lines = std::vector<std::string>;
    Registry registry_;
    std::map<std::string, std::string> answers_;  // outlives the engine, which drops its replies
    std::optional<ServerEngine> engine_;
    TimePoint now_ = TimePoint(1000s);
};

TEST_F(EngineTest, has_no_deadline_while_nothing_runs) {
    EXPECT_EQ(engine_->next_deadline(), std::nullopt);
    initialize();
    receive(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
    EXPECT_EQ(engine_->next_deadline(), std::nullopt);
    EXPECT_TRUE(engine_->idle());
}

TEST_F(EngineTest, the_next_deadline_is_the_earliest) {
    initialize();
    const CallPtr slow = call("1");
    EXPECT_EQ(engine_->next_deadline(), now_ + 10min);
    const CallPtr quick = call("2", "quick");
    EXPECT_EQ(engine_->next_deadline(), now_ + 3s);
    engine_->answered(quick, Encoded{"{}"});
    take();
    engine_->tick(now_ + 3s);  // the deadline of a finished call: nothing happens, and the call is forgotten
    EXPECT_EQ(take(), Lines{});
    EXPECT_EQ(engine_->next_deadline(), now_ + 10min);
    engine_->answered(slow, Encoded{"{}"});
    EXPECT_EQ(engine_->next_deadline(), std::nullopt);
}

TEST_F(EngineTest, a_question_has_its_own_deadline) {
    initialize();
    const CallPtr slow = call("1");
    ask_roots(slow, now_ + 1min, answer_to("answer"));
    EXPECT_EQ(engine_->next_deadline(), now_ + 6min);
}

TEST_F(EngineTest, a_tick_before_the_deadline_does_nothing) {
    initialize();
    call("1", "quick");
    engine_->tick(now_ + 3s - 1ns);
    EXPECT_EQ(take(), Lines{});
}

TEST_F(EngineTest, a_tick_at_the_deadline_sends_the_error_and_then_stops_the_handler) {
    initialize();
    const CallPtr quick = call("1", "quick");
    engine_->tick(now_ + 3s);
    EXPECT_EQ(
        take(),
        (Lines{
            "note",
            R"(send {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"the handler of tools/call did not finish in time"}],"isError":true}})",
            "stop 1"}));
    engine_->answered(quick, Encoded{"{}"});
    EXPECT_EQ(take(), Lines{"note"});
}

TEST_F(EngineTest, calls_with_the_same_deadline_all_end) {
    initialize();
    call("1", "quick");
    call("2", "quick");
    engine_->tick(now_ + 1h);
    EXPECT_EQ(take().size(), 6U);
    EXPECT_TRUE(engine_->idle());
}

TEST_F(EngineTest, a_second_answer_is_dropped) {
    initialize();
    const CallPtr slow = call("1");
    engine_->answered(slow, Encoded{"{}"});
    EXPECT_EQ(take(), Lines{R"(send {"jsonrpc":"2.0","id":1,"result":{}})"});
    engine_->answered(slow, Encoded{"{}"});
    EXPECT_EQ(take(), Lines{"note"});
}

TEST_F(EngineTest, a_batch_response_is_sent_after_its_last_answer) {
    initialize();
    receive("[" + request("1") + "," + request("2") + R"(,{"jsonrpc":"2.0","id":3,"method":"ping"}])");
    std::vector<CallPtr> calls;
    for (const Action& action : engine_->take_actions()) calls.push_back(std::get<core::Run>(action).call);
    ASSERT_EQ(calls.size(), 2U);
    engine_->answered(calls[1], Encoded{R"({"n":2})"});
    EXPECT_EQ(take(), Lines{});
    engine_->answered(calls[0], Encoded{R"({"n":1})"});
    EXPECT_EQ(
        take(),
        Lines{
            R"(send [{"jsonrpc":"2.0","id":3,"result":{}},{"jsonrpc":"2.0","id":2,"result":{"n":2}},{"jsonrpc":"2.0","id":1,"result":{"n":1}}])"});
}

TEST_F(EngineTest, a_batch_response_is_sent_when_its_last_call_times_out) {
    initialize();
    receive("[" + request("1", "quick") + "]");
    engine_->take_actions();
    engine_->tick(now_ + 3s);
    const Lines lines = take();
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_TRUE(lines[1].starts_with(R"(send [{"jsonrpc":"2.0","id":1,)")) << lines[1];
}

TEST_F(EngineTest, shutdown_answers_an_open_batch) {
    initialize();
    receive("[" + request("1") + "]");
    engine_->take_actions();
    engine_->shut_down("bye");
    EXPECT_EQ(take(), (Lines{R"(send [{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"bye"}}])", "stop 1"}));
}

TEST_F(EngineTest, an_unanswered_question_is_cancelled_and_fails_in_its_handler) {
    initialize();
    const CallPtr slow = call("1");
    ask_roots(slow, now_, answer_to("answer"));
    EXPECT_EQ(take(), Lines{R"(send {"jsonrpc":"2.0","id":1,"method":"roots/list"})"});
    engine_->tick(now_ + 5min);
    EXPECT_EQ(
        take(),
        (Lines{
            R"(send {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"the client did not answer in time"}})",
            "deliver"}));
    EXPECT_EQ(answers_["answer"], "the client did not answer in time");
    EXPECT_FALSE(engine_->idle());
}

TEST_F(EngineTest, cancelling_a_call_cancels_only_its_own_questions) {
    initialize();
    const CallPtr one = call("1"), two = call("2");
    ask_roots(one, now_, answer_to("first"));
    ask_roots(two, now_, answer_to("second"));
    engine_->take_actions();
    receive(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
    EXPECT_EQ(
        take(),
        (Lines{
            "note", "stop 1",
            R"(send {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"the client cancelled the request"}})",
            "deliver"}));
    EXPECT_EQ(answers_["first"], "the client cancelled the request");
    EXPECT_EQ(answers_["second"], "");
    receive(R"({"jsonrpc":"2.0","id":2,"result":{"roots":[]}})");
    EXPECT_EQ(take(), Lines{"deliver"});
    EXPECT_EQ(answers_["second"], R"({"roots":[]})");
}

TEST_F(EngineTest, the_end_of_input_fails_questions_without_sending_anything) {
    initialize();
    const CallPtr slow = call("1");
    ask_roots(slow, now_, answer_to("answer"));
    engine_->take_actions();
    engine_->end_of_input();
    EXPECT_EQ(take(), Lines{"deliver"});
    EXPECT_EQ(answers_["answer"], "the connection was closed before the client answered");
    ask_roots(slow, now_, answer_to("after"));
    EXPECT_EQ(take(), Lines{"deliver"});
    EXPECT_EQ(answers_["after"], "the connection is closed, so the client cannot answer");
}

TEST_F(EngineTest, a_second_shutdown_has_no_effect) {
    initialize();
    call("1");
    engine_->shut_down("first");
    EXPECT_EQ(take(), (Lines{R"(send {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"first"}})", "stop 1"}));
    engine_->shut_down("second");
    EXPECT_EQ(take(), Lines{});
    receive(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
    EXPECT_EQ(take(), Lines{R"(send {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"first"}})"});
}

TEST_F(EngineTest, messages_of_a_request_carry_its_route) {
    initialize();
    engine_->receive(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","_meta":{"progressToken":"t"}}})",
        TimePoint(), 7);
    const CallPtr slow = std::get<core::Run>(engine_->take_actions().at(0)).call;
    receive(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
    EXPECT_EQ(std::get<Send>(engine_->take_actions().at(0)).reply_to, 0U);
    engine_->progress(slow, 1, {}, "");
    engine_->log(slow, LogLevel::error, "x", "");
    engine_->answered(slow, Encoded{"{}"});
    const auto actions = engine_->take_actions();
    ASSERT_EQ(actions.size(), 3U);
    for (const Action& action : actions) EXPECT_EQ(std::get<Send>(action).reply_to, 7U);
    EXPECT_FALSE(std::get<Send>(actions[0]).answers);
    EXPECT_TRUE(std::get<Send>(actions[2]).answers);
    engine_->list_changed({ListKind::tools, "new"});
    EXPECT_EQ(std::get<Send>(engine_->take_actions().at(0)).reply_to, 0U);
}

TEST_F(EngineTest, an_error_carries_its_code_and_whether_the_request_was_invalid) {
    initialize();
    engine_->receive(R"({"jsonrpc":"2.0","id":1,"method":"none"})", TimePoint(), 3);
    engine_->receive(R"({"jsonrpc":"2.0","id":null,"method":"ping"})", TimePoint(), 4);
    const auto actions = engine_->take_actions();
    const auto& unknown = std::get<Send>(actions.at(0));
    EXPECT_EQ(unknown.error, code::method_not_found);
    EXPECT_FALSE(unknown.refused);
    const auto& refused = std::get<Send>(actions.at(2));  // each answer is followed by its record
    EXPECT_EQ(std::get<core::Ended>(actions.back()).end, OperationEnd::refused);
    EXPECT_EQ(refused.reply_to, 4U);
    EXPECT_EQ(refused.error, code::invalid_request);
    EXPECT_TRUE(refused.refused);
}

TEST_F(EngineTest, a_cancelled_request_finishes_without_an_answer) {
    initialize();
    engine_->receive(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}})", TimePoint(), 5);
    engine_->take_actions();
    receive(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
    const auto actions = engine_->take_actions();
    EXPECT_EQ(std::get<Finish>(actions.back()).reply_to, 5U);
}

TEST_F(EngineTest, a_result_over_max_message_bytes_is_an_error_that_names_the_limit) {
    initialize();
    const CallPtr slow = call("1");
    engine_->answered(slow, Encoded{"\"" + std::string(Limits().max_message_bytes, 'x') + "\""});
    const Lines lines = take();
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("the limit is 16777216"), std::string::npos);
    EXPECT_LT(lines[0].size(), 300U);
}

TEST_F(EngineTest, every_request_that_clients_may_send_has_a_handler) {
    for (const protocol::Revision revision : protocol::revisions()) {
        const protocol::Rules rules(revision);
        start();
        if (rules.is_legacy()) initialize(std::string(rules.name()).c_str());
        const std::string meta = rules.is_legacy()
                                     ? ""
                                     : R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                       R"("io.modelcontextprotocol/clientCapabilities":{},)"
                                       R"("io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}})";
        for (const protocol::Method& row : protocol::methods()) {
            if (row.notification || !rules.method(row.name, protocol::Sender::client)) continue;
            receive(R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(row.name) + R"(","params":{)" + meta + "}}");
            const std::string missing = "Method not found: " + std::string(row.name) + "\"";
            for (const std::string& line : take()) EXPECT_EQ(line.find(missing), std::string::npos) << line;
        }
    }
}

}  // namespace
}  // namespace tenon::core
