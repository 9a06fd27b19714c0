// Bob has learned secrets of alice: the id of her session, of her events, requests, questions and tasks, a cursor, and
// the state of a call. They are worth nothing to him: each gets the same response as an invented value, and what alice
// does goes on.
// rules: SEC-2, TOOL-10, RES-10, HTTP-6, HTTP-9
#include "integration/tickets_world.hpp"

namespace tenon::test {
namespace {

constexpr const char* invented = "00000000-0000-0000-0000-000000000000";

std::string replaced(std::string text, const std::string& from) {
    for (std::size_t at = 0; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), "TASK");
    return text;
}

// Sends one HTTP request. Returns the status and the body.
std::string send(Tracker& tracker, const char* how, std::string_view name, const std::string& session,
                 std::string_view body, const std::string& last_event = {}) {
    HttpRequestHead head{
        how, "/mcp", {{"Host", "localhost"}, {"Authorization", "Bearer token-of-" + std::string(name)}}};
    head.headers.emplace_back("Accept", "application/json, text/event-stream");
    head.headers.emplace_back("Mcp-Session-Id", session);
    if (!last_event.empty()) head.headers.emplace_back("Last-Event-ID", last_event);
    const bool post = head.method == "POST";
    if (post) head.headers.emplace_back("Content-Type", "application/json");
    auto connection = tracker.mount->connect("127.0.0.1");
    auto exchange = connection.request(head);
    if (post) exchange.body(body);
    if (exchange.wants_body()) exchange.end_of_body();
    std::string out;
    for (int patience = 600; patience > 0; --patience) {
        HttpOutput part = exchange.wait_and_take(std::chrono::milliseconds(100));
        if (part.head) {
            out += std::to_string(part.head->status) + " ";
            if (!part.head->content_length && part.head->status == 200) return out + "a stream";
        }
        out += part.body;
        if (part.state != HttpOutput::State::open) break;
    }
    return out;
}

struct TicketsAttack : testing::TestWithParam<Era> {
    static json::object closing(int number) {
        return {{"name", "close_ticket"}, {"arguments", json::object{{"number", number}}}};
    }
    std::string state_of(const char* owner) {
        return tracker.db.run("SELECT state FROM tickets WHERE owner = ? AND number = 1", owner).at(0).at(0);
    }
    Tracker tracker{Limits{.page_size = 1}};
    Person alice{tracker, "alice", GetParam()}, bob{tracker, "bob", GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Eras, TicketsAttack, testing::Values(Era::legacy, Era::modern),
                         [](const auto& of) { return of.param == Era::modern ? "modern" : "legacy"; });

using TicketsSession = TicketsAttack;
INSTANTIATE_TEST_SUITE_P(Eras, TicketsSession, testing::Values(Era::legacy), [](const auto&) { return "legacy"; });

TEST_P(TicketsSession, the_session_of_another_principal_looks_like_an_unknown_one) {
    alice.listen();
    const std::string list = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})",
                      cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})",
                      answer = R"({"jsonrpc":"2.0","id":1,"result":{}})",
                      hello = R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})";
    for (const std::string& body : {list, cancel, answer, hello})
        EXPECT_EQ(send(tracker, "POST", "bob", alice.session(), body), send(tracker, "POST", "bob", invented, body))
            << body;
    for (const char* last : {"", "1-0", "2-1", "9-9"})
        EXPECT_EQ(send(tracker, "GET", "bob", alice.session(), {}, last),
                  send(tracker, "GET", "bob", invented, {}, last))
            << last;
    EXPECT_EQ(send(tracker, "DELETE", "bob", alice.session(), {}), send(tracker, "DELETE", "bob", invented, {}));
    EXPECT_EQ(send(tracker, "POST", "alice", alice.session(), list).substr(0, 3), "200") << "her session goes on";
    alice.call("open_ticket", {{"title", secret}});
    alice.hear();
    EXPECT_NE(alice.seen().find("notifications/resources/list_changed"), std::string::npos) << "and so does her stream";
}

TEST_P(TicketsSession, a_question_and_a_call_of_another_principal_cannot_be_answered_or_cancelled) {
    alice.call("open_ticket", {{"title", secret}});
    json::value question;
    alice.answers_now = [&](const json::value& id) { return question = id, false; };
    auto open = alice.begin("POST", "tools/call", closing(1));
    for (int patience = 600; patience > 0 && question.is_null(); --patience) alice.drain(open);
    ASSERT_FALSE(question.is_null());
    for (int id = 0; id < 20; ++id) bob.notify("notifications/cancelled", {{"requestId", id}});
    bob.answer(question);
    EXPECT_EQ(state_of("alice"), "open");
    EXPECT_EQ(open.state, HttpOutput::State::open);
    alice.answer(question);
    alice.finish(open);
    EXPECT_EQ(state_of("alice"), "closed");
}

