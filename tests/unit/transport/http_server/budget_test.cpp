// One client takes as much memory, as many sessions or as many requests as it can. It is refused, and another client is
// still served.
#include "transport/http_server/queued_response.hpp"
#include "unit/transport/http_server/endpoint_fixture.hpp"

namespace tenon::test {
namespace {

constexpr std::size_t budget_bytes = 8 * 1024 * 1024, share_bytes = 1024 * 1024;

Limits tight_limits() {
    Limits limits;
    limits.memory_budget = budget_bytes;
    limits.peer_memory_share = share_bytes;
    limits.max_sessions_per_peer = 5;
    limits.max_sessions_per_connection = 3;
    limits.max_listeners_per_peer = 4;
    limits.max_concurrent_requests = 50;
    limits.max_sessions = 12;
    return limits;
}

struct TightBudget : testing::Test {
    TightBudget() {
        server.tool("echo", "Says it again", args(arg<std::string>("message", "What")),
                    [](std::string m) { return m; });
        server.tool("hold", "Answers when the test wants", args(arg<std::string>("message", "What")),
                    [this](const std::string&, Reply<std::string> reply) { held.push_back(std::move(reply)); });
        server.tool("task", "Becomes a task", args(arg<int>("bytes", "Of its result")),
                    [](int bytes) { return std::string(static_cast<std::size_t>(bytes), 'x'); },
                    {.task = TaskSupport::required});
        server.resource_template("note://{+path}", "notes", [](const ResourceRequest& request) { return request.uri; });
    }
    ~TightBudget() override {
        world.reset(), held.clear();
        EXPECT_EQ(charged(), 0U) << "memory is still charged at the end";
    }
    const base::MemoryBudget& budget() { return *server.impl()->budget(); }
    /// Bytes that peers hold. Tables of all peers, such as the counts of calls, are left out.
    std::size_t charged() { return budget().used() - server.impl()->shared_memory(); }

    static std::string from(std::string_view who) { return "Authorization: " + std::string(who) + "\r\n"; }
    static json::object alone(std::string_view tool, json::object arguments) {
        return tool_request(1, tool, std::move(arguments), modern_meta());
    }
    Sent hold(std::string_view who, std::size_t bytes) {
        const Sent sent = world->post_alone(alone("hold", {{"message", std::string(bytes, 'x')}}), from(who));
        world->run_all();
        return sent;
    }
    // Makes calls of another client and expects that they all succeed.
    void expect_served(std::string_view who) {
        for (int i = 0; i < 3; ++i) {
            const Sent sent = world->post_alone(alone("echo", {{"message", "hello"}}), from(who));
            world->run_all();
            ASSERT_EQ(sent.status(), 200);
            EXPECT_EQ(sent.text(), "hello");
        }
    }
    static void expect_refused(const Sent& sent, int status, std::string_view limit) {
        ASSERT_EQ(sent.status(), status) << json::write(sent.answer());
        EXPECT_NE(sent.writer->field("Retry-After"), "");
        EXPECT_NE(sent.writer->response.body.find(limit), std::string::npos) << sent.writer->response.body;
    }
    void release_all() {
        for (auto& reply : std::exchange(held, {})) std::move(reply).send(std::string("done"));
    }
    std::string begin(std::string_view who) { return world->begin("2025-11-25", {}, from(who)); }

