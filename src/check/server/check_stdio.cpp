// The stdio transport: STDIO-1 and STDIO-4.
#include "check/server/checks.hpp"

namespace tenon::check::checks::stdio {

Verdict exits(Probe& probe) {
    const Probe::Farewell& farewell = probe.farewell();
    if (!farewell.why.empty()) return not_applicable(farewell.why);
    return farewell.exited ? pass(farewell.how) : fail("it still runs after the end of its input");
}

Verdict exits_with_0(Probe& probe) {
    const Probe::Farewell& farewell = probe.farewell();
    if (!farewell.exited) return not_applicable("it does not end");
    return farewell.with_0 ? pass() : fail("at the end of its input it " + farewell.how);
}

Verdict finishes(Probe& probe) {
    const Probe::Farewell& farewell = probe.farewell();
    if (!farewell.why.empty()) return not_applicable(farewell.why);
    return farewell.answer.came()
               ? pass()
               : fail("a request just before the end of input has no answer: " + farewell.answer.why);
}

Verdict ends_with_newline(Probe& probe) {
    const Probe::Farewell& farewell = probe.farewell();
    if (!farewell.exited) return not_applicable("it does not end");
    return farewell.cut_output ? fail("its output ends inside a line") : pass();
}

}  // namespace tenon::check::checks::stdio
