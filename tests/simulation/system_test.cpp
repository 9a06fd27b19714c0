// Clients, servers and the network between them in one world, with one clock and in one thread. RapidCheck makes the
// world and the steps, so a failure is shrunk to the fewest steps. Repeat a failure with RC_PARAMS=seed=N.
#include "property/check.hpp"
#include "simulation/world.hpp"

namespace tenon::test {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int worlds = 200;
#else
constexpr int worlds = 2000;
#endif

rc::Gen<std::vector<WorldStep>> any_steps() {
    const auto number = rc::gen::inRange<std::size_t>(0, 60);
    return rc::gen::container<std::vector<WorldStep>>(
        rc::gen::construct<WorldStep>(rc::gen::inRange<std::size_t>(0, WorldStep::names().size()), number, number));
}

WorldOptions any_world() {
    WorldOptions out;
    out.seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    out.clients = *rc::gen::inRange<std::size_t>(1, 5);
    out.identity = *rc::gen::element(Identity::anonymous, Identity::fixed_token, Identity::signs_in);
    out.room = *rc::gen::element(Room::plenty, Room::plenty, Room::tight);
    out.faults = *rc::gen::inRange(0, 3) > 0;
    return out;
}

struct Outcome {
    std::string trace;
    std::optional<std::string> failure;
};

Outcome run(const WorldOptions& options, const std::vector<WorldStep>& steps) {
    World world(options);
    for (const WorldStep& step : steps) world.take(step);
    world.finish();
    return {world.trace(), world.failure()};
}

TEST(SystemSimulation, every_call_ends_once_and_no_secret_leaves_its_owner) {
    check_property("A system of clients and a server, simulated", worlds, [] {
        const WorldOptions options = any_world();
        const std::vector<WorldStep> steps = *any_steps();
        const Outcome result = run(options, steps);
        if (!result.failure) return;
        RC_LOG() << options << "\n" << result.trace;
        RC_FAIL(*result.failure);
    });
}

TEST(SystemSimulation, the_same_world_takes_the_same_course_twice) {
    check_property("A system, simulated twice", worlds / 30, [] {
        const WorldOptions options = any_world();
        const std::vector<WorldStep> steps = *any_steps();
        const std::string once = run(options, steps).trace, again = run(options, steps).trace;
        if (once == again) return;
        const auto differ = std::ranges::mismatch(once, again);
        RC_LOG() << options << "\n"
                 << std::string(once.begin(), differ.in1) << "<- the second run differs after this\n";
        RC_FAIL("a world took another course the second time");
    });
}

}  // namespace
}  // namespace tenon::test
