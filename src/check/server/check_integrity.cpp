// The framing of messages: INT-1 to INT-6.
#include "check/server/checks.hpp"

namespace tenon::check::checks::integrity {
namespace {

std::string request_line(Conversation& talk) {
    return json::write(talk.request(talk.rules().is_legacy() ? "ping" : "server/discover"));
}

// Sends a request with extra bytes before and after it, and expects a response.
Verdict served(Conversation& talk, std::string_view before, std::string_view after, std::string_view how) {
    if (talk.gone()) return fail(talk.why());
    const std::size_t first = talk.sent().size();
    talk.send_raw(before);
    const std::size_t number = talk.send(request_line(talk) + std::string(after));
    const Answer answer = talk.answer(number);
    return answer.came() && first < number ? pass()
                                           : fail("a message " + std::string(how) + " is not served: " + answer.why);
}

}  // namespace

Verdict concurrent(Probe& probe) {
    const Judge::Instead instead(probe.judge(), "RPC-2.json", "INT-3.whole-messages");
    Conversation& talk = probe.talk();
    std::vector<std::size_t> sent;
    for (int i = 0; i < 48; ++i) {
        const bool list = i % 3 != 0 && probe.declares("tools");
        sent.push_back(talk.send(list ? json::write(talk.request("tools/list")) : request_line(talk)));
    }
    for (const std::size_t number : sent)
        if (!talk.answer(number).came()) break;  // a missing response is the subject of another rule
    return judged();
}

Verdict crlf(Probe& probe) { return served(probe.talk(), "", "\r", "that ends with CR LF"); }
Verdict blank_lines(Probe& probe) { return served(probe.talk(), "\n  \n\r\n", "", "after blank lines"); }

Verdict chunks(Probe& probe) {
    Conversation& talk = probe.talk();
    if (talk.gone()) return fail(talk.why());
    const std::string line = request_line(talk);
    const auto before = talk.sent().size();
    const std::size_t number = talk.send_in_pieces(line);
    const Answer answer = talk.answer(number);
    return answer.came() && before < number ? pass()
                                            : fail("a message that comes in pieces is not served: " + answer.why);
}

Verdict large(Probe& probe) {
    Conversation& talk = probe.talk();
    const Answer answer = talk.answer(talk.send(probe.with_payload(talk, std::string(1 << 20, 'x'))));
    if (answer.came() || answer.status == 413) return pass();
    return fail("a message of a megabyte has no answer: " + answer.why);
}

Verdict cut(Probe& probe) {
    const auto talk = probe.fresh();
    if (talk->gone()) return fail(talk->why());
    const std::size_t number = talk->send_cut(request_line(*talk));
    talk->end_input();
    const Answer answer = talk->answer(number);
    return answer.came() ? fail("a message that was cut by the end of input was answered") : pass();
}

}  // namespace tenon::check::checks::integrity
