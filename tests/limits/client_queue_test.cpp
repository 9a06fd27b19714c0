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
    ClientOptions options;
    options.limits.max_queued_events = 3;
    const int heard = notifications_heard_of_100(std::move(options), "");
    EXPECT_GE(heard, 3);
    EXPECT_LE(heard, 4) << "three queued notifications, and one in its handler";
    EXPECT_NE(log.find("ClientLimits::max_queued_events"), std::string::npos) << log;
}

TEST_F(QueueClientLimit, max_queued_reports) {
    ClientOptions options;
    options.limits.max_queued_reports = 2;
    Client client = connect(std::move(options));
    EXPECT_EQ(progress_heard_of_50(client, ""), (std::vector<double>{1, 49, 50}));
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
