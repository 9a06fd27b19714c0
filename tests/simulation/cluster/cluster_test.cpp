// Several nodes, a store and clients in one world, with one clock and in one thread: delays, lost connections,
// partitions, pauses and kills. RapidCheck makes the world and the steps, so a failure is shrunk to the fewest steps.
// Repeat a failure with RC_PARAMS=seed=N.
#include "property/check.hpp"
#include "simulation/cluster/cluster_sim.hpp"

namespace tenon::test {
namespace {

constexpr int worlds = 150;  // about 60 ms each

rc::Gen<std::vector<ClusterStep>> any_steps() {
    const auto number = rc::gen::inRange<std::size_t>(0, 60);
    return rc::gen::container<std::vector<ClusterStep>>(
        rc::gen::construct<ClusterStep>(rc::gen::inRange<std::size_t>(0, ClusterStep::names().size()), number, number));
}

ClusterOptions any_cluster() {
    ClusterOptions out;
    out.seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    out.nodes = *rc::gen::inRange<std::size_t>(2, 4);
    out.clients = *rc::gen::inRange<std::size_t>(1, 4);
    out.round_robin = *rc::gen::arbitrary<bool>();
    out.faults = *rc::gen::inRange(0, 4) > 0;
    return out;
}

struct Outcome {
    std::string trace;
    std::optional<std::string> failure;
};

Outcome run(const ClusterOptions& options, const std::vector<ClusterStep>& steps) {
    ClusterSim sim(options);
    for (const ClusterStep& step : steps) sim.take(step);
    sim.finish();
    return {sim.trace(), sim.failure()};
}

TEST(ClusterSimulation, nothing_is_lost_repeated_or_misdelivered) {
    check_property("A cluster, simulated", worlds, [] {
        const ClusterOptions options = any_cluster();
        const std::vector<ClusterStep> steps = *any_steps();
        const Outcome result = run(options, steps);
        if (!result.failure) return;
        RC_LOG() << options << "\n" << result.trace;
        RC_FAIL(*result.failure);
    });
}

}  // namespace
}  // namespace tenon::test
