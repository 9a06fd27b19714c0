// HttpMount with tokens that must be checked by another server: requests wait, and no thread does.
#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include <tenon/tenon.hpp>

#include "support/http_client.hpp"
#include "support/scripted_server.hpp"

namespace tenon::test {
namespace {

constexpr const char* audience = "https://mcp.example/mcp";

// An authorisation server that knows one token. It answers when the test allows it.
class Authority {
 public:
    std::string url() const { return server_.url("/introspect"); }
    void let_go() { open_ = true, open_.notify_all(); }
    ~Authority() { let_go(); }

 private:
    void serve(ScriptedConnection& c) {
        ScriptedRequest request;
        while (c.read(request)) {
            open_.wait(false);
            const auto now = std::chrono::system_clock::now().time_since_epoch();
            c.json(json::write(
                json::object{{"active", true},
                             {"iss", "https://issuer.example"},
                             {"aud", audience},
                             {"sub", "ada"},
                             {"exp", std::chrono::duration_cast<std::chrono::seconds>(now).count() + 300}}));
        }
    }
    std::atomic<bool> open_{false};
    ScriptedServer server_{[this](ScriptedConnection& c, int) { serve(c); }};
};

struct MountTokens : testing::Test {
    MountTokens() {
        server.tool("who", "Who calls", [](Context& ctx) { return ctx.principal(); });
        auth::ResourceServer described{.issuer = "https://issuer.example", .audience = audience};
        described.introspection = auth::Introspection{authority.url(), "id", "secret"};
        mount.emplace(server, HttpOptions{.auth = std::move(described)},
                      HttpMountOptions{.clock = [this] { return now; }});
    }
    static HttpRequestHead head() {
        return {"POST",
                "/mcp",
                {{"Host", "localhost"},
                 {"Authorization", "Bearer opaque"},
                 {"Accept", "application/json, text/event-stream"},
                 {"Content-Type", "application/json"},
                 {"MCP-Protocol-Version", "2026-07-28"},
                 {"Mcp-Method", "tools/call"},
                 {"Mcp-Name", "who"}}};
    }
    static std::string body() {
        return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"who","arguments":{},"_meta":{)"
               R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
               R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
    }
    static HttpOutput whole(HttpMount::Exchange& exchange) {
        HttpOutput out = exchange.wait_and_take(http_patience);
        while (out.state == HttpOutput::State::open) {
            HttpOutput more = exchange.wait_and_take(http_patience);
            out.body += more.body;
            out.state = more.state;
        }
        return out;
    }

    Authority authority;
    Server server{"test", "1"};
    TimePoint now = TimePoint() + std::chrono::hours(1);
    std::optional<HttpMount> mount;
};

TEST_F(MountTokens, a_request_waits_and_goes_on_when_its_token_was_checked) {
    auto client = mount->connect("127.0.0.1");
    std::promise<void> woken;
    auto first = client.request(head(), [&woken, told = false]() mutable {
        if (!std::exchange(told, true)) woken.set_value();
    });
    auto second = client.request(head());
    EXPECT_FALSE(first.wants_body());
    EXPECT_FALSE(first.take().head);
    second.body(body());  // all of it before the check
    second.end_of_body();
    authority.let_go();
    ASSERT_EQ(woken.get_future().wait_for(http_patience), std::future_status::ready);
    EXPECT_FALSE(first.take().head);
    ASSERT_TRUE(first.wants_body());
    first.body(body());
    first.end_of_body();
    for (HttpMount::Exchange* exchange : {&first, &second}) {
        const HttpOutput out = whole(*exchange);
        ASSERT_TRUE(out.head);
        EXPECT_EQ(out.head->status, 200);
        EXPECT_NE(out.body.find("https://issuer.example#ada"), std::string::npos) << out.body;
    }
}

TEST_F(MountTokens, a_token_that_cannot_be_checked_in_time_is_answered_with_503) {
    auto client = mount->connect("127.0.0.1");
    auto exchange = client.request(head());
    EXPECT_FALSE(exchange.take().head);
    now += auth::ResourceLimits().wait_time + std::chrono::seconds(1);
    mount->tick();
    EXPECT_EQ(exchange.take().head.value().status, 503);
}

TEST_F(MountTokens, a_stranger_cannot_fill_the_memory_before_its_token_was_checked) {
    auto client = mount->connect("127.0.0.1");
    auto exchange = client.request(head());
    exchange.body(std::string(64 * 1024, ' '));
    EXPECT_FALSE(exchange.take().head);
    exchange.body(" ");
    EXPECT_EQ(exchange.take().head.value().status, 503);
}

TEST_F(MountTokens, stop_answers_requests_that_wait_for_their_token) {
    auto client = mount->connect("127.0.0.1");
    auto exchange = client.request(head());
    EXPECT_TRUE(mount->stop());
    EXPECT_EQ(exchange.take().head.value().status, 503);
}

}  // namespace
}  // namespace tenon::test
