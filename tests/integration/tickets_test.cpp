// The example examples/tickets.cpp over HTTP, without sockets: two principals, in both eras. Everything that bob can
// see is the same, byte by byte, whether alice has tickets and works on them, or does nothing. rules: SEC-2, TOOL-10,
// RES-10
#define main tickets_main  // NOLINT: the example is a program
#include "examples/tickets.cpp"
#undef main

#include <gtest/gtest.h>

#include <map>

#include "framing/sse.hpp"
#include "protocol/methods.hpp"

namespace tenon::test {
namespace {

constexpr const char* secret = "only alice knows this";

struct Tracker {
    Database db{":memory:"};
    Server server{"tickets", "1"};
    std::optional<HttpMount> mount;

    Tracker() {
        add_tickets(server, db);
        mount.emplace(server, HttpOptions{.auth = auth::StaticTokens{{"alice", auth::hash_token("token-of-alice")},
                                                                     {"bob", auth::hash_token("token-of-bob")}}});
    }
    std::size_t count(const char* sql) { return static_cast<std::size_t>(std::stoul(db.run(sql).at(0).at(0))); }
};

// One principal with a client of one era. Writes everything that it receives into `seen`.
class Person {
 public:
    Person(Tracker& tracker, std::string name, Era era)
        : name_(std::move(name)), era_(era), connection_(tracker.mount->connect("127.0.0.1")) {
        if (modern()) return;
        const auto opened = ask("initialize", {{"protocolVersion", "2025-11-25"},
                                               {"capabilities", {{"elicitation", json::object()}}},
                                               {"clientInfo", {{"name", "t"}, {"version", "1"}}}});
        EXPECT_TRUE(opened.contains("result"));
        notify("notifications/initialized");
    }
    bool modern() const { return era_ == Era::modern; }

    /// Opens the stream of notifications, about tickets of both.
    void listen() {
        const json::array uris{"ticket://alice/1", "ticket://alice/2", "ticket://bob/1", "ticket://bob/2"};
        if (!modern()) {
            stream_.emplace(begin("GET", {}, {}));
            for (const json::value& uri : uris) ask("resources/subscribe", {{"uri", uri}});
        } else {
            const json::object wanted{{"toolsListChanged", true},
                                      {"resourcesListChanged", true},
                                      {"promptsListChanged", true},
                                      {"resourceSubscriptions", uris}};
            stream_.emplace(begin("POST", "subscriptions/listen", {{"notifications", wanted}}));
        }
        hear();
    }
    /// Listens to a task, too (2026-07-28).
    void listen_to(const std::string& task) {
        if (!modern()) return;
        const json::object wanted{{"taskIds", json::array{task}}};
        task_stream_.emplace(begin("POST", "subscriptions/listen", {{"notifications", wanted}}));
        hear();
    }
    /// Takes the notifications that have come.
    void hear() {
        if (stream_) drain(*stream_);
        if (task_stream_) drain(*task_stream_);
    }

    /// Sends a request, answers the questions of the server, and returns the response.
    json::object ask(std::string_view method, json::object params = {}) {
        Exchange exchange = begin("POST", method, params);
        for (int patience = 600; patience > 0 && exchange.state == HttpOutput::State::open; --patience) drain(exchange);
        EXPECT_EQ(exchange.state, HttpOutput::State::complete) << method;
        const json::object response = exchange.last;
        const json::value* result = response.if_contains("result");
        const json::object* questions = result && result->is_object() && result->as_object().contains("inputRequests")
                                            ? &result->at("inputRequests").as_object()
                                            : nullptr;
        if (!questions) return response;
        json::object answers;
        for (const auto& [key, question] : *questions) answers[key] = yes();
        params["inputResponses"] = std::move(answers);
        params["requestState"] = result->at("requestState");
        return ask(method, std::move(params));
    }
    json::object call(std::string_view tool, json::object arguments = {}, json::object extra = {}) {
        extra["name"] = tool;
        extra["arguments"] = std::move(arguments);
        return ask("tools/call", std::move(extra));
    }
    void notify(std::string_view method, json::object params = {}) {
        Exchange exchange = begin("POST", method, std::move(params), false);
        for (int patience = 600; patience > 0 && exchange.state == HttpOutput::State::open; --patience) drain(exchange);
    }
    const std::string& seen() const { return seen_; }
    void forget() { seen_.clear(); }

