// Shows that the oracle of the cluster can fail: the store breaks one promise, and some seed must notice it. Without a
// broken promise these seeds find nothing: see cluster_seeds_test.cpp.
#include <gtest/gtest.h>

#include <iostream>

#include "simulation/cluster/cluster_sim.hpp"

namespace tenon::test {
namespace {

constexpr std::uint64_t most_seeds = 100;

struct NamedMutant {
    const char* name;
    Mutant mutant;
};
void PrintTo(const NamedMutant& one, std::ostream* out) { *out << one.name; }

struct BrokenStore : testing::TestWithParam<NamedMutant> {};

TEST_P(BrokenStore, is_noticed) {
    for (std::uint64_t seed = 1; seed <= most_seeds; ++seed) {
        const auto failure = run_seed(seed, GetParam().mutant);
        if (!failure) continue;
        std::cerr << GetParam().name << ": " << seed << " seeds, " << *failure << std::endl;
        return;
    }
    FAIL() << "no seed notices it";
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
