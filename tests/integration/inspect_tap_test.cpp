// A tap over HTTP: a real client, a real server, and the inspector between them. Nothing gets lost, and the user can
// hold, change and drop messages.
#include <future>

#include <tenon/transport/http_client.hpp>

#include "integration/inspect_fixture.hpp"

namespace tenon::test {
namespace {

constexpr const char* right_token = "Bearer correct-horse";

class HttpTapTest : public testing::TestWithParam<Era> {
 protected:
    HttpTapTest() {
        server_.tool("echo", "Returns its text", args(arg<std::string>("text")), [](std::string text) { return text; });
        server_.tool("shout", "Like echo", args(arg<std::string>("text")), [](std::string text) { return text + "!"; });
        server_.tool("steps", "Reports its progress", [](Context& ctx) {
            for (int i = 1; i <= 3; ++i) ctx.progress(i, 3);
            return "done";
        });
        server_.tool("ask", "Asks the user", [](Context& ctx) {
            return ctx.elicit("Sure?", {{"type", "object"}, {"properties", json::object()}}).action ==
                           ElicitAction::accept
                       ? "yes"
                       : "no";
        });
        HttpOptions http;
        http.port = 0;
        http.authenticate = [](std::string_view value) -> std::optional<std::string> {
            return value == right_token ? std::optional<std::string>("ada") : std::nullopt;
        };
        listening_ = std::make_unique<HttpServer>(server_, http);
        inspect::Options options;
        options.target = inspect::Target{.url = listening_->url()};
        options.tap = true;
        inspector_ = std::make_unique<inspect::Inspector>(std::move(options));
        browser_ = std::make_unique<Browser>(*inspector_);
        events_ = std::make_unique<EventStream>(browser_->events());
    }

    void connect() {
        ClientOptions options;
        options.era = GetParam();
        options.on_elicit = [](const ElicitRequest&, const std::stop_token&) {
            ElicitResult out;
            out.action = ElicitAction::accept;
            return out;
        };
        client_ = std::make_unique<Client>(
            http({.url = inspector_->tap_address(), .headers = {{"Authorization", right_token}}}), options);
        client_->connect();
    }
    void hold(const char* direction, const char* method) {
        browser_->run("breakpoints",
                      {{"rules", json::array{json::object{{"direction", direction}, {"method", method}}}}});
    }
    std::future<Result<ToolResult>> call(const char* tool, json::object arguments = {}) {
        auto promise = std::make_shared<std::promise<Result<ToolResult>>>();
        auto out = promise->get_future();
        client_->async_call_tool(tool, std::move(arguments), make_reply<ToolResult>([promise](Result<ToolResult> r) {
                                     promise->set_value(std::move(r));
                                 }));
        return out;
    }
    static std::string text_of(const Result<ToolResult>& result) {
        return result ? std::get<TextContent>(result->content.front()).text : result.error().message;
    }
    /// Waits for a held message, replaces a part of it, and lets it go.
    void change_held(const std::string& from, const std::string& to) {
        const json::object held = events_->wait_for("held");
        std::string text(held.at("text").as_string());
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << text;
        text.replace(at, from.size(), to);
        browser_->run("release", {{"held", held.at("held")}, {"text", text}});
    }