 private:
    struct Exchange {
        HttpMount::Exchange inner;
        framing::SseReader reader{64 * 1024 * 1024};
        std::optional<HttpResponseHead> head = {};
        std::string body = {};
        HttpOutput::State state = HttpOutput::State::open;
        json::object last = {};
        bool blocks = true;
    };
    static json::object yes() { return {{"action", "accept"}, {"content", {{"really", true}}}}; }

    Exchange begin(const char* how, std::string_view method, json::object params, bool is_request = true) {
        HttpRequestHead head{how, "/mcp", {{"Host", "localhost"}, {"Authorization", "Bearer token-of-" + name_}}};
        head.headers.emplace_back("Accept", "application/json, text/event-stream");
        if (!session_.empty()) head.headers.emplace_back("Mcp-Session-Id", session_);
        json::object message{{"jsonrpc", "2.0"}, {"method", method}};
        if (is_request) message["id"] = ++id_;
        if (modern()) {
            const json::object capabilities{
                {"elicitation", json::object()},
                {"extensions", json::object{{"io.modelcontextprotocol/tasks", json::object()}}}};
            params["_meta"] = json::object{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                                           {"io.modelcontextprotocol/clientCapabilities", capabilities}};
            head.headers.emplace_back("MCP-Protocol-Version", "2026-07-28");
            head.headers.emplace_back("Mcp-Method", std::string(method));
            const std::string_view parameter = protocol::name_parameter(method);
            const json::value* name = parameter.empty() ? nullptr : params.if_contains(parameter);
            if (name && name->is_string()) head.headers.emplace_back("Mcp-Name", std::string(name->as_string()));
        }
        message["params"] = std::move(params);
        const bool post = head.method == "POST";
        if (post) head.headers.emplace_back("Content-Type", "application/json");
        Exchange exchange{connection_.request(head)};
        if (post) exchange.inner.body(json::write(message));
        if (exchange.inner.wants_body()) exchange.inner.end_of_body();
        exchange.blocks = post && method != "subscriptions/listen";
        return exchange;
    }

    void drain(Exchange& exchange) {
        HttpOutput out =
            exchange.blocks ? exchange.inner.wait_and_take(std::chrono::milliseconds(100)) : exchange.inner.take();
        exchange.state = out.state;
        if (out.head) {
            exchange.head = std::move(out.head);
            note_head(*exchange.head);
        }
        if (!exchange.head) return;
        if (!exchange.head->content_length) {
            exchange.reader.feed(out.body, [&](const auto& event) {
                if (!event.data.empty()) take(exchange, event.data);
            });
            return;
        }
        exchange.body += out.body;
        if (out.state == HttpOutput::State::complete && !exchange.body.empty()) take(exchange, exchange.body);
    }
    void take(Exchange& exchange, const std::string& text) {
        json::object message = json::parse(text).value().as_object();
        if (!message.contains("method")) {
            exchange.last = message;
        } else if (message.contains("id")) {  // a question, with a handshake
            answer(message.at("id"));
        }
        json::value shown = std::move(message);
        normalise(shown);
        seen_ += json::write(shown) + "\n";
    }
    void answer(const json::value& id) {
        HttpRequestHead head{"POST",
                             "/mcp",
                             {{"Host", "localhost"},
                              {"Authorization", "Bearer token-of-" + name_},
                              {"Accept", "application/json, text/event-stream"},
                              {"Content-Type", "application/json"},
                              {"Mcp-Session-Id", session_}}};
        auto exchange = connection_.request(head);
        exchange.body(json::write(json::object{{"jsonrpc", "2.0"}, {"id", id}, {"result", yes()}}));
        exchange.end_of_body();
        EXPECT_EQ(exchange.take().head.value().status, 202);
    }
    void note_head(const HttpResponseHead& head) {
        seen_ += std::to_string(head.status);
        for (const auto& [name, value] : head.headers) {
            if (name == "Mcp-Session-Id") session_ = value;
            seen_ += " " + name + ": " + (name == "Mcp-Session-Id" ? "*" : value);
        }
        seen_ += "\n";
    }
    // Replaces values that are random or times.
    static void normalise(json::value& v) {
        if (auto* array = v.if_array()) {
            for (json::value& element : *array) normalise(element);
        } else if (auto* object = v.if_object()) {
            for (auto& [key, value] : *object) {
                const bool random = key == "requestState" || key == "nextCursor" || key == "createdAt" ||
                                    key == "lastUpdatedAt" || key == "taskId";
                random ? static_cast<void>(value = "*") : normalise(value);
            }
        }
    }

    std::string name_;
    Era era_;
    HttpMount::Connection connection_;
    std::string session_, seen_;
    std::optional<Exchange> stream_, task_stream_;
    int id_ = 0;
};

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
