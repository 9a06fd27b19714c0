// Compares the matching with a search through every assignment, for every small graph.
#include <gtest/gtest.h>

#include "property/matching.hpp"

namespace tenon::test {
namespace {

constexpr std::size_t requests = 4, most_answers = 3;
using Requests = Matching::Requests;

/// A set of requests as the bits of a number.
using Set = unsigned;
constexpr Set all_sets = 1U << requests;

Requests members_of(Set set) {
    Requests out;
    for (std::size_t r = 0; r < requests; ++r)
        if (set >> r & 1) out.push_back(r);
    return out;
}

/// Returns the sets of requests that these answers can be the answers of. Each answer has a different request.
std::vector<Set> assignments(const std::vector<Set>& answers, Set used = 0, std::size_t next = 0) {
    if (next == answers.size()) return {used};
    std::vector<Set> out;
    for (const std::size_t r : members_of(answers[next] & ~used))
        for (const Set set : assignments(answers, used | 1U << r, next + 1)) out.push_back(set);
    return out;
}

std::vector<bool> bools(Set set) {
    std::vector<bool> out;
    for (std::size_t r = 0; r < requests; ++r) out.push_back(set >> r & 1);
    return out;
}

void compare(const Matching& matching, const std::vector<Set>& answers) {
    const auto possible = assignments(answers);
    ASSERT_EQ(matching.answers(), answers.size());
    const auto open = matching.maybe_open();
    for (std::size_t r = 0; r < requests; ++r)
        EXPECT_EQ(open[r], std::ranges::any_of(possible, [&](Set set) { return !(set >> r & 1); }));
    for (Set wanted = 0; wanted < all_sets; ++wanted)
        EXPECT_EQ(matching.can_answer(bools(wanted)),
                  std::ranges::any_of(possible, [&](Set set) { return (set & wanted) == wanted; }));
}

/// Extends the matching by every possible answer, as long as there are assignments.
void extend(const Matching& matching, std::vector<Set> answers) {
    compare(matching, answers);
    if (answers.size() == most_answers) return;
    answers.emplace_back();
    for (Set fitting = 0; fitting < all_sets; ++fitting) {
        answers.back() = fitting;
        Matching next = matching;
        const bool added = next.add_answer(members_of(fitting));
        ASSERT_EQ(added, !assignments(answers).empty());
        if (added) extend(next, answers);
    }
}

TEST(MatchingOfAnswers, agrees_with_a_search_through_every_assignment) {
    Matching matching;
    for (std::size_t r = 0; r < requests; ++r) matching.add_request();
    extend(matching, {});
}

TEST(MatchingOfAnswers, an_answer_that_fits_no_request_changes_nothing) {
    Matching matching;
    matching.add_request();
    EXPECT_FALSE(matching.add_answer({}));
    EXPECT_TRUE(matching.add_answer({0}));
    EXPECT_FALSE(matching.add_answer({0}));
    EXPECT_EQ(matching.answers(), 1U);
}

// The last answer fits only the first request, so it moves all the others.
TEST(MatchingOfAnswers, a_long_chain_of_moves_is_found) {
    Matching matching;
    constexpr std::size_t length = 300;
    for (std::size_t r = 0; r < length; ++r) matching.add_request();
    for (std::size_t a = 0; a + 1 < length; ++a) ASSERT_TRUE(matching.add_answer({a, a + 1}));
    ASSERT_TRUE(matching.add_answer({0}));
    EXPECT_FALSE(matching.add_answer({length - 1}));
    EXPECT_EQ(matching.maybe_open(), std::vector<bool>(length));
}

}  // namespace
}  // namespace tenon::test
