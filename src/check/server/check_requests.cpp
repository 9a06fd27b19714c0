// Requests that are unusual, but must not go unanswered: RPC-3, RPC-10.
#include "check/server/checks.hpp"

namespace tenon::check::checks::rpc {

// A later request is answered first, so a server that answers nothing here has dropped the request.
Verdict unknown_member(Probe& probe) {
    Conversation& talk = probe.talk();
    json::object request = talk.request(probe.harmless());
    request["x-tenon-check"] = json::object{{"trace", json::array{1, "x", nullptr}}};
    const std::size_t number = talk.send(request);
    if (talk.http()) {
        const Answer answer = talk.answer(number);
        return answer.came() || answer.status >= 400 ? pass() : fail(answer.why);
    }
    if (!talk.settle() || !talk.settle()) return not_applicable("the server answers nothing");
    return talk.answer_soon(number).came()
               ? pass()
               : fail("a request with an unknown member beside `params` gets no response, not even an error");
}

Verdict duplicate_id(Probe& probe) {
    Conversation& talk = probe.talk();
    json::object request = talk.request(probe.harmless());
    request["id"] = "tenon-check-twice";
    const std::size_t first = talk.send(request), second = talk.send(request);
    const Verdict alive = expect_alive(talk, "two requests with the same id at once");
    for (const std::size_t number : {first, second}) talk.give_up(number);
    return alive;
}

}  // namespace tenon::check::checks::rpc
