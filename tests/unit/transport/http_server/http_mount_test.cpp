// HttpMount without sockets, threads or a clock: the test plays the HTTP server that MCP is mounted in.
#include <tenon/transport/http_mount.hpp>

#include <gtest/gtest.h>

#include <deque>

#include <tenon/context.hpp>

#include "framing/sse.hpp"
#include "support/http_world.hpp"

namespace tenon::test {
namespace {

using State = HttpOutput::State;
using std::chrono::seconds;
using Headers = std::vector<std::pair<std::string, std::string>>;

// The whole response so far.
struct Got {
    std::optional<HttpResponseHead> head;
    std::string body;
    State state = State::open;

    int status() const { return head ? head->status : 0; }
    std::string field(std::string_view name) const {
        for (const auto& [key, value] : head->headers)
            if (key == name) return value;
        return "";
    }
};

struct Mounted : testing::Test {
    Mounted() {
        server.tool("echo", "Says it again", args(arg<std::string>("message")), [](std::string m) { return m; });
        server.tool("talk", "Says something first", [](Context& ctx) { return ctx.info("first"), "then"; });
        server.tool("who", "Who calls",
                    [](Context& ctx) { return "<" + ctx.principal() + "> " + ctx.caller().address; });
        server.tool("hold", "Answers later", [this](Context& ctx, Reply<std::string> reply) {
            held.push_back({std::move(reply), ctx});
        });
    }
    ~Mounted() override {
        held.clear();
        mount_.reset();
    }

