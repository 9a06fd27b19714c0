// What the page can do with a real server over HTTP. The backend, not the page, enforces consent.
// rules: TOOL-15, SEC-1, SEC-2
#include <atomic>

#include "integration/inspect_fixture.hpp"

namespace tenon::test {
namespace {

class InspectTest : public testing::Test {
 protected:
    InspectTest() {
        server_.tool("echo", "Returns its text", args(arg<std::string>("text")), [this](std::string text) {
            ++calls_;
            return text;
        });
        server_.tool("ask", "Asks the user", [](Context& ctx) {
            const ElicitResult answer = ctx.elicit("Your name?", {{"type", "object"},
                                                                  {"properties", {{"name", {{"type", "string"}}}}},
                                                                  {"required", json::array{"name"}}});
            return answer.action == ElicitAction::accept ? std::string(answer.content.at("name").as_string())
                                                         : std::string("nothing");
        });
        server_.app("ui://page", "page", "<!DOCTYPE html><p>Hello</p>", {.csp = {.connect = {"https://api.example"}}});
        server_.resource("note://one", "one", [] { return std::string("first note"); });
        listening_ = std::make_unique<HttpServer>(server_, HttpOptions{.port = 0});
        inspect::Options options;
        options.target = inspect::Target{.url = listening_->url()};
        inspector_ = std::make_unique<inspect::Inspector>(std::move(options));
        browser_ = std::make_unique<Browser>(*inspector_);
        events_ = std::make_unique<EventStream>(browser_->events());
        events_->wait_for("state", [](const json::object& data) { return data.at("state") == json::value("ready"); });
    }
    ~InspectTest() override { events_.reset(); }

    json::object call(const std::string& tool, json::object arguments = {}) {
        return browser_->run("call", {{"tool", tool}, {"arguments", std::move(arguments)}}).as_object();
    }
    void decide(const json::object& consent, const char* decision) {
        browser_->run("decide", {{"consent", consent.at("consent")}, {"decision", decision}});
    }
    json::object done(const json::object& call) {
        return events_->wait_for("call_done",
                                 [&](const json::object& data) { return data.at("call") == call.at("call"); });
    }
    static std::string text_of(const json::object& outcome) {
        return std::string(outcome.at("result").at("content").at(0).at("text").as_string());
    }

