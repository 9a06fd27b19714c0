// Two users of examples/tickets.cpp, in both eras. Everything that bob can see is the same, byte by byte, whether alice
// has tickets and works on them, or does nothing.
// rules: SEC-2, TOOL-10, RES-10

#include <map>

#include "integration/tickets_world.hpp"
#include "protocol/methods.hpp"

namespace tenon::test {
namespace {

// What bob tries, for every message that a client can send. Add a line for each new method.
using Attempts = std::map<std::string, std::vector<json::object>, std::less<>>;
Attempts attempts(const std::string& task) {
    const json::object of_template{{"type", "ref/resource"}, {"uri", uri_template}};
    const json::object of_prompt{{"type", "ref/prompt"}, {"name", "summary"}};
    const auto complete = [](json::object ref, const char* name, const char* value, json::object context = {}) {
        json::object out{{"ref", std::move(ref)}, {"argument", {{"name", name}, {"value", value}}}};
        if (!context.empty()) out["context"] = json::object{{"arguments", std::move(context)}};
        return out;
    };
    const json::object by_task{{"taskId", task}};
    const std::vector<json::object> by_uri{{{"uri", "ticket://alice/1"}},
                                           {{"uri", "ticket://alice/2"}},
                                           {{"uri", "ticket://alice/99"}},
                                           {{"uri", "ticket://bob/1"}},
                                           {{"uri", "ticket://bob/99"}},
                                           {{"uri", "ticket://alice%2F..%2Falice/1"}},
                                           {{"uri", "ticket://bob%2f..%2falice/1"}},
                                           {{"uri", "TICKET://alice/1"}},
                                           {{"uri", "ticket://{owner}/{number}"}}};
    return {
        {"initialize", {{{"protocolVersion", "2025-11-25"}}}},
        {"server/discover", {{}}},
        {"ping", {{}}},
        {"logging/setLevel", {{{"level", "debug"}}}},
        {"tools/list", {{}, {{"cursor", "AAAAAAAAAAAAAAAAAAAAAA"}}}},
        {"tools/call",
         {{{"name", "list_tickets"}, {"arguments", json::object()}},
          {{"name", "open_ticket"}, {"arguments", {{"title", "mine"}}}},
          {{"name", "close_ticket"}, {"arguments", {{"number", 1}}}},
          {{"name", "close_ticket"}, {"arguments", {{"number", 2}}}},
          {{"name", "close_ticket"}, {"arguments", {{"number", 99}}}},
          {{"name", "list_tickets"}, {"arguments", {{"owner", "alice"}}}},
          {{"name", "list_tickets"}, {"arguments", json::object()}}}},
        {"resources/list", {{}, {{"cursor", "AAAA"}}}},
        {"resources/templates/list", {{}}},
        {"resources/read", by_uri},
        {"resources/subscribe", by_uri},
        {"resources/unsubscribe", by_uri},
        {"prompts/list", {{}}},
        {"prompts/get",
         {{{"name", "summary"}, {"arguments", {{"number", "1"}}}},
          {{"name", "summary"}, {"arguments", {{"number", "2"}}}},
          {{"name", "summary"}, {"arguments", {{"number", "%"}}}}}},
        {"completion/complete",
         {complete(of_template, "number", ""), complete(of_template, "number", "", {{"owner", "alice"}}),
          complete(of_template, "owner", ""), complete(of_template, "owner", "al"), complete(of_prompt, "number", ""),
          complete({{"type", "ref/resource"}, {"uri", "ticket://alice/1"}}, "number", "")}},
        {"subscriptions/listen", {}},  // Person::listen() and listen_to()
        {"tasks/get", {by_task}},
        {"tasks/cancel", {by_task}},
        {"tasks/result", {by_task}},
        {"tasks/list", {{}}},
        {"tasks/update", {{{"taskId", task}, {"inputResponses", json::object()}}}},
        {"skills/list", {{}}},
        {"skills/get", {{{"uri", "ticket://alice/1"}}}},
        {"resources/directory/read", {{{"uri", "ticket://alice"}}}},
        {"notifications/initialized", {{}}},
        {"notifications/roots/list_changed", {{}}},
        {"notifications/cancelled", {{{"requestId", 2}}, {{"requestId", 3}}}},
        {"notifications/progress", {{{"progressToken", 1}, {"progress", 1}}}},
    };
}

struct Tickets : testing::TestWithParam<Era> {
    // Returns an unfinished or finished task of alice.
    static std::string import_as_task(Person& alice) {
        json::object extra;
        if (!alice.modern()) extra["task"] = json::object{{"ttl", 60'000}};
        const json::object made = alice.call("import_tickets", {{"titles", json::array{secret, secret}}}, extra);
        const json::value& result = made.at("result");
        const json::value& task = alice.modern() ? result : result.at("task");
        const std::string id(task.at("taskId").as_string());
        for (;;) {  // its tickets must be there before bob tries the next method
            const json::object state = alice.ask("tasks/get", {{"taskId", id}});
            if (state.at("result").at("status").as_string() == "completed") return id;
        }
    }
    static void work(Person& alice) {
        alice.call("open_ticket", {{"title", secret}});
        alice.call("close_ticket", {{"number", 1}});
        alice.call("close_ticket", {{"number", 2}});
        if (!alice.modern()) alice.call("import_tickets", {{"titles", json::array{secret}}});
        alice.ask("resources/list");
        alice.hear();
    }
    static std::string replaced(std::string text, const std::string& from) {
        for (std::size_t at = 0; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), "TASK");
        return text;
    }

    // Bob tries everything. Returns all that he received.
    static std::string bobs_view(Era era, bool alice_works) {
        Tracker tracker;
        std::optional<Person> alice;
        std::string task = "00000000-0000-0000-0000-000000000000";
        if (alice_works) {
            alice.emplace(tracker, "alice", era);
            alice->listen();
            task = import_as_task(*alice);
        }
        Person bob(tracker, "bob", era);
        bob.listen();
        bob.listen_to(task);
        bob.call("open_ticket", {{"title", "mine"}});
        bob.call("close_ticket", {{"number", 1}});
        bob.hear();
        for (const auto& [method, all] : attempts(task)) {
            for (const json::object& params : all) {
                if (alice) work(*alice);
                const bool notification = protocol::find_method(method)->notification;
                notification ? bob.notify(method, params) : static_cast<void>(bob.ask(method, params));
                bob.hear();
            }
        }
        if (alice) {
            EXPECT_NE(alice->seen().find(secret), std::string::npos);
            EXPECT_NE(alice->seen().find("notifications/resources/updated"), std::string::npos);
            EXPECT_NE(alice->seen().find("notifications/resources/list_changed"), std::string::npos);
        }
        EXPECT_EQ(bob.seen().find(secret), std::string::npos);
        return replaced(bob.seen(), task);
    }
};
INSTANTIATE_TEST_SUITE_P(Eras, Tickets, testing::Values(Era::legacy, Era::modern),
                         [](const auto& of) { return of.param == Era::modern ? "modern" : "legacy"; });

// A method that this test does not know would be a way around it.
TEST(TicketsMethods, every_message_that_a_client_can_send_is_tried) {
    const Attempts known = attempts("");
    for (const protocol::Method& row : protocol::methods()) {
        if (row.sender == protocol::Sender::server) continue;
        EXPECT_TRUE(known.contains(row.name)) << row.name << " is new: add it to attempts()";
    }
    for (const auto& [name, all] : known) EXPECT_NE(protocol::find_method(name), nullptr) << name;
}

TEST_P(Tickets, a_principal_learns_nothing_of_the_tickets_of_another) {
    const std::string alone = bobs_view(GetParam(), false), together = bobs_view(GetParam(), true);
    EXPECT_EQ(together, alone);
    for (const char* own : {"ticket://bob/1", "notifications/resources/updated", "notifications/resources/list_changed",
                            "\"closed\"", "Summarise: mine"})
        EXPECT_NE(alone.find(own), std::string::npos) << own << ": bob must see his own tickets";
}

TEST_P(Tickets, work_with_progress_questions_and_an_audit_log) {
    Tracker tracker;
    Person alice(tracker, "alice", GetParam());
    alice.listen();
    EXPECT_EQ(alice.call("open_ticket", {{"title", "a"}}).at("result").at("structuredContent").at("uri"),
              "ticket://alice/1");
    EXPECT_EQ(alice.call("close_ticket", {{"number", 1}}).at("result").at("content").at(0).at("text"), "closed");
    EXPECT_TRUE(alice.call("close_ticket", {{"number", 7}}).at("result").at("isError").as_bool());
    const json::object read = alice.ask("resources/read", {{"uri", "ticket://alice/1"}});
    EXPECT_NE(json::write(read).find("closed"), std::string::npos);
    alice.hear();
    EXPECT_NE(alice.seen().find("notifications/resources/updated"), std::string::npos);
    alice.ask("resources/read", {{"uri", "ticket://bob/1"}});
    EXPECT_GE(tracker.count("SELECT COUNT(*) FROM audit WHERE owner = 'alice' AND method = 'tools/call'"), 3U);
    EXPECT_EQ(tracker.count("SELECT COUNT(*) FROM audit WHERE method = 'resources/read' AND outcome = 'refused'"), 1U);
    EXPECT_EQ(tracker.count("SELECT COUNT(*) FROM tickets"), 1U) << "a replayed handler has no effect twice";
}

}  // namespace
}  // namespace tenon::test
