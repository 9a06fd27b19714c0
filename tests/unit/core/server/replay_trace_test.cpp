#include "core/server/replay_trace.hpp"

#include <gtest/gtest.h>

namespace tenon::core {
namespace {

TEST(ReplayTrace, is_silent_when_a_run_repeats_the_steps_of_the_run_before) {
    ReplayTrace trace;
    EXPECT_FALSE(trace.step("once(`a`)"));
    EXPECT_TRUE(trace.is_new());
    EXPECT_FALSE(trace.step("question `q`", "{\"message\":\"Well?\"}"));
    EXPECT_FALSE(trace.end());
    trace.begin_again();
    EXPECT_FALSE(trace.step("once(`a`)"));
    EXPECT_FALSE(trace.is_new());
    EXPECT_FALSE(trace.step("question `q`", "{\"message\":\"Well?\"}"));
    EXPECT_FALSE(trace.step("once(`b`)")) << "a later run goes further";
    EXPECT_TRUE(trace.is_new());
    EXPECT_FALSE(trace.end());
}

TEST(ReplayTrace, reports_the_first_difference_with_both_texts) {
    ReplayTrace trace;
    trace.step("question `q`", "row 1");
    trace.step("question `r`", "x");
    trace.begin_again();
    EXPECT_EQ(trace.step("question `q`", "row 2"), "step 1 was question `q` row 1 and is now question `q` row 2");
    EXPECT_FALSE(trace.step("question `s`", "y")) << "follows from the first";
    EXPECT_FALSE(trace.end());
    trace.begin_again();
    EXPECT_EQ(trace.step("once(`q`)"), "step 1 was question `q` row 2 and is now once(`q`)");
}

TEST(ReplayTrace, reports_a_run_that_ends_too_early) {
    ReplayTrace trace;
    trace.step("once(`a`)");
    trace.step("once(`b`)");
    trace.begin_again();
    trace.step("once(`a`)");
    EXPECT_EQ(trace.end(), "it ended before step 2, which was once(`b`)");
    EXPECT_FALSE(trace.end()) << "once";
}

TEST(ReplayTrace, compares_with_a_run_of_another_process_by_its_digests) {
    ReplayTrace first;
    first.step("once(`a b`)");
    first.step("question `q`", "row 1");
    ReplayTrace same, other, broken;
    for (ReplayTrace* next : {&same, &other}) next->load(first.save());
    EXPECT_FALSE(same.step("once(`a b`)"));
    EXPECT_FALSE(same.step("question `q`", "row 1"));
    EXPECT_FALSE(other.step("once(`a b`)"));
    EXPECT_EQ(other.step("question `q`", "row 2"), "step 2, question `q`, has other parameters than before: now row 2");
    broken.load({1, "x", "12", nullptr});
    EXPECT_FALSE(broken.step("once(`a`)"));
}

TEST(ReplayTrace, a_run_after_middleware_begins_at_its_own_first_step) {
    ReplayTrace trace;
    trace.step("once(`of the middleware`)");
    trace.step("question `q`", "1");
    trace.begin_again(1);
    EXPECT_FALSE(trace.step("question `q`", "1"));
    EXPECT_FALSE(trace.end());
}

TEST(ReplayTrace, keeps_a_limited_number_of_short_steps) {
    ReplayTrace trace;
    const std::string longer(10'000, 'x');
    for (std::size_t i = 0; i < 2 * ReplayTrace::max_steps; ++i) trace.step("once(`k`)", longer);
    EXPECT_EQ(trace.save().size(), ReplayTrace::max_steps);
    trace.begin_again();
    for (std::size_t i = 0; i < ReplayTrace::max_steps; ++i) EXPECT_FALSE(trace.step("once(`k`)", longer));
    EXPECT_FALSE(trace.step("once(`other`)")) << "is not compared";
    EXPECT_FALSE(trace.end());
    ReplayTrace quoted;
    quoted.step("s", longer);
    quoted.begin_again();
    EXPECT_LT(quoted.step("s", "short")->size(), 2 * ReplayTrace::max_text_bytes);
    ReplayTrace loaded;
    json::array many;
    for (int i = 0; i < 1000; ++i) many.emplace_back("1 s");
    loaded.load(many);
    EXPECT_FALSE(loaded.end()->empty());
}

}  // namespace
}  // namespace tenon::core