    Server server_{"tapped", "1.0"};
    std::unique_ptr<HttpServer> listening_;
    std::unique_ptr<inspect::Inspector> inspector_;
    std::unique_ptr<Browser> browser_;
    std::unique_ptr<EventStream> events_;
    std::unique_ptr<Client> client_;
};

INSTANTIATE_TEST_SUITE_P(Eras, HttpTapTest, testing::Values(Era::legacy, Era::modern),
                         [](const auto& era) { return era.param == Era::legacy ? "legacy" : "modern"; });

TEST_P(HttpTapTest, passes_everything_on_and_shows_it) {
    connect();
    std::vector<double> seen;
    CallOptions options;
    options.on_progress = [&](const Progress& progress) { seen.push_back(progress.progress); };
    EXPECT_EQ(text_of(client_->call_tool("steps", {}, options)), "done");
    EXPECT_EQ(seen, (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(text_of(client_->call_tool("ask")), "yes") << "questions of the server reach the client";
    const json::value calls = browser_->run("history", {{"filter", json::value{{"method", "tools/call"}}}});
    EXPECT_GE(calls.at("messages").as_array().size(), 4u);
    const json::value broken = browser_->run("history", {{"filter", json::value{{"verdict", "broken"}}}});
    EXPECT_EQ(broken.at("total"), json::value(0)) << json::write(broken);
    const json::value status = browser_->run("status");
    EXPECT_EQ(status.at("mode"), json::value("tap"));
    EXPECT_EQ(status.at("state"), json::value("ready"));
    EXPECT_EQ(status.at("tap_address"), json::value(inspector_->tap_address()));
    client_->close(std::chrono::seconds(30));
    if (GetParam() == Era::legacy)
        events_->wait_for("exchange",
                          [](const json::object& one) { return one.at("method") == json::value("DELETE"); });
}

TEST_P(HttpTapTest, a_token_reaches_the_server_but_not_the_page) {
    connect();
    const json::object exchange = events_->wait_for("exchange");
    EXPECT_EQ(exchange.at("status"), json::value(200));
    EXPECT_EQ(exchange.at("request_headers").at("Authorization"), json::value("***"));
    EXPECT_EQ(json::write(exchange).find("correct-horse"), std::string::npos);
    client_ = std::make_unique<Client>(http({.url = inspector_->tap_address()}), ClientOptions{.era = GetParam()});
    EXPECT_THROW(client_->connect(), Exception) << "the server refuses a client without a token";
    events_->wait_for("exchange", [](const json::object& one) { return one.at("status") == json::value(401); });
}

TEST_P(HttpTapTest, a_request_is_held_changed_and_sent_on) {
    connect();
    hold("sent", "tools/call");
    auto answer = call("echo", {{"text", "original"}});
    change_held("original", "changed");
    EXPECT_EQ(text_of(answer.get()), "changed");
}

TEST_P(HttpTapTest, another_tool_can_be_called_than_the_client_wanted) {
    connect();
    hold("sent", "tools/call");
    auto answer = call("echo", {{"text", "x"}});
    change_held("\"echo\"", "\"shout\"");
    EXPECT_EQ(text_of(answer.get()), "x!") << "headers that repeat the message are changed, too";
}

TEST_P(HttpTapTest, a_response_is_held_changed_and_sent_on) {
    connect();
    hold("received", "tools/call");
    auto answer = call("echo", {{"text", "original"}});
    change_held("original", "changed");
    EXPECT_EQ(text_of(answer.get()), "changed");
}

TEST_P(HttpTapTest, one_held_request_does_not_stop_the_others) {
    connect();
    hold("sent", "tools/call");
    auto held = call("echo", {{"text", "first"}});
    const json::object waiting = events_->wait_for("held");
    hold("sent", "nothing");
    EXPECT_EQ(text_of(client_->call_tool("echo", {{"text", "second"}})), "second");
    browser_->run("release", {{"held", waiting.at("held")}});
    EXPECT_EQ(text_of(held.get()), "first");
}

TEST_P(HttpTapTest, a_dropped_request_is_never_answered_and_its_client_can_leave) {
    connect();
    hold("sent", "tools/call");
    auto dropped = call("echo", {{"text", "lost"}});
    browser_->run("drop", {{"held", events_->wait_for("held").at("held")}});
    events_->wait_for("held_done", [](const json::object& one) { return one.at("outcome") == json::value("dropped"); });
    hold("any", "nothing");
    EXPECT_EQ(text_of(client_->call_tool("echo", {{"text", "next"}})), "next");
    client_->close(std::chrono::seconds(30));
    EXPECT_FALSE(dropped.get());
    const json::value left = browser_->run("status").at("open").at("held");
    EXPECT_TRUE(left.as_array().empty());
}

TEST_P(HttpTapTest, a_client_that_leaves_takes_its_held_message_along) {
    hold("sent", "initialize");
    const std::string body = R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})";
    const std::string address = inspector_->tap_address();
    const std::string path = address.substr(address.find('/', 8));
    const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
    {
        HttpClient leaving(port);
        leaving.send("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                     "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
                     "\r\n\r\n" + body);
        events_->wait_for("held");
    }
    events_->wait_for("held_done", [](const json::object& one) { return one.at("outcome") == json::value("gone"); });
}

// The rules do not depend on the era.
class HttpTapAccessTest : public testing::Test {
 protected:
    HttpTapAccessTest() {
        inspect::Options options;
        options.target = inspect::Target{.url = "http://127.0.0.1:1/mcp", .headers = {{"X-Secret", "of the user"}}};
        options.tap = true;
        inspector_ = std::make_unique<inspect::Inspector>(std::move(options));
        const std::string address = inspector_->tap_address();
        path_ = address.substr(address.find('/', 8));
        port_ = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
    }
    HttpReply send(const std::string& line, const std::string& fields) const {
        HttpClient client(port_);
        client.send(line + " HTTP/1.1\r\n" + fields + "\r\n");
        return client.reply();
    }
    std::string host() const { return "Host: 127.0.0.1:" + std::to_string(port_) + "\r\n"; }

    std::unique_ptr<inspect::Inspector> inspector_;
    std::string path_;
    std::uint16_t port_ = 0;
};

TEST_F(HttpTapAccessTest, refuses_web_pages_other_hosts_and_other_paths) {
    EXPECT_EQ(send("GET " + path_, "Host: evil.example\r\n").status, 403);
    EXPECT_EQ(send("GET " + path_, "Host: localhost.evil.example:" + std::to_string(port_) + "\r\n").status, 403);
    EXPECT_EQ(send("GET " + path_, host() + "Origin: https://evil.example\r\n").status, 403);
    EXPECT_EQ(send("GET " + path_, host() + "Origin: http://127.0.0.1:" + std::to_string(port_ + 1) + "\r\n").status,
              403);
    EXPECT_EQ(send("GET " + path_, host() + "Sec-Fetch-Site: cross-site\r\n").status, 403);
    EXPECT_EQ(send("GET /mcp", host()).status, 404);
    EXPECT_EQ(send("GET " + path_ + "?a=b", host()).status, 404);
    EXPECT_EQ(send("PUT " + path_, host() + "Content-Length: 0\r\n").status, 405);
}

TEST_F(HttpTapAccessTest, a_server_that_cannot_be_reached_is_a_clear_error) {
    const HttpReply reply = send("GET " + path_, host());
    EXPECT_EQ(reply.status, 502);
    EXPECT_NE(reply.body.find("cannot be reached"), std::string::npos) << reply.body;
    Browser browser(*inspector_);
    EventStream events = browser.events();
    const json::object exchange = events.wait_for("exchange");
    EXPECT_TRUE(exchange.contains("error"));
    EXPECT_EQ(exchange.at("request_headers").at("X-Secret"), json::value("***"));
}

}  // namespace
}  // namespace tenon::test
