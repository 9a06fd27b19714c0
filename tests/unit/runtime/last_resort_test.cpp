// Exceptions that no other code caught do not end a thread.
#include "io/last_resort.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace tenon::io {
namespace {

TEST(LastResort, reports_the_exception) {
    std::vector<std::string> told;
    const auto tell = [&](const char* what) { told.emplace_back(what); };
    EXPECT_TRUE(survives([] {}, tell));
    EXPECT_FALSE(survives([] { throw std::runtime_error("broken"); }, tell));
    EXPECT_FALSE(survives([] { throw 7; }, tell));
    EXPECT_EQ(told, (std::vector<std::string>{"broken", "an exception of an unknown type"}));
}

TEST(LastResort, an_exception_of_the_report_function_is_dropped) {
    EXPECT_FALSE(survives([] { throw std::bad_alloc(); }, [](const char*) { throw std::bad_alloc(); }));
}

TEST(LastResort, a_thread_runs_its_body_again_after_an_exception) {
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