TEST_P(TicketsAttack, a_cursor_of_another_principal_shows_nothing_of_hers) {
    for (int i = 0; i < 3; ++i) alice.call("open_ticket", {{"title", secret}});
    bob.call("open_ticket", {{"title", "mine"}});
    const json::object first = alice.ask("resources/list");
    const json::value cursor = first.at("result").at("nextCursor");
    for (const char* method : {"resources/list", "tools/list", "prompts/list", "resources/templates/list"}) {
        const std::string shown = json::write(bob.ask(method, {{"cursor", cursor}}));
        EXPECT_EQ(shown.find("alice"), std::string::npos) << shown;
        EXPECT_EQ(shown.find(secret), std::string::npos) << shown;
    }
}

TEST_P(TicketsAttack, a_task_of_another_principal_looks_like_an_unknown_one_and_goes_on) {
    json::array titles;
    for (int i = 0; i < 50; ++i) titles.emplace_back(secret);
    json::object extra;
    if (!alice.modern()) extra["task"] = json::object{{"ttl", 60'000}};
    const json::object made = alice.call("import_tickets", {{"titles", titles}}, extra);
    const json::value& task = alice.modern() ? made.at("result") : made.at("result").at("task");
    const std::string id(task.at("taskId").as_string());
    for (const char* method : {"tasks/get", "tasks/cancel", "tasks/result", "tasks/update"}) {
        const auto with_id = [&](const std::string& which) {
            json::object response = bob.ask(method, {{"taskId", which}, {"inputResponses", json::object()}});
            response.erase("id");
            return replaced(json::write(response), which);
        };
        EXPECT_EQ(with_id(id), with_id(invented)) << method;
    }
    for (;;) {
        const json::object state = alice.ask("tasks/get", {{"taskId", id}});
        const std::string status(state.at("result").at("status").as_string());
        if (status == "working") continue;
        EXPECT_EQ(status, "completed");
        break;
    }
    EXPECT_EQ(tracker.count("SELECT COUNT(*) FROM tickets WHERE owner = 'alice'"), 50U);
}

TEST_P(TicketsAttack, progress_with_the_token_of_another_principal_goes_to_its_own_request) {
    alice.listen();
    const json::object token{{"_meta", json::object{{"progressToken", "same"}}}};
    json::object mine = token;
    alice.call("import_tickets", {{"titles", json::array{secret}}}, token);
    const std::size_t before = alice.seen().size();
    bob.call("import_tickets", {{"titles", json::array{"mine"}}}, std::move(mine));
    alice.hear();
    for (const char* of_bob : {"notifications/progress", "mine", "ticket://bob"})
        EXPECT_EQ(alice.seen().find(of_bob, before), std::string::npos) << of_bob;
    EXPECT_EQ(bob.seen().find(secret), std::string::npos);
}

TEST_P(TicketsAttack, results_are_not_for_shared_caches) {
    alice.call("open_ticket", {{"title", secret}});
    for (const char* method : {"tools/list", "resources/list", "prompts/list", "resources/templates/list"}) {
        const json::object response = alice.ask(method);
        const json::object& result = response.at("result").as_object();
        EXPECT_EQ(result.contains("cacheScope"), alice.modern()) << method;
        if (alice.modern()) {
            EXPECT_EQ(result.at("cacheScope"), "private") << method;
        }
    }
    const json::object read = alice.ask("resources/read", {{"uri", "ticket://alice/1"}});
    if (alice.modern()) {
        EXPECT_EQ(read.at("result").at("cacheScope"), "private");
    }
    EXPECT_EQ(alice.seen().find("Cache-Control: public"), std::string::npos);
}

using TicketsState = TicketsAttack;
INSTANTIATE_TEST_SUITE_P(Eras, TicketsState, testing::Values(Era::modern), [](const auto&) { return "modern"; });

TEST_P(TicketsState, the_state_of_a_call_of_another_principal_is_refused_like_an_invented_one) {
    for (Person* person : {&alice, &bob}) person->call("open_ticket", {{"title", "x"}});
    auto asked = alice.begin("POST", "tools/call", closing(1));
    alice.finish(asked);
    const json::object& question = asked.last.at("result").as_object();
    json::object again = closing(1);
    json::object answers;
    for (const auto& [key, unused] : question.at("inputRequests").as_object()) answers[key] = Person::yes();
    again["inputResponses"] = answers;
    const auto reply_to = [&](Person& person, const json::value& state) {
        json::object params = again;
        params["requestState"] = state;
        auto exchange = person.begin("POST", "tools/call", std::move(params));
        person.finish(exchange);
        json::object response = exchange.last;
        response.erase("id");
        return json::write(response);
    };
    std::string forged(question.at("requestState").as_string());
    forged[forged.size() / 2] = forged[forged.size() / 2] == 'A' ? 'B' : 'A';
    EXPECT_EQ(reply_to(bob, question.at("requestState")), reply_to(bob, json::value(forged)));
    EXPECT_EQ(state_of("alice"), "open");
    EXPECT_EQ(state_of("bob"), "open");
    EXPECT_NE(reply_to(alice, question.at("requestState")).find("closed"), std::string::npos);
    EXPECT_EQ(state_of("alice"), "closed");
}

}  // namespace
}  // namespace tenon::test