    std::list<Reply<std::string>> held;
    Server server{"test", "1", {.limits = tight_limits()}};
    std::optional<HttpWorld> world{std::in_place, server, EndpointOptions{.authenticate = [](std::string_view who) {
                                       return std::optional<std::string>(who);
                                   }}};
};

TEST_F(TightBudget, running_calls_are_charged_until_they_are_answered) {
    std::vector<Sent> running;
    Sent last;
    for (int i = 0; i < 100; ++i) {
        last = hold("attacker", 50'000);
        if (last.over()) break;
        running.push_back(last);
    }
    EXPECT_GT(running.size(), 3U);
    expect_refused(last, 429, "Limits::peer_memory_share");
    EXPECT_LE(charged(), share_bytes);
    expect_served("innocent");
    release_all();
    for (const Sent& one : running) EXPECT_EQ(one.text(), "done");
    EXPECT_EQ(hold("attacker", 50'000).over(), false);
    release_all();
}

TEST_F(TightBudget, large_clients_are_refused_before_small_ones_when_the_budget_is_short) {
    bool short_of_memory = false;
    for (int i = 0; i < 20; ++i) {
        Sent last;
        while (!(last = hold("attacker" + std::to_string(i), 20'000)).over()) {
        }
        short_of_memory = short_of_memory || last.status() == 503;
        if (last.status() == 503) expect_refused(last, 503, "Limits::memory_budget");
        EXPECT_LE(charged(), budget_bytes);
        expect_served("innocent");
    }
    EXPECT_TRUE(short_of_memory);
    release_all();
}

TEST_F(TightBudget, many_small_values_are_charged_by_their_memory) {
    json::array zeros;
    zeros.resize(60'000, 0);  // 120 KB of text, and 16 bytes for each value
    json::object meta = modern_meta();
    meta["zeros"] = zeros;
    const Sent sent = world->post_alone(tool_request(1, "hold", {{"message", "x"}}, std::move(meta)), from("attacker"));
    world->run_all();
    if (sent.over()) return expect_refused(sent, 429, "Limits::peer_memory_share");
    EXPECT_GE(charged(), 60'000U * 16);
    release_all();
}

TEST_F(TightBudget, sessions_of_one_principal_are_limited) {
    for (int i = 0; i < 5; ++i) EXPECT_NE(begin("attacker"), "");
    expect_refused(world->post(initialize_request("2025-11-25"), from("attacker")), 429,
                   "Limits::max_sessions_per_peer");
    EXPECT_NE(begin("innocent"), "");
    EXPECT_EQ(world->end("session-1", from("attacker")).status(), 204);
    EXPECT_NE(begin("attacker"), "");
}

TEST_F(TightBudget, sessions_of_one_anonymous_connection_are_limited) {
    HttpPeerPtr attacker, innocent;
    world->connection = &attacker;
    for (int i = 0; i < 3; ++i) EXPECT_NE(world->begin(), "");
    expect_refused(world->post(initialize_request("2025-11-25")), 429, "Limits::max_sessions_per_connection");
    world->connection = &innocent;
    EXPECT_NE(world->begin(), "");
    world->connection = nullptr;
}

TEST_F(TightBudget, a_session_is_charged_for_its_client_info) {
    json::object hello = initialize_request("2025-11-25");
    const std::string name(60'000, 'n');
    hello["params"].as_object()["clientInfo"].as_object()["name"] = name;
    int begun = 0;
    for (int i = 0; i < 40; ++i)
        begun += world->post(hello, from("attacker")).writer->field("Mcp-Session-Id").empty() ? 0 : 1;
    EXPECT_GT(begun, 0);
    EXPECT_LT(begun, 40);
    EXPECT_GT(charged(), name.size());
    EXPECT_LE(charged(), share_bytes);
    EXPECT_NE(begin("innocent"), "");
}

TEST_F(TightBudget, subscriptions_are_charged_by_their_uris) {
    const std::string session = begin("attacker");
    const std::string fields = HttpWorld::in_session(session) + from("attacker");
    int accepted = 0, code = 0;
    for (int i = 0; i < 200 && code == 0; ++i) {
        const std::string uri = "note://" + std::to_string(i) + std::string(8'000, 'x');
        const Sent sent = world->post(request(i, "resources/subscribe", {{"uri", uri}}), fields);
        code = sent.error();
        accepted += code == 0 ? 1 : 0;
        if (code == 0) continue;
        EXPECT_NE(json::write(sent.answer()).find("Limits::peer_memory_share"), std::string::npos);
    }
    EXPECT_GT(accepted, 40);
    EXPECT_LT(accepted, 150);
    EXPECT_LE(charged(), share_bytes);
    expect_served("innocent");
    const std::size_t before = charged();
    world->post(request("u", "resources/unsubscribe", {{"uri", "note://0" + std::string(8'000, 'x')}}), fields);
    EXPECT_LE(charged(), before - 8'000);
    world->end(session, from("attacker"));
    EXPECT_EQ(charged(), 0U);
}

TEST_F(TightBudget, stateless_requests_are_limited_per_client) {
    for (int i = 0; i < 50; ++i) ASSERT_FALSE(hold("attacker", 1).over()) << i;
    expect_refused(hold("attacker", 1), 429, "Limits::max_concurrent_requests");
    expect_served("innocent");
    release_all();
    EXPECT_FALSE(hold("attacker", 1).over());
    release_all();
}

TEST_F(TightBudget, listeners_are_limited_per_client) {
    const json::object listen =
        request(1, "subscriptions/listen",
                {{"notifications", json::object{{"toolsListChanged", true}}}, {"_meta", modern_meta()}});
    std::vector<Sent> open;
    for (int i = 0; i < 4; ++i) {
        open.push_back(world->post_alone(listen, from("attacker")));
        EXPECT_FALSE(open.back().over());
    }
    expect_refused(world->post_alone(listen, from("attacker")), 429, "Limits::max_listeners_per_peer");
    EXPECT_FALSE(world->post_alone(listen, from("innocent")).over());
    expect_served("attacker");
    for (Sent& one : open) one.disconnect();
    EXPECT_FALSE(world->post_alone(listen, from("attacker")).over());
}

TEST_F(TightBudget, a_batch_whose_answers_exceed_the_share_gets_one_error) {
    const Sent hello = world->post(initialize_request("2025-03-26"), from("attacker"));
    const std::string fields = HttpWorld::in_session(hello.writer->field("Mcp-Session-Id")) + from("attacker");
    world->post(notification("notifications/initialized"), fields);
    json::array batch;
    for (int i = 0; i < 40; ++i) batch.push_back(tool_request(i, "echo", {{"message", std::string(10'000, 'x')}}));
    const Sent sent = world->post(batch, fields);
    world->run_all();
    ASSERT_TRUE(sent.over());
    EXPECT_EQ(sent.error(), code::internal_error);
    EXPECT_NE(json::write(sent.answer()).find("Limits::peer_memory_share"), std::string::npos);
    EXPECT_LE(charged(), share_bytes);
    expect_served("innocent");
}

// ---- eviction and expiry

TEST_F(TightBudget, a_session_that_is_never_used_ends_after_a_minute) {
    const Sent unused = world->post(initialize_request("2025-11-25"), from("a"));
    const std::string used = begin("b");
    world->advance(seconds(59));
    EXPECT_EQ(world->endpoint->sessions(), 2U);
    world->advance(seconds(2));
    EXPECT_EQ(world->endpoint->sessions(), 1U);
    EXPECT_EQ(world->post(request(1, "ping"), HttpWorld::in_session(used) + from("b")).status(), 200);
    const std::string gone = unused.writer->field("Mcp-Session-Id");
    EXPECT_EQ(world->post(request(1, "ping"), HttpWorld::in_session(gone) + from("a")).status(), 404);
}

TEST_F(TightBudget, the_oldest_unused_session_makes_room_for_a_new_client) {
    const auto ping = [&](const std::string& session, const std::string& who) {
        return world->post(request(1, "ping"), HttpWorld::in_session(session) + from(who)).status();
    };
    const std::string idle = begin("a"), listening = begin("b"), running = begin("c");
    const Sent listener = world->send("GET", "/mcp", HttpWorld::in_session(listening) + from("b"));
    const Sent call =
        world->post(tool_request(1, "hold", {{"message", "x"}}), HttpWorld::in_session(running) + from("c"));
    world->run_all();
    std::vector<std::string> unused;
    for (int i = 0; i < 9; ++i) {
        const Sent sent = world->post(initialize_request("2025-11-25"), from("u" + std::to_string(i)));
        unused.push_back(sent.writer->field("Mcp-Session-Id"));
    }
    world->advance(seconds(1));
    ASSERT_EQ(world->endpoint->sessions(), 12U);
    EXPECT_NE(begin("new"), "");  // replaces the oldest session that was never used
    EXPECT_EQ(ping(unused[0], "u0"), 404);
    EXPECT_EQ(ping(unused[1], "u1"), 200);
    for (int i = 0; i < 7; ++i) EXPECT_NE(begin("n" + std::to_string(i)), "");  // replace u2 to u8
    EXPECT_EQ(ping(idle, "a"), 200);
    world->advance(seconds(1));
    EXPECT_NE(begin("newer"), "");  // every session was used, so the one that was idle for longest is replaced
    EXPECT_EQ(ping(unused[1], "u1"), 200);
    EXPECT_EQ(ping(listening, "b"), 200);
    EXPECT_FALSE(listener.over());
    EXPECT_FALSE(call.over());
    EXPECT_EQ(world->endpoint->sessions(), 12U);
    release_all();
    EXPECT_TRUE(call.over());
}

TEST_F(TightBudget, a_new_client_is_refused_when_all_sessions_are_in_use) {
    std::vector<Sent> listeners;
    for (int i = 0; i < 12; ++i) {
        const std::string who = "a" + std::to_string(i);
        listeners.push_back(world->send("GET", "/mcp", HttpWorld::in_session(begin(who)) + from(who)));
    }
    world->advance(seconds(1));
    expect_refused(world->post(initialize_request("2025-11-25"), from("new")), 503, "Limits::max_sessions");
    listeners[3].disconnect();
    world->advance(seconds(1));
    EXPECT_NE(begin("new"), "");
}

TEST_F(TightBudget, a_call_in_an_idle_session_still_times_out) {
    const std::string session = begin("a");
    world->advance(minutes(5));
    const Sent call =
        world->post(tool_request(1, "hold", {{"message", "x"}}), HttpWorld::in_session(session) + from("a"));
    world->run_all();
    world->advance(minutes(11));
    EXPECT_TRUE(call.over()) << "the call should have ended after Limits::handler_time";
    release_all();
}

// ---- tasks

TEST_F(TightBudget, tasks_of_an_anonymous_connection_are_limited_and_charged) {
    Limits limits = tight_limits();
    limits.max_tasks_per_owner = 4;
    Server tasks("tasks", "1", {.limits = limits});
    tasks.tool("task", "Becomes a task", args(arg<int>("bytes", "Of its result")),
               [](int bytes) { return std::string(static_cast<std::size_t>(bytes), 'x'); },
               {.task = TaskSupport::required});
    HttpWorld anonymous(tasks);
    HttpPeerPtr attacker, innocent;
    const json::object abilities{{"extensions", json::object{{"io.modelcontextprotocol/tasks", json::object{}}}}};
    const auto start = [&](HttpPeerPtr& connection, int bytes) {
        anonymous.connection = &connection;
        const Sent sent = anonymous.post_alone(tool_request(1, "task", {{"bytes", bytes}}, modern_meta(abilities)));
        anonymous.run_all();
        return sent;
    };
    const auto used = [&] { return tasks.impl()->budget()->used(); };
    EXPECT_EQ(start(attacker, 300'000).error(), 0);
    EXPECT_GT(used(), 300'000U);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(start(attacker, 400'000).error(), 0);
    EXPECT_LE(used(), share_bytes) << "a result over the share must not be kept";
    EXPECT_EQ(start(attacker, 1).error(), code::internal_error);  // the error code of 2026-07-28
    EXPECT_EQ(start(innocent, 1).error(), 0);
    anonymous.connection = nullptr;
}

// ---- output

struct Output : testing::Test {
    std::shared_ptr<base::MemoryBudget> budget = std::make_shared<base::MemoryBudget>(1'000'000, 100'000);
    base::MemoryAccountPtr account = std::make_shared<base::MemoryAccount>(budget);
    std::shared_ptr<QueuedResponse> answer() const {
        return std::make_shared<QueuedResponse>(QueuedResponse::Options{}, std::weak_ptr<QueuedResponse::Taker>(),
                                                std::string(), base::MemoryCharge(account));
    }
    std::string out, body;
    base::MemoryCharge charge;
};

TEST_F(Output, is_charged_until_the_connection_has_sent_it) {
    {
        const auto one = answer();
        one->respond({200, {}, "text/plain", std::string(50'000, 'x')});
        EXPECT_GE(account->used(), 50'000U);
        EXPECT_EQ(one->take(out, body, charge), QueuedResponse::State::done);
    }
    EXPECT_GE(account->used(), 50'000U);
    charge.release();
    EXPECT_EQ(account->used(), 0U);
}

TEST_F(Output, over_the_share_ends_the_connection) {
    std::vector<std::shared_ptr<QueuedResponse>> unread;
    for (int i = 0; i < 3; ++i) {
        unread.push_back(answer());
        unread.back()->respond({200, {}, "text/plain", std::string(60'000, 'x')});
    }
    EXPECT_FALSE(unread[0]->overflowed());
    EXPECT_TRUE(unread[1]->overflowed());
    EXPECT_TRUE(unread[2]->overflowed());
    EXPECT_LE(account->used(), 100'000U);
    unread.clear();
    EXPECT_EQ(account->used(), 0U);
}

TEST_F(Output, a_stream_over_the_share_ends_the_connection) {
    const auto one = answer();
    one->begin_stream({});
    for (int i = 0; i < 20; ++i) one->write(std::string(10'000, 'x'));
    EXPECT_TRUE(one->overflowed());
    EXPECT_EQ(account->used(), 0U);
    EXPECT_EQ(one->take(out, body, charge), QueuedResponse::State::overflow);
}

TEST_F(Output, is_charged_for_the_whole_buffer_of_a_stream) {
    const auto one = answer();
    one->begin_stream({});
    for (int i = 0; i < 20; ++i) one->write(std::string(1'000, 'x'));
    EXPECT_EQ(one->take(out, body, charge), QueuedResponse::State::open);
    EXPECT_GT(out.capacity(), out.size() + 16'384) << "the test must find a difference";
    EXPECT_GE(charge.bytes(), out.capacity());
}

// A share of 100,000 bytes, and a buffer that would grow from 36,000 to 72,000: both exist together for a moment.
TEST_F(Output, pays_for_the_old_and_the_new_buffer_before_a_stream_grows) {
    const auto one = answer();
    one->begin_stream({});
    one->write(std::string(36'000, 'x'));
    EXPECT_FALSE(one->overflowed());
    one->write(std::string(20'000, 'x'));
    EXPECT_TRUE(one->overflowed());
    EXPECT_EQ(account->used(), 0U);
}

TEST_F(Output, abandoned_output_is_not_charged) {
    const auto one = answer();
    one->respond({200, {}, "text/plain", std::string(50'000, 'x')});
    one->abandon();
    EXPECT_EQ(account->used(), 0U);
}

}  // namespace
}  // namespace tenon::test
