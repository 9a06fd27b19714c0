// Messages are sent in the order of the send() calls, whichever threads make them.
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include <tenon/transport/http_client.hpp>

#include "support/scripted_server.hpp"

namespace tenon::test {
namespace {

OutgoingMessage request(std::int64_t id, std::string method) {
    return {.body = R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method + R"("})",
            .id = id,
            .method = method,
            .stateless = true};
}

// Event callbacks run on the transport's own thread. A message sent in a callback must not be delayed until the
// callback returns, because another thread's later message would overtake it.
TEST(HttpClientOrder, a_message_sent_in_a_callback_precedes_a_later_one_of_another_thread) {
    std::promise<std::string> arrived;
    const ScriptedServer server([&](ScriptedConnection& c, int) {
        std::string seen;
        for (ScriptedRequest r; c.read(r); c.json(R"({"jsonrpc":"2.0","id":)" + r.id() + R"(,"result":{}})")) {
            seen += r.id();
            if (seen.size() == 2) arrived.set_value(seen);
        }
    });
    const auto transport = http({.url = server.url(), .proxy = "", .max_connections = 1});
    ClientTransport::Events events;
    events.opened = [&] {
        EXPECT_TRUE(transport->send(request(1, "first")));
        std::thread([&] { EXPECT_TRUE(transport->send(request(2, "second"))); }).join();
    };
    events.message = [](std::string_view) {};
    events.failed = [](std::int64_t, const Error& why) { ADD_FAILURE() << why.message; };
    events.note = [](LogLevel, std::string_view) {};
    transport->start(std::move(events), {.max_message_bytes = 1000, .max_queued_output_bytes = 10'000});
    EXPECT_EQ(arrived.get_future().get(), "12");
    transport->close(Clock::now());
}

}  // namespace
}  // namespace tenon::test