    void start(HttpOptions options = {}) {
        mount_.emplace(
            server, std::move(options),
            HttpMountOptions{.post = [this](std::function<void()> work) { posted.push_back(std::move(work)); },
                             .clock = [this] { return now; }});
    }
    HttpMount& mount() {
        if (!mount_) start();
        return *mount_;
    }
    void run_all() {
        while (!posted.empty()) {
            const auto work = std::move(posted.front());
            posted.pop_front();
            work();
        }
    }
    static Headers json_headers(const Headers& more = {}) {
        Headers out{{"Host", "localhost"},
                    {"Content-Type", "application/json"},
                    {"Accept", "application/json, text/event-stream"}};
        out.insert(out.end(), more.begin(), more.end());
        return out;
    }
    HttpMount::Exchange post(HttpMount::Connection& client, const json::object& message, const Headers& more = {}) {
        auto exchange = client.request({"POST", "/mcp", json_headers(more)}, [this] {
            if (std::exchange(wake_throws, false)) throw std::bad_alloc();
            ++wakes;
        });
        exchange.body(json::write(message));
        exchange.end_of_body();
        return exchange;
    }
    // A stateless call, with the headers that repeat its body.
    HttpMount::Exchange call(HttpMount::Connection& client, std::string_view tool, json::object arguments = {},
                             json::object meta = {}, Headers more = {}) {
        json::object all = modern_meta();
        for (const auto& [key, value] : meta) all[key] = value;
        more.insert(
            more.end(),
            {{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/call"}, {"Mcp-Name", std::string(tool)}});
        return post(client, tool_request(1, tool, std::move(arguments), std::move(all)), more);
    }
    static Got take(HttpMount::Exchange& exchange, Got got = {}) {
        HttpOutput out = exchange.take();
        if (out.head) {
            EXPECT_FALSE(got.head) << "the head comes once";
            got.head = std::move(out.head);
        }
        got.body += out.body;
        got.state = out.state;
        return got;
    }
    static std::string text_of(const Got& got) {
        const auto parsed = json::parse(got.body);
        const json::object* o = parsed ? parsed->if_object() : nullptr;
        return o && o->contains("result") ? std::string(o->at("result").at("content").at(0).at("text").as_string())
                                          : "no result: " + got.body;
    }
    Got refused(const HttpRequestHead& head) {
        auto client = mount().connect("127.0.0.1");
        auto exchange = client.request(head);
        Got got = take(exchange);
        EXPECT_EQ(got.state, State::complete);
        return got;
    }

    struct Held {
        Reply<std::string> reply;
        Context context;
    };
    TimePoint now = TimePoint() + std::chrono::hours(24);
    std::vector<std::string> notes;
    Limits limits = [] {
        Limits l;
        l.max_connections = 2;
        l.max_message_bytes = 1024 * 1024;
        return l;
    }();
    Server server{
        "test", "1", {.limits = limits, .log = [this](const LogRecord& r) { notes.emplace_back(r.message); }}};
    std::deque<std::function<void()>> posted;
    std::list<Held> held;
    int wakes = 0;
    bool wake_throws = false;  // the next time
    std::optional<HttpMount> mount_;
};

TEST_F(Mounted, a_call_is_answered_with_a_head_and_a_body) {
    auto client = mount().connect("127.0.0.1");
    auto exchange = call(client, "echo", {{"message", "hello"}});
    EXPECT_EQ(take(exchange).state, State::open);
    EXPECT_EQ(wakes, 0);
    run_all();
    EXPECT_EQ(wakes, 1);
    const Got got = take(exchange);
    EXPECT_EQ(got.status(), 200);
    EXPECT_EQ(text_of(got), "hello");
    EXPECT_EQ(got.state, State::complete);
    EXPECT_EQ(got.head->content_length, got.body.size());
    EXPECT_EQ(got.field("Content-Type"), "application/json");
    for (const char* name : {"Content-Length", "Connection", "Date", "Transfer-Encoding"})
        EXPECT_EQ(got.field(name), "") << name << " belongs to the connection";
}

TEST_F(Mounted, a_stream_comes_piece_by_piece_without_the_framing_of_http) {
    auto client = mount().connect("127.0.0.1");
    auto exchange = call(client, "talk", {}, {{"io.modelcontextprotocol/logLevel", "info"}});
    run_all();
    const Got got = take(exchange);
    EXPECT_EQ(got.status(), 200);
    EXPECT_EQ(got.field("Content-Type"), "text/event-stream");
    EXPECT_FALSE(got.head->content_length);
    EXPECT_EQ(got.state, State::complete);
    std::vector<std::string> events;
    framing::SseReader(1024 * 1024).feed(got.body, [&](const auto& event) { events.push_back(event.data); });
    ASSERT_EQ(events.size(), 2U) << got.body;
    EXPECT_NE(events[0].find("notifications/message"), std::string::npos);
    EXPECT_NE(events[1].find("\"result\""), std::string::npos);
}

TEST_F(Mounted, a_session_has_a_stream_and_is_deleted) {
    auto client = mount().connect("127.0.0.1");
    auto opened = post(client, initialize_request("2025-11-25"));
    run_all();
    const Got begun = take(opened);
    const std::string id = begun.field("Mcp-Session-Id");
    ASSERT_NE(id, "");
    const Headers session{{"Mcp-Session-Id", id}};
    auto ready = post(client, notification("notifications/initialized"), session);
    EXPECT_EQ(take(ready).status(), 202);
    Headers get{{"Host", "localhost"}, {"Accept", "text/event-stream"}, {"Mcp-Session-Id", id}};
    auto stream = client.request({"GET", "/mcp", get}, [this] { ++wakes; });
    stream.end_of_body();
    Got got = take(stream);
    EXPECT_EQ(got.status(), 200);
    const int before = wakes;
    server.tool("new", "New", [] { return ""; });
    EXPECT_GT(wakes, before);
    got = take(stream, std::move(got));
    EXPECT_NE(got.body.find("notifications/tools/list_changed"), std::string::npos);
    auto deleted = client.request({"DELETE", "/mcp", get});
    deleted.end_of_body();
    EXPECT_EQ(take(deleted).status(), 204);
    EXPECT_EQ(take(stream, std::move(got)).state, State::complete);
    auto late = post(client, request(2, "tools/list"), session);
    EXPECT_EQ(take(late).status(), 404);
}

// ---- the rules of HttpServer

// rules: SEC-1
TEST_F(Mounted, host_origin_path_and_method_are_checked_before_the_body) {
    EXPECT_EQ(refused({"POST", "/mcp", {{"Host", "evil.example"}}}).status(), 403);
    EXPECT_EQ(refused({"POST", "/mcp", json_headers({{"Origin", "https://evil.example"}})}).status(), 403);
    EXPECT_EQ(refused({"POST", "/other", json_headers()}).status(), 404);
    EXPECT_EQ(refused({"PUT", "/mcp", json_headers()}).status(), 405);
    EXPECT_EQ(refused({"POST", "/mcp", {{"Host", "localhost"}, {"Content-Type", "text/plain"}}}).status(), 415);
    EXPECT_EQ(refused({"POST", "/mcp", {}}).status(), 400) << "Host is required";
}

TEST_F(Mounted, a_malformed_head_is_refused_and_cannot_add_lines) {
    for (const HttpRequestHead& head :
         {HttpRequestHead{"POST", "/mcp", json_headers({{"X", "a\r\nAuthorization: Bearer stolen"}})},
          HttpRequestHead{"POST", "/mcp", json_headers({{"X: a\r\nY", "b"}})},
          HttpRequestHead{"POST", "/mcp HTTP/1.1\r\nHost: localhost\r\nX: ", json_headers()},
          HttpRequestHead{"POST /mcp HTTP/1.1\r\nX:", "", json_headers()},
          HttpRequestHead{"PO ST", "/mcp", json_headers()}, HttpRequestHead{"POST", "/mc p", json_headers()},
          HttpRequestHead{"", "", {}}, HttpRequestHead{"POST", "/mcp", json_headers({{":authority", "localhost"}})},
          HttpRequestHead{"POST", "/mcp", json_headers({{"Host", "other"}})},
          HttpRequestHead{"POST", "/mcp", json_headers({{"Content-Length", "5"}, {"Transfer-Encoding", "chunked"}})}})
        EXPECT_EQ(refused(head).status(), 400) << head.method << " " << head.target;
    Headers many = json_headers();
    for (int i = 0; i < 200; ++i) many.emplace_back("X-" + std::to_string(i), std::string(1000, 'x'));
    EXPECT_EQ(refused({"POST", "/mcp", many}).status(), 431);
}

TEST_F(Mounted, tokens_are_checked_and_name_the_principal) {
    start({.auth = auth::StaticTokens{{"alice", auth::hash_token("wonderland")}}});
    const Got got = refused({"POST", "/mcp", json_headers()});
    EXPECT_EQ(got.status(), 401);
    EXPECT_NE(got.field("WWW-Authenticate"), "");
    auto client = mount().connect("2001:db8::7");
    auto exchange = call(client, "who", {}, {}, {{"Authorization", "Bearer wonderland"}});
    run_all();
    EXPECT_EQ(text_of(take(exchange)), "<alice> 2001:db8::/64");
}

TEST_F(Mounted, knows_the_targets_that_belong_to_it) {
    EXPECT_TRUE(mount().serves("/mcp"));
    EXPECT_TRUE(mount().serves("/mcp?a=b"));
    for (const char* other : {"/", "/mcp/", "/sse", "/messages", "/.well-known/oauth-protected-resource", ""})
        EXPECT_FALSE(mount().serves(other)) << other;
    start({.path = "/tools",
           .auth = auth::ResourceServer{.issuer = "https://issuer.example", .audience = "https://mcp.example/tools"},
           .old_http_sse = true});
    for (const char* own : {"/tools", "/sse", "/messages?sessionId=1", "/.well-known/oauth-protected-resource",
                            "/.well-known/oauth-protected-resource/tools"})
        EXPECT_TRUE(mount().serves(own)) << own;
    EXPECT_FALSE(mount().serves("/mcp"));
}

TEST_F(Mounted, a_public_address_needs_authentication_as_in_http_server) {
    EXPECT_THROW(start({.address = "0.0.0.0"}), Exception);
    EXPECT_NO_THROW(start({.address = "0.0.0.0", .public_without_authentication = true}));
    auto client = mount().connect("192.0.2.7");
    auto exchange = call(client, "echo", {{"message", "x"}});
    run_all();
    EXPECT_EQ(take(exchange).status(), 200);
}

TEST_F(Mounted, a_client_of_another_machine_is_refused_unless_the_options_say_that_it_may_come) {
    auto client = mount().connect("192.0.2.7");
    auto exchange = call(client, "echo", {{"message", "x"}});
    const Got got = take(exchange);
    EXPECT_EQ(got.status(), 403);
    EXPECT_NE(got.body.find("HttpOptions::address"), std::string::npos) << got.body;
    EXPECT_TRUE(posted.empty());
}

TEST_F(Mounted, a_body_that_is_too_long_is_refused_while_it_comes) {
    auto client = mount().connect("127.0.0.1");
    auto exchange = client.request({"POST", "/mcp", json_headers()});
    EXPECT_TRUE(exchange.wants_body());
    exchange.body(std::string(limits.max_message_bytes, ' '));
    EXPECT_EQ(take(exchange).status(), 0);
    exchange.body(" ");
    EXPECT_EQ(take(exchange).status(), 413);
    EXPECT_FALSE(exchange.wants_body());
    exchange.body("more of it has no effect");
    EXPECT_EQ(refused({"POST", "/mcp", json_headers({{"Content-Length", "99999999"}})}).status(), 413);
}

TEST_F(Mounted, a_body_of_another_length_than_its_head_says_is_refused) {
    auto client = mount().connect("127.0.0.1");
    for (const char* wrong : {"1000", "10"}) {
        auto exchange = call(client, "echo", {{"message", "x"}}, {}, {{"Content-Length", wrong}});
        run_all();
        const Got got = take(exchange);
        EXPECT_EQ(got.status(), 400);
        EXPECT_NE(got.body.find("Content-Length"), std::string::npos) << got.body;
    }
}

TEST_F(Mounted, a_body_in_the_middle_of_memory_pressure_is_refused) {
    Limits small = limits;
    small.memory_budget = 256 * 1024;
    small.peer_memory_share = 64 * 1024;
    Server other("test", "1", {.limits = small});
    HttpMount tight(other, {}, {.post = [](auto work) { work(); }, .clock = [this] { return now; }});
    auto client = tight.connect("127.0.0.1");
    auto exchange = client.request({"POST", "/mcp", json_headers()});
    exchange.body(std::string(100 * 1024, ' '));
    EXPECT_EQ(take(exchange).status(), 429);
}

TEST_F(Mounted, too_many_connections_are_refused_until_one_ends) {
    auto first = mount().connect("127.0.0.1");
    auto status_of = [&](HttpMount::Connection& client) {
        auto exchange = call(client, "echo", {{"message", "x"}});
        run_all();
        return take(exchange).status();
    };
    {
        auto second = mount().connect("127.0.0.1"), third = mount().connect("127.0.0.1");
        EXPECT_EQ(status_of(first), 200);
        EXPECT_EQ(status_of(second), 200);
        EXPECT_EQ(status_of(third), 503);
    }
    auto fourth = mount().connect("127.0.0.1");
    EXPECT_EQ(status_of(fourth), 200);
}

TEST_F(Mounted, the_connections_of_one_address_are_limited) {
    start({.address = "0.0.0.0", .public_without_authentication = true, .max_connections_per_address = 1});
    auto first = mount().connect("192.0.2.7"), second = mount().connect("192.0.2.7"),
         other = mount().connect("192.0.2.8");
    auto refused = call(second, "echo", {{"message", "x"}}), served = call(other, "echo", {{"message", "x"}});
    run_all();
    EXPECT_EQ(take(refused).status(), 503);
    EXPECT_EQ(take(served).status(), 200);
}

TEST_F(Mounted, an_anonymous_client_is_its_connection) {
    limits.max_sessions_per_connection = 1;
    Server other("test", "1", {.limits = limits});
    HttpMount one(other, {}, {.post = [](auto work) { work(); }, .clock = [this] { return now; }});
    auto first = one.connect("127.0.0.1"), second = one.connect("127.0.0.1");
    const auto open = [&](HttpMount::Connection& client) {
        auto exchange = post(client, initialize_request("2025-11-25"));
        return take(exchange).status();
    };
    EXPECT_EQ(open(first), 200);
    EXPECT_EQ(open(first), 429);
    EXPECT_EQ(open(second), 200);
}

// ---- the client leaves, time passes, the end

TEST_F(Mounted, a_lost_client_cancels_a_call_of_2026) {
    auto client = mount().connect("127.0.0.1");
    {
        auto exchange = call(client, "hold");
        run_all();
        ASSERT_EQ(held.size(), 1U);
        EXPECT_FALSE(held.front().context.stop_token().stop_requested());
    }
    EXPECT_TRUE(held.front().context.stop_token().stop_requested()) << "destroying the exchange means that";
    auto exchange = call(client, "hold");
    run_all();
    exchange.client_gone();
    EXPECT_TRUE(held.back().context.stop_token().stop_requested());
    EXPECT_EQ(take(exchange).state, State::broken);
    exchange.client_gone();
    const int before = wakes;
    for (Held& one : held) std::move(one.reply).send(std::string("late"));
    EXPECT_EQ(wakes, before) << "an abandoned exchange does not wake";
}

TEST_F(Mounted, a_slow_reader_makes_the_response_broken) {
    limits.max_queued_output_bytes = 4096;
    Server other("test", "1", {.limits = limits});
    std::optional<Reply<std::string>> kept;
    std::optional<Context> context;
    other.tool("hold", "Holds",
               [&](Context& ctx, Reply<std::string> reply) { context = ctx, kept.emplace(std::move(reply)); });
    HttpMount slow(other, {}, {.post = [](auto work) { work(); }, .clock = [this] { return now; }});
    auto client = slow.connect("127.0.0.1");
    auto exchange = call(client, "hold", {}, {{"io.modelcontextprotocol/logLevel", "info"}});
    ASSERT_TRUE(context);
    context->info(std::string(100, 'x'));
    Got got = take(exchange);
    EXPECT_EQ(got.state, State::open);
    for (int i = 0; i < 100; ++i) context->info(std::string(100, 'x'));
    EXPECT_EQ(take(exchange, std::move(got)).state, State::broken);
    exchange.client_gone();
    EXPECT_TRUE(context->stop_token().stop_requested());
    context.reset();
    kept.reset();
}

TEST_F(Mounted, a_body_that_does_not_come_is_answered_after_a_time) {
    auto client = mount().connect("127.0.0.1");
    auto exchange = client.request({"POST", "/mcp", json_headers()}, [this] { ++wakes; });
    now += limits.body_time / 2;
    mount().tick();
    EXPECT_EQ(take(exchange).status(), 0);
    now += limits.body_time;
    mount().tick();
    EXPECT_EQ(wakes, 1);
    EXPECT_EQ(take(exchange).status(), 408);
}

TEST_F(Mounted, a_wake_that_throws_is_repeated_at_the_next_tick) {
    auto client = mount().connect("127.0.0.1");
    auto exchange = call(client, "echo", {{"message", "hello"}});
    wakes = 0;
    wake_throws = true;
    run_all();
    EXPECT_EQ(wakes, 0);
    mount().tick();
    EXPECT_EQ(wakes, 1);
    EXPECT_EQ(text_of(take(exchange)), "hello");
    mount().tick();
    EXPECT_EQ(wakes, 1) << "it is repeated once";
}

TEST_F(Mounted, ticks_keep_streams_alive_and_end_late_handlers) {
    auto client = mount().connect("127.0.0.1");
    auto exchange = call(client, "hold");
    run_all();
    for (Duration passed{}; passed < limits.handler_time + seconds(20); passed += seconds(5)) {
        now += seconds(5);
        mount().tick();
    }
    const Got got = take(exchange);
    EXPECT_EQ(got.state, State::complete);
    EXPECT_NE(got.body.find("\n\n"), std::string::npos);
    EXPECT_NE(got.body.find("did not finish in time"), std::string::npos) << got.body;
}

TEST_F(Mounted, forgotten_ticks_are_reported_once) {
    auto client = mount().connect("127.0.0.1");
    const auto warned = [&] {
        return std::ranges::count_if(notes, [](const std::string& n) { return n.find("HttpMount::tick()") != n.npos; });
    };
    (void)client.request({"POST", "/mcp", json_headers()});
    EXPECT_EQ(warned(), 0);
    now += seconds(11);
    for (int i = 0; i < 3; ++i) (void)client.request({"POST", "/mcp", json_headers()});
    EXPECT_EQ(warned(), 1);
    mount().tick();
    (void)client.request({"POST", "/mcp", json_headers()});
    EXPECT_EQ(warned(), 1);
}

TEST_F(Mounted, stop_answers_everything_and_refuses_later_requests) {
    auto client = mount().connect("127.0.0.1");
    EXPECT_TRUE(mount().idle());
    auto running = call(client, "hold");
    auto unfinished = client.request({"POST", "/mcp", json_headers()});
    run_all();
    EXPECT_FALSE(mount().idle());
    EXPECT_TRUE(mount().stop());
    EXPECT_NE(take(running).body.find("shutting down"), std::string::npos);
    EXPECT_EQ(take(unfinished).status(), 503);
    auto late = call(client, "echo", {{"message", "x"}});
    EXPECT_EQ(take(late).status(), 503);
    mount_.reset();
    auto later = call(client, "echo", {{"message", "x"}});
    EXPECT_EQ(take(later).status(), 503) << "a connection may outlive its mount";
}

// ---- misuse

TEST_F(Mounted, misuse_is_an_error_that_says_what_to_do) {
    auto client = mount().connect("127.0.0.1");
    auto exchange = client.request({"POST", "/mcp", json_headers()});
    exchange.end_of_body();
    EXPECT_THROW(exchange.end_of_body(), Exception);
    EXPECT_THROW(exchange.body("x"), Exception);
    EXPECT_THROW(mount().connect("localhost"), Exception);
    EXPECT_THROW(mount().connect("127.0.0.1:80"), Exception);
    EXPECT_THROW(mount().connect(""), Exception);
    EXPECT_THROW(HttpMount(server, {.tls = TlsOptions{"a", "b"}}), Exception);
    EXPECT_THROW(HttpMount(server, {.threads = 2}), Exception);
    EXPECT_THROW(HttpMount(server, {.path = "mcp"}), Exception);
}

TEST_F(Mounted, a_large_request_is_decoded_by_the_workers) {
    auto client = mount().connect("127.0.0.1");
    const std::string text(HttpEndpoint::least_large_body, 'x');
    auto exchange = call(client, "echo", {{"message", text}});
    EXPECT_EQ(posted.size(), 1U) << "decoding, not yet the handler";
    run_all();
    EXPECT_EQ(text_of(take(exchange)), text);
    HttpMount at_once(server, {}, {.post = [](auto work) { work(); }, .clock = [this] { return now; }});
    auto other = at_once.connect("127.0.0.1");
    auto large = call(other, "echo", {{"message", text}});
    EXPECT_EQ(text_of(take(large)), text) << "the function may also run the work at once";
    auto left = call(client, "hold", {{"padding", text}});
    left.client_gone();
    run_all();
    EXPECT_TRUE(mount().idle()) << "the client left while its request was decoded";
}

}  // namespace
}  // namespace tenon::test
