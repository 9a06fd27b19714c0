// The limits of a client's queues for its callbacks, and of the threads that answer the server.
#include <atomic>

#include "support/hand_transport.hpp"

namespace tenon::test {
namespace {

using namespace std::chrono_literals;

struct QueueClientLimit : HandClientTest {
    void expect_usable(Client& client) {
        auto request = transport->expect("tools/list");
        auto tools = std::async(std::launch::async, [&] { return client.list_tools().all(); });
        answer(request.get(), R"({"tools":[]})");
        EXPECT_TRUE(tools.get().empty());
    }
};

TEST_F(QueueClientLimit, max_queued_events) {
    std::latch go{1};
    std::atomic<int> heard{0};
    ClientOptions options;
    options.limits.max_queued_events = 3;
    options.log = to_log();
    options.on_notification = [&](const std::string&, const json::object&) {
        go.wait();
        ++heard;
    };
    {
        Client client = connect(std::move(options));
        for (int i = 0; i < 100; ++i) tell("notifications/x", "");
        go.count_down();
        client.close(60s);
    }
    EXPECT_GE(heard, 3);
    EXPECT_LE(heard, 4) << "three queued notifications, and one in its handler";
    EXPECT_NE(log.find("ClientLimits::max_queued_events"), std::string::npos) << log;
}

TEST_F(QueueClientLimit, max_queued_reports) {
    std::latch entered{1}, go{1};
    ClientOptions options;
    options.limits.max_queued_reports = 2;
    Client client = connect(std::move(options));
    std::vector<double> reported;
    CallOptions call;
    call.on_progress = [&](const Progress& p) {
        reported.push_back(p.progress);
        if (reported.size() > 1) return;
        entered.count_down();
        go.wait();
    };
    auto request = transport->expect("tools/call");
    auto result = std::async(std::launch::async, [&] { return client.call_tool("t", {}, call); });
    const std::int64_t id = request.get();
    const auto report = [&](int n) {
        tell("notifications/progress",
             R"("progressToken":)" + std::to_string(id) + R"(,"progress":)" + std::to_string(n));
    };
    report(1);
    entered.wait();
    for (int n = 2; n <= 50; ++n) report(n);
    answer(id, R"({"content":[]})");
    go.count_down();
    result.get();
    EXPECT_EQ(reported, (std::vector<double>{1, 49, 50}));
    expect_usable(client);
}

// Counts how many questions are answered at once. The first two wait until there are two of them.
TEST_F(QueueClientLimit, max_workers) {
    std::latch two{2};
    std::atomic<int> running{0}, most{0}, started{0}, answered{0};
    std::promise<void> all;
    ClientOptions options;
    options.limits.max_workers = 2;
    options.on_roots = [&](std::stop_token) {
        const int now = ++running;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        if (++started <= 2) two.arrive_and_wait();
        --running;
        if (++answered == 10) all.set_value();
        return std::vector<Root>{};
    };
    Client client = connect(std::move(options));
    for (int i = 0; i < 10; ++i)
        transport->events.message(R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"roots/list"})");
    all.get_future().wait();
    EXPECT_EQ(most, 2);
    expect_usable(client);
}

// The handler ends only after close() has returned, so close() must not wait for it longer than close_time.
TEST_F(QueueClientLimit, close_time) {
    std::latch entered{1}, go{1};
    ClientOptions options;
    options.limits.close_time = 20ms;
    options.on_roots = [&](std::stop_token) {
        entered.count_down();
        go.wait();
        return std::vector<Root>{};
    };
    Client client = connect(std::move(options));
    transport->events.message(R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})");
    entered.wait();
    client.close();
    go.count_down();
}

}  // namespace
}  // namespace tenon::test