    std::atomic<int> calls_ = 0;
    Server server_{"inspected", "1.0"};
    std::unique_ptr<HttpServer> listening_;
    std::unique_ptr<inspect::Inspector> inspector_;
    std::unique_ptr<Browser> browser_;
    std::unique_ptr<EventStream> events_;
};

TEST_F(InspectTest, a_tool_runs_only_after_a_decision) {
    const json::object started = call("echo", {{"text", "hi"}});
    const json::object consent = events_->wait_for("consent");
    EXPECT_EQ(consent.at("consent"), started.at("consent"));
    EXPECT_EQ(consent.at("sends"), (json::value{{"text", "hi"}}));
    EXPECT_EQ(consent.at("definition").at("description"), json::value("Returns its text"));
    EXPECT_EQ(calls_, 0);
    decide(consent, "once");
    EXPECT_EQ(text_of(done(started)), "hi");
    EXPECT_EQ(calls_, 1);
    EXPECT_TRUE(call("echo", {{"text", "again"}}).at("consent").is_string()) << "once is not twice";
}

TEST_F(InspectTest, a_refused_call_is_never_sent) {
    const json::object started = call("echo", {{"text", "hi"}});
    decide(events_->wait_for("consent"), "never");
    EXPECT_TRUE(done(started).contains("error"));
    const json::object again = call("echo", {{"text", "hi"}});
    EXPECT_TRUE(again.at("consent").is_null());
    EXPECT_TRUE(done(again).contains("error"));
    EXPECT_EQ(calls_, 0);
    const json::value decisions = browser_->run("decisions").at("decisions");
    ASSERT_EQ(decisions.as_array().size(), 1u);
    browser_->run("revoke", {{"decision_id", decisions.at(0).at("decision_id")}});
    EXPECT_TRUE(call("echo", {{"text", "hi"}}).at("consent").is_string());
}

TEST_F(InspectTest, raw_and_repeated_calls_need_the_same_consent) {
    const json::object raw =
        browser_->run("send_raw", {{"message", json::value{{"method", "tools/call"}, {"params", {{"name", "echo"}}}}}})
            .as_object();
    EXPECT_TRUE(raw.at("consent").is_string());
    const json::object read =
        browser_
            ->run("send_raw",
                  {{"message", json::value{{"method", "resources/read"}, {"params", {{"uri", "note://one"}}}}}})
            .as_object();
    EXPECT_TRUE(read.at("consent").is_string());
    EXPECT_EQ(calls_, 0);
}

TEST_F(InspectTest, a_resource_is_read_after_a_decision_for_the_session) {
    const json::object started = browser_->run("read", {{"uri", "note://one"}}).as_object();
    decide(events_->wait_for("consent"), "session");
    EXPECT_EQ(done(started).at("result").at("contents").at(0).at("text"), json::value("first note"));
    const json::object again = browser_->run("read", {{"uri", "note://one"}}).as_object();
    EXPECT_TRUE(again.at("consent").is_null());
    EXPECT_EQ(done(again).at("result").at("contents").at(0).at("text"), json::value("first note"));
}

TEST_F(InspectTest, a_changed_tool_asks_again) {
    const json::object started = call("echo", {{"text", "hi"}});
    decide(events_->wait_for("consent"), "session");
    done(started);
    EXPECT_TRUE(call("echo", {{"text", "hi"}}).at("consent").is_null());
    server_.remove_tool("echo");
    server_.tool("echo", "Sends its text to the press", args(arg<std::string>("text")),
                 [](std::string text) { return text; });
    browser_->run("tools", {{"fresh", true}});
    EXPECT_TRUE(call("echo", {{"text", "hi"}}).at("consent").is_string());
    EXPECT_EQ(events_->wait_for("consent").at("changed"), json::value(true));
}

TEST_F(InspectTest, the_user_answers_a_form_that_must_fit) {
    const json::object started = call("ask");
    decide(events_->wait_for("consent"), "once");
    const json::object question = events_->wait_for("question");
    EXPECT_EQ(question.at("kind"), json::value("form"));
    EXPECT_EQ(question.at("request").at("message"), json::value("Your name?"));
    const auto wrong = browser_->refused(
        "answer", {{"question", question.at("question")}, {"action", "accept"}, {"content", json::object()}});
    EXPECT_EQ(wrong.first, 400);
    EXPECT_FALSE(wrong.second.at("data").at("violations").as_array().empty());
    browser_->run(
        "answer",
        {{"question", question.at("question")}, {"action", "accept"}, {"content", json::value{{"name", "Ada"}}}});
    EXPECT_EQ(text_of(done(started)), "Ada");
    EXPECT_EQ(browser_->refused("answer", {{"question", question.at("question")}, {"action", "decline"}}).first, 404);
}

TEST_F(InspectTest, a_waiting_call_can_be_cancelled) {
    const json::object started = call("echo", {{"text", "hi"}});
    EXPECT_EQ(browser_->run("cancel", {{"call", started.at("call")}}).at("cancelled"), json::value(true));
    EXPECT_TRUE(done(started).contains("error"));
    EXPECT_EQ(browser_->refused("decide", {{"consent", started.at("consent")}, {"decision", "once"}}).first, 404);
    EXPECT_EQ(calls_, 0);
    EXPECT_EQ(browser_->run("cancel", {{"call", started.at("call")}}).at("cancelled"), json::value(false));
}

TEST_F(InspectTest, every_message_is_in_the_history) {
    browser_->run("tools");
    const json::value sent = browser_->run("history", {{"filter", json::value{{"method", "tools/list"}}}});
    ASSERT_EQ(sent.at("messages").as_array().size(), 2u);
    EXPECT_EQ(sent.at("messages").at(1).at("request"), sent.at("messages").at(0).at("number"));
    const json::value whole = browser_->run("message", {{"number", sent.at("messages").at(0).at("number")}});
    EXPECT_NE(whole.at("text").as_string().find("tools/list"), std::string::npos);
    const json::value har = browser_->run("export", {{"format", "har"}});
    EXPECT_TRUE(json::parse(std::string(har.at("text").as_string())));
    EXPECT_EQ(browser_->run("history", {{"filter", json::value{{"verdict", "broken"}}}}).at("total"), json::value(0));
}

TEST_F(InspectTest, a_stream_can_continue_where_another_ended) {
    const json::value status = browser_->run("status");
    EventStream later = browser_->events(status.at("last_event").to_number<std::uint64_t>());
    browser_->run("disconnect");
    EXPECT_EQ(later.wait_for("hello").at("status").at("state"), json::value("ready"));
    EXPECT_EQ(later.wait_for("state").at("state"), json::value("closed"));
    EXPECT_EQ(browser_->refused("tools").first, 409);
    browser_->run("reconnect", {{"era", "legacy"}});
    later.wait_for("state", [](const json::object& data) { return data.at("state") == json::value("ready"); });
    EXPECT_EQ(browser_->run("server").at("era"), json::value("legacy"));
}

TEST_F(InspectTest, both_eras_can_be_compared) {
    const json::value both = browser_->run("compare");
    EXPECT_EQ(both.at("legacy").at("ok"), json::value(true));
    EXPECT_EQ(both.at("modern").at("server").at("revision"), json::value("2026-07-28"));
}

TEST_F(InspectTest, an_error_of_the_server_keeps_its_code) {
    const json::object started =
        browser_->run("send_raw", {{"message", json::value{{"method", "no/such"}}}}).as_object();
    const json::object outcome = done(started);
    EXPECT_EQ(outcome.at("error").at("code"), json::value(-32601));
    EXPECT_EQ(outcome.at("error").at("local"), json::value(false));
}

TEST_F(InspectTest, a_notification_can_be_sent_and_repeated) {
    const auto is_ours = [](const json::object& message) {
        return message.at("method") == json::value("notifications/x");
    };
    const json::value raw{{"method", "notifications/x"}, {"params", {{"a", 1}}}};
    const json::object sent = browser_->run("send_raw", {{"message", raw}}).as_object();
    EXPECT_TRUE(sent.at("call").is_null());
    const json::object first = events_->wait_for("message", is_ours);
    EXPECT_EQ(first.at("kind"), json::value("notification"));
    browser_->run("replay", {{"number", first.at("number")}});
    const json::object second = events_->wait_for("message", is_ours);
    EXPECT_EQ(second.at("text"), first.at("text"));
    EXPECT_GT(second.at("number").to_number<int>(), first.at("number").to_number<int>());
}

TEST_F(InspectTest, the_history_is_read_by_place_and_without_texts) {
    const json::object filter{{"direction", "sent"}};
    const json::value all = browser_->run("history", {{"filter", filter}});
    ASSERT_GE(all.at("messages").as_array().size(), 1u);
    const std::size_t last = all.at("messages").as_array().size() - 1;
    const json::value one = browser_->run("history", {{"filter", filter}, {"offset", last}, {"brief", true}});
    ASSERT_GE(one.at("messages").as_array().size(), 1u);
    EXPECT_EQ(one.at("messages").at(0).at("number"), all.at("messages").at(last).at("number"));
    EXPECT_FALSE(one.at("messages").at(0).as_object().contains("text"));
    EXPECT_TRUE(one.at("messages").at(0).as_object().contains("size"));
}

// ---- apps

class InspectApps : public InspectTest {
 protected:
    json::object open() {
        const json::object started = browser_->run("app_open", {{"uri", "ui://page"}}).as_object();
        decide(events_->wait_for("consent"), "session");
        return done(started).at("app").as_object();
    }
    HttpReply load(const json::object& app, const std::string& more = "") {
        const std::string url(app.at("url").as_string());
        const std::size_t path = url.find('/', 7);
        HttpClient client(inspector_->apps_port());
        client.send("GET " + url.substr(path) + " HTTP/1.1\r\nHost: " + url.substr(7, path - 7) + "\r\n" + more +
                    "\r\n");
        return client.reply();
    }
    json::value say(const json::object& app, json::object message) {
        return browser_->run("app_message", {{"app", app.at("app")}, {"message", std::move(message)}});
    }
};

TEST_F(InspectApps, a_page_of_the_server_has_another_origin_and_a_sandbox) {
    EXPECT_NE(inspector_->apps_port(), inspector_->port());
    const json::object app = open();
    const HttpReply page = load(app, "Sec-Fetch-Dest: iframe\r\n");
    EXPECT_EQ(page.body, "<!DOCTYPE html><p>Hello</p>");
    EXPECT_TRUE(page.field("content-security-policy").starts_with("sandbox allow-scripts allow-forms; "));
    EXPECT_NE(page.field("content-security-policy").find("connect-src https://api.example;"), std::string::npos);
    EXPECT_EQ(load(app, "Sec-Fetch-Dest: document\r\n").status, 403);
    browser_->run("app_close", {{"app", app.at("app")}});
    EXPECT_EQ(load(app).status, 404);
}

TEST_F(InspectApps, the_port_of_apps_has_no_commands_and_no_files) {
    for (const char* path : {"/", "/index.html", "/api/status"}) {
        HttpClient client(inspector_->apps_port());
        client.send("GET " + std::string(path) + " HTTP/1.1\r\nHost: 127.0.0.1:" +
                    std::to_string(inspector_->apps_port()) + "\r\n" + browser_->cookie() + "\r\n");
        EXPECT_EQ(client.reply().status, 404) << path;
    }
    HttpClient other(inspector_->apps_port());
    other.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    EXPECT_EQ(other.reply().status, 403);
}

TEST_F(InspectApps, a_call_of_an_app_needs_consent) {
    const json::object app = open();
    EXPECT_TRUE(say(app, {{"id", 1}, {"method", "ui/initialize"}}).at("reply").at("result").is_object());
    const json::value asked = say(app, {{"id", 2},
                                        {"method", "tools/call"},
                                        {"params", json::value{{"name", "echo"}, {"arguments", {{"text", "x"}}}}}});
    EXPECT_TRUE(asked.at("reply").is_null());
    const json::object consent = events_->wait_for("consent");
    EXPECT_EQ(consent.at("by"), json::value("app"));
    EXPECT_EQ(calls_, 0);
    decide(consent, "once");
    const json::object answer = events_->wait_for("app_message");
    EXPECT_EQ(answer.at("message").at("id"), json::value(2));
    EXPECT_EQ(answer.at("message").at("result").at("content").at(0).at("text"), json::value("x"));
}

TEST_F(InspectApps, links_need_consent_and_only_web_links_are_shown) {
    const json::object app = open();
    const auto link = [&](const char* url) {
        return say(app, {{"id", 3}, {"method", "ui/open-link"}, {"params", json::value{{"url", url}}}});
    };
    EXPECT_TRUE(link("javascript:alert(1)").at("reply").at("error").is_object());
    EXPECT_TRUE(link("https://example.com").at("consent").is_string());
    decide(events_->wait_for("consent"), "refuse");
    EXPECT_TRUE(events_->wait_for("app_message").at("message").at("error").is_object());
    link("https://example.com");
    decide(events_->wait_for("consent"), "once");
    EXPECT_EQ(events_->wait_for("app_message").at("open"), json::value("https://example.com"));
    EXPECT_EQ(say(app, {{"id", 4}, {"method", "sampling/createMessage"}}).at("reply").at("error").at("code"),
              json::value(-32601));
}

}  // namespace
}  // namespace tenon::test
