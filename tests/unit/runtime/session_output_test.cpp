// The output of a session that its owner takes.
#include "runtime/session_output.hpp"

#include <gtest/gtest.h>

#include <latch>
#include <thread>

namespace tenon {
namespace {

core::Action message(std::string json) { return core::Send{{std::move(json)}}; }

base::MemoryAccountPtr account(std::size_t share = 1 << 20) {
    return std::make_shared<base::MemoryAccount>(std::make_shared<base::MemoryBudget>(2 * share, share));
}

TEST(SessionOutput, returns_messages_as_lines_in_order) {
    SessionOutput output(account(), 100);
    output.deliver(message("1"));
    output.deliver(message("22"));
    EXPECT_EQ(output.size(), 5U);
    EXPECT_EQ(output.take(), "1\n22\n");
    EXPECT_EQ(output.size(), 0U);
    EXPECT_EQ(output.take(), "");
}

TEST(SessionOutput, ignores_what_belongs_to_one_of_several_streams) {
    SessionOutput output(account(), 100);
    output.deliver(core::Finish{7});
    output.deliver(core::LetPoll{7, std::chrono::milliseconds(1)});
    EXPECT_EQ(output.take(), "");
}

TEST(SessionOutput, does_not_wait_below_the_limit) {
    SessionOutput output(account(), 3);
    base::LateStop stop;
    output.deliver(message("12"));
    output.wait_for_reader(0, stop);
    output.wait_before_call(stop);
}

// Waits in another thread. `end` must end the wait, and it must not end before `ended()` is true.
template <class End, class Ended>
void expect_wait_until(SessionOutput& output, End end, Ended ended) {
    base::LateStop stop;
    std::latch begun(1);
    std::thread waiting([&] {
        begun.count_down();
        output.wait_for_reader(0, stop);
        EXPECT_TRUE(ended(stop));
    });
    begun.wait();
    end(stop);
    waiting.join();
}

TEST(SessionOutput, waits_until_the_output_is_taken) {
    SessionOutput output(account(), 3);
    output.deliver(message("1234"));
    expect_wait_until(
        output, [&](base::LateStop&) { EXPECT_EQ(output.take(), "1234\n"); },
        [&](const base::LateStop&) { return output.size() == 0; });
}

TEST(SessionOutput, waits_until_the_handler_is_stopped) {
    SessionOutput output(account(), 3);
    output.deliver(message("1234"));
    expect_wait_until(
        output, [](base::LateStop& stop) { stop.request_stop(); },
        [](const base::LateStop& stop) { return stop.stop_requested(); });
    EXPECT_EQ(output.size(), 5U) << "a stop takes no output";
}

TEST(SessionOutput, waits_when_the_account_has_no_memory_for_the_output) {
    SessionOutput output(account(1024), 1 << 20);
    output.deliver(message(std::string(2000, 'x')));
    expect_wait_until(
        output, [&](base::LateStop&) { EXPECT_EQ(output.take().size(), 2001U); },
        [&](const base::LateStop&) { return output.size() == 0; });
}

}  // namespace
}  // namespace tenon
