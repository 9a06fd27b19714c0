// The stdio transport: STDIO-1 and STDIO-4.
#include "check/server/checks.hpp"

namespace tenon::check::checks::stdio {
Verdict exits(Probe& probe) {
    const auto talk = probe.fresh();
    if (!talk->process()) return not_applicable("there is no process");
    talk->end_input();
    probe.exits = talk->process()->wait_for_end(probe.subject().patience());
    return probe.exits ? pass(talk->process()->how()) : fail("it still runs after the end of its input");
}

Verdict exits_with_0(Probe& probe) {
    const auto talk = probe.fresh();
    if (!talk->process()) return not_applicable("there is no process");
    talk->end_input();
    if (!probe.exits || !talk->process()->wait_for_end(probe.subject().patience()))
        return not_applicable("it does not end");
    return talk->process()->exited_with_0() ? pass() : fail("at the end of its input it " + talk->process()->how());
}

Verdict finishes(Probe& probe) {
    const auto talk = probe.fresh();
    if (!talk->process()) return not_applicable("there is no process");
    const std::size_t number = talk->send(
        talk->request(probe.is_legacy() ? "ping" : "server/discover", {{"_meta", {{"com.example/last", true}}}}));
    talk->end_input();
    const Answer answer = talk->answer(number);
    return answer.came() ? pass() : fail("a request just before the end of input has no answer: " + answer.why);
}

Verdict ends_with_newline(Probe& probe) {
    if (!probe.exits) return not_applicable("it does not end");
    const auto talk = probe.fresh();
    if (!talk->process()) return not_applicable("there is no process");
    talk->send(talk->request(probe.is_legacy() ? "ping" : "server/discover"));
    talk->end_input();
    while (!talk->gone() && talk->wait_until(probe.subject().patience(), [&] { return talk->gone(); })) continue;
    return talk->cut_output() ? fail("its output ends inside a line") : pass();
}

}  // namespace tenon::check::checks::stdio
