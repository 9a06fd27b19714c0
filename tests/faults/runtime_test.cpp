// Single places where a fault once ended the process or stopped something for ever.
#include <latch>

#include <tenon/client.hpp>
#include <tenon/transport/http_client.hpp>
#include <tenon/transport/memory.hpp>
#include <tenon/transport/process.hpp>

#include "faults/conversation.hpp"
#include "faults/inject.hpp"

namespace tenon::test {
namespace {

TEST(ReplyFaults, destroying_an_unanswered_reply_without_memory_does_not_end_the_process) {
    const FaultPlan plan{Fault::allocation, 1, 1};
    const Watchdog watchdog(plan);
    int answers = 0;
    auto reply = make_reply<int>([&](const Result<int>&) { ++answers; });
    arm(plan);
    {
        const Subject subject;
        const Reply<int> dropped = std::move(reply);
    }
    EXPECT_GE(disarm(), 1);
    EXPECT_EQ(answers, 1) << "the answer needs no memory for its text";
}

TEST(ReplyFaults, a_reply_whose_function_throws_can_be_destroyed) {
    const Reply<int> dropped = make_reply<int>([](const Result<int>&) { throw std::bad_alloc(); });
}

/// Makes a client while no thread can be created, from the n-th on.
void connect_without_threads(const std::function<std::shared_ptr<ClientTransport>()>& transport) {
    for (long n = 1; n <= 3; ++n) {
        const FaultPlan plan{Fault::thread, n, 1000};
        SCOPED_TRACE(describe(plan));
        const Watchdog watchdog(plan);
        arm(plan);
        try {
            const Subject subject;
            Client client(transport());
            client.connect();
        } catch (const std::exception&) {
        }
        disarm();
    }
}

TEST(ClientFaults, the_constructor_throws_when_the_transport_cannot_start_a_thread) {
    Server server("t", "1", {.log = [](const LogRecord&) {}});
    add_tools(server);
    connect_without_threads([&] { return memory_transport(server); });
    connect_without_threads([] { return http({.url = "http://127.0.0.1:9/mcp"}); });
    connect_without_threads([] { return process({.command = {"/bin/true"}}); });
}

}  // namespace
}  // namespace tenon::test
