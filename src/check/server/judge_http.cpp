// The part of the Judge for HTTP: the stream of a message, and the headers of a response.
#include <algorithm>

#include "check/server/judge.hpp"

namespace tenon::check {
namespace {

using protocol::Trait;

bool is_response(const Received& received) {
    const json::object* o = received.object();
    return o && (o->contains("result") || o->contains("error"));
}

}  // namespace

void Judge::judge_place(Charges& charges, const Received& received, const Conversation& talk) {
    if (!received.exchange || !received.exchange->is_stream()) return;
    if (talk.is_raw(*received.exchange)) return;  // a stream of a GET belongs to no request
    // The responses to a batch may come one by one.
    const auto owed = std::ranges::count_if(talk.sent(), [&](const std::unique_ptr<Sent>& sent) {
        return sent->exchange == received.exchange && sent->answerable;
    });
    const auto came = std::ranges::count_if(talk.received(), [&](const Received& other) {
        return other.exchange == received.exchange && is_response(other);
    });
    charges.must("HTTP-5.after-response", came == 0 || came < owed, "a message on a stream after its response");
}

void Judge::ended(const Exchange& exchange, const Sent* sent, const Conversation& talk) {
    if (exchange.status() == 0) return;
    Charges charges(tallies_, absent_);
    const bool request = sent && sent->answerable && sent->id;
    const std::string type = exchange.field("content-type").value_or("nothing");
    if (request && exchange.status() == 200)
        charges.must("HTTP-3.content-type", exchange.is_json() || exchange.is_stream(),
                     [&] { return "a request was answered with the type " + type; });
    if (sent && sent->method.starts_with("notifications/") && !sent->answerable && exchange.status() < 300) {
        charges.must("HTTP-2.accepted", exchange.status() == 202,
                     [&] { return "a notification was answered with " + std::to_string(exchange.status()); });
        charges.must("HTTP-2.no-body", exchange.body().empty() && exchange.events().empty(),
                     "the answer to a notification has a body");
    }
    if (talk.rules().is_legacy() && talk.is_raw(exchange)) {
        // A stream that is resumed repeats events and their ids.
    } else if (talk.rules().is_legacy()) {
        std::set<std::string>& known = event_ids_[talk.serial()];
        for (const std::string& id : exchange.event_ids())
            charges.must("HTTP-6.unique-event-ids", known.insert(id).second,
                         [&] { return "the event id " + id + " came twice in one session"; });
    } else {
        charges.must("HTTP-9.no-session", !exchange.field("mcp-session-id"),
                     "a session id, which this revision does not have");
    }
    if (charges.broken().empty()) return;
    Tally& tally = tallies_.find(charges.broken())->second;
    if (tally.failures != 1) return;
    keep_trigger(tally, sent, &exchange, talk);
    tally.evidence.push_back(transcript_.entry(
        Evidence::Direction::received,
        "HTTP/1.1 " + std::to_string(exchange.status()) + "\r\nContent-Type: " + type + "\r\n\r\n" + exchange.body()));
}

}  // namespace tenon::check
