// Streams that are resumed with Last-Event-ID: HTTP-6.
#include <algorithm>

#include "check/server/checks.hpp"
#include "check/server/shapes.hpp"

namespace tenon::check::checks::http {
namespace {

// Returns the id of the last event of the stream that answers a request; empty when events have no ids.
std::string event_id_of(Conversation& talk, std::size_t number) {
    if (!talk.answer(number).came() || !talk.wait_for(talk.find(number)->exchange)) return {};
    const auto& ids = talk.find(number)->exchange->event_ids();
    return ids.empty() ? std::string() : ids.back();
}

// Returns the id of a response on the stream that belongs to another request than `own`.
std::string foreign_response(const Conversation& talk, const std::shared_ptr<Exchange>& stream, const Sent& own) {
    for (const Received& received : talk.received()) {
        const json::object* o = received.object();
        if (received.exchange != stream || !o || o->contains("method") || received.id_text == own.id->text()) continue;
        const auto is_asked = [&](const std::unique_ptr<Sent>& sent) {
            return sent->id && sent->id->text() == received.id_text;
        };
        if (std::ranges::any_of(talk.sent(), is_asked)) return received.id_text;
    }
    return {};
}

}  // namespace

// Resumes a stream after its last event. Another stream was served since then, and must not be replayed.
Verdict replays_one_stream(Probe& probe) {
    const auto talk = probe.fresh();
    const std::size_t own = talk->send(talk->request(probe.harmless()));
    const std::string last = event_id_of(*talk, own);
    if (last.empty()) return not_applicable("the events of this server have no ids");
    for (int i = 0; i < 2; ++i) event_id_of(*talk, talk->send(talk->request(probe.harmless())));
    web::ClientRequest request = talk->http_request("GET");
    request.fields.emplace_back("Last-Event-ID", last);
    const auto stream = talk->exchange(std::move(request));
    if (!talk->wait_for(stream, true) || stream->status() != 200 || !stream->is_stream())
        return not_applicable("the server resumes no streams");
    talk->settle();
    const std::string foreign = foreign_response(*talk, stream, *talk->find(own));
    probe.subject().web->abandon(stream);
    return foreign.empty() ? pass()
                           : fail("a stream that was resumed after the event " + last.substr(0, 100) +
                                  " has the response to the request " + foreign + ", which came on another stream");
}

}  // namespace tenon::check::checks::http
