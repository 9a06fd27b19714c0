// Messages leave in the order of send(), whichever threads call it.
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

// An event is where the transport's own thread sends: what it sends must not wait for the event to be over while others
// go ahead.
TEST(HttpClientOrder, is_kept_between_an_event_and_another_thread) {
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
