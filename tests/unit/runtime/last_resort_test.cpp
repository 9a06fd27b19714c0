// Exceptions that nothing else has caught do not end a thread.
#include "io/last_resort.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace tenon::io {
namespace {

TEST(LastResort, tells_what_was_thrown) {
    std::vector<std::string> told;
    const auto tell = [&](const char* what) { told.emplace_back(what); };
    EXPECT_TRUE(survives([] {}, tell));
    EXPECT_FALSE(survives([] { throw std::runtime_error("broken"); }, tell));
    EXPECT_FALSE(survives([] { throw 7; }, tell));
    EXPECT_EQ(told, (std::vector<std::string>{"broken", "an exception of an unknown type"}));
}

TEST(LastResort, what_the_teller_throws_is_dropped) {
    EXPECT_FALSE(survives([] { throw std::bad_alloc(); }, [](const char*) { throw std::bad_alloc(); }));
}

TEST(LastResort, a_thread_goes_on_until_its_body_returns) {
    int turns = 0, told = 0;
    run_thread(
        [&] {
            if (++turns < 3) throw std::bad_alloc();
        },
        [&](const char*) { ++told; });
    EXPECT_EQ(turns, 3);
    EXPECT_EQ(told, 2);
}

}  // namespace
}  // namespace tenon::io
