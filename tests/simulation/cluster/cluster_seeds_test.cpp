// Many small worlds, each made from one number. Repeat one with CLUSTER_SEEDS=102, or a range with
// CLUSTER_SEEDS=1-3000.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>
#include <string>

#include "simulation/cluster/cluster_sim.hpp"

namespace tenon::test {
namespace {

constexpr std::uint64_t seeds_of_shard = 250;
constexpr std::uint64_t shards = 8;  // ctest runs them side by side

// Returns the number of worlds in which an invariant was broken.
int run_seeds(std::uint64_t first, std::uint64_t last) {
    int failures = 0;
    for (std::uint64_t seed = first; seed <= last; ++seed) {
        std::string trace;
        const auto failure = run_seed(seed, Mutant::none, &trace);
        if (!failure) continue;
        ++failures;
        ADD_FAILURE() << "seed " << seed << ": " << *failure << (first == last ? "\n" + trace : "");
    }
    return failures;
}

struct ClusterSeeds : testing::TestWithParam<std::uint64_t> {};

TEST_P(ClusterSeeds, find_no_broken_invariant) {
    const std::uint64_t first = 1 + GetParam() * seeds_of_shard;
    EXPECT_EQ(run_seeds(first, first + seeds_of_shard - 1), 0);
}

INSTANTIATE_TEST_SUITE_P(ClusterSimulation, ClusterSeeds, testing::Range<std::uint64_t>(0, shards));

// A failure could not be explained otherwise. The worlds in between use what a process makes once, such as keys.
TEST(ClusterSimulation, a_seed_makes_the_same_world_again) {
    constexpr std::uint64_t worlds = 5;
    std::string first[worlds];
    for (std::uint64_t seed = 0; seed < worlds; ++seed) run_seed(seed, Mutant::none, &first[seed]);
    for (std::uint64_t seed = 0; seed < worlds; ++seed) {
        std::string again;
        run_seed(seed, Mutant::none, &again);
        EXPECT_EQ(first[seed], again) << "seed " << seed;
    }
}

TEST(ClusterSimulation, chosen_seeds) {
    const char* chosen = std::getenv("CLUSTER_SEEDS");
    if (!chosen) GTEST_SKIP() << "CLUSTER_SEEDS is not set";
    char* rest = nullptr;
    const std::uint64_t first = std::strtoull(chosen, &rest, 10);
    const std::uint64_t last = *rest == '-' ? std::strtoull(rest + 1, nullptr, 10) : first;
    EXPECT_EQ(run_seeds(first, last), 0);
}

}  // namespace
}  // namespace tenon::test
