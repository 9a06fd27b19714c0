// Sessions over HTTP: HTTP-9, and attacks on sessions.
#include <algorithm>
#include <set>

#include "check/server/checks.hpp"

namespace tenon::check::checks::sessions {
namespace {

constexpr std::string_view no_sessions = "the server has no sessions";

int status_of(Conversation& talk, std::string_view session) {
    const std::string before = talk.session();
    talk.session() = session;
    const Answer answer = talk.ask("ping");
    talk.session() = before;
    return answer.status;
}

Verdict expect(int status, int wanted, std::string_view what) {
    return status == wanted ? pass()
                            : fail(std::string(what) + " is answered with HTTP " + std::to_string(status) + ", not " +
                                   std::to_string(wanted));
}

// Deletes the session of the conversation. Returns the HTTP status, or 0 when there is no session.
int end_session(Conversation& talk) {
    if (talk.session().empty()) return 0;
    const auto exchange = talk.exchange(talk.http_request("DELETE"));
    talk.wait_for(exchange);
    return exchange->status();
}

}  // namespace

Verdict visible_ascii(Probe& probe) {
    const std::string& id = probe.talk().session();
    if (id.empty()) return not_applicable(std::string(no_sessions));
    const bool good = std::ranges::all_of(id, [](char c) { return c >= 0x21 && c <= 0x7E; });
    return good ? pass() : fail("the session id has a character that is not visible ASCII");
}

Verdict unique_ids(Probe& probe) {
    const std::string first = probe.talk().session(), second = probe.fresh()->session();
    if (first.empty()) return not_applicable(std::string(no_sessions));
    return first == second ? fail("two sessions have the same id") : pass();
}

Verdict missing(Probe& probe) {
    Conversation& talk = probe.talk();
    if (talk.session().empty()) return not_applicable(std::string(no_sessions));
    const int status = status_of(talk, "");
    if (status >= 200 && status < 300) return not_applicable("the server does not require a session id");
    return expect(status, 400, "a request without its session id");
}

Verdict unknown(Probe& probe) {
    Conversation& talk = probe.talk();
    if (talk.session().empty()) return not_applicable(std::string(no_sessions));
    std::string other = talk.session();
    for (char& c : other) c = c == 'a' ? 'b' : 'a';
    return expect(status_of(talk, other), 404, "an unknown session id");
}

Verdict deletes(Probe& probe) {
    const auto talk = probe.fresh();
    if (talk->session().empty()) return not_applicable(std::string(no_sessions));
    const int status = end_session(*talk);
    return status == 405 || (status >= 200 && status < 300)
               ? pass("HTTP " + std::to_string(status))
               : fail("a DELETE is answered with HTTP " + std::to_string(status) + ", neither success nor 405");
}

Verdict ended(Probe& probe) {
    const auto talk = probe.fresh();
    const int status = end_session(*talk);
    if (status < 200 || status >= 300) return not_applicable("sessions cannot be ended here");
    const std::string id = std::exchange(talk->session(), {});
    return expect(status_of(*talk, id), 404, "a session that was ended");
}

// ---- attacks

// Compares five session ids. At least ten positions must have three or more different characters.
Verdict entropy(Probe& probe) {
    std::set<std::string> ids;
    std::size_t shortest = std::string::npos;
    for (int i = 0; i < 5; ++i) {
        const std::string id = probe.fresh()->session();
        if (id.empty()) return not_applicable(std::string(no_sessions));
        ids.insert(id);
        shortest = std::min(shortest, id.size());
    }
    if (ids.size() < 5) return fail("session ids repeat");
    std::size_t changing = 0;
    for (std::size_t at = 0; at < shortest; ++at) {
        std::set<char> kinds;
        for (const std::string& id : ids) kinds.insert(id[at]);
        if (kinds.size() >= 3) ++changing;
    }
    return changing >= 10 ? pass()
                          : fail("in the session ids only " + std::to_string(changing) +
                                 " characters change: they can be guessed");
}

// The stream of one session must not show the responses of another session.
Verdict others_answers(Probe& probe) {
    const auto first = probe.fresh(), second = probe.fresh();
    if (first->session().empty()) return not_applicable(std::string(no_sessions));
    const auto stream = second->exchange(second->http_request("GET"));
    if (!second->wait_for(stream, true) || stream->status() != 200)
        return not_applicable("the server offers no stream to listen to");
    for (int i = 0; i < 3; ++i) {
        json::object request = first->request("ping");
        request["id"] = "tenon-check-of-another";
        first->answer(first->send(request));
    }
    second->settle();
    const auto is_foreign = [&](const Received& received) {
        return received.exchange == stream && received.text.find("tenon-check-of-another") != std::string::npos;
    };
    return std::ranges::any_of(second->received(), is_foreign) ? fail("a session received another session's response")
                                                               : pass();
}

}  // namespace tenon::check::checks::sessions
