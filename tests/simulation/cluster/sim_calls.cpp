// The calls and the GET stream of a client, over any number of connections.
#include "simulation/cluster/sim_client.hpp"
#include "support/http_world.hpp"

namespace tenon::test {

using std::chrono::milliseconds;
using std::chrono::seconds;

bool SimClient::doubtful(const Call& call) const {
    return call.doubtful || (call.place && store_.oracle.log(session_, "e" + call.place->log).doubtful);
}

// ---- calls

void SimClient::call(std::size_t choice) {
    if (phase_ != Phase::ready) return;
    static constexpr const char* tools[] = {"quick", "talk", "talk", "ask"};
    const auto call = std::make_shared<Call>();
    call->session = session_;
    call->id = ++requests_;
    call->token = name_ + "-" + std::to_string(sessions_) + "-" + std::to_string(call->id);
    call->tool = tools[choice % 4];
    call->count = call->tool == "quick" ? 0 : static_cast<int>(choice / 4 % 5);
    calls_.push_back(call);
    call->exchange = post(tool_request(call->id, call->tool, {{"token", call->token}, {"count", call->count}}),
                          listener_of(call, false));
    note("calls " + call->tool + " " + call->token + " on " + call->exchange->node());
}

Exchange::Client SimClient::listener_of(const CallPtr& call, bool resumed) {
    call->reader = std::make_shared<framing::SseReader>(1024 * 1024);
    const auto gone_on = [this, call] {
        if (call->answered || call->session != session_) return;
        if (call->place) return resume_later(call);
        call->lost = true;  // nothing says where to resume it
    };
    return {.on_response = [this, call, resumed](const web::Response& r) { on_call_response(call, r, resumed); },
            .on_bytes = [this, call](std::string_view bytes) { on_call_bytes(call, bytes); },
            .on_end = gone_on,
            .on_lost =
                [this, call, gone_on] {
                    note("loses the connection of " + call->token);
                    gone_on();
                }};
}

void SimClient::resume_later(const CallPtr& call) {
    later(milliseconds(1500), [this, call] {
        if (call->session == session_ && !call->over()) resume(call);
    });
}

void SimClient::resume(const CallPtr& call) {
    if (phase_ == Phase::ended) return;
    const std::string last = call->place->log + "-" + std::to_string(call->place->event);
    call->exchange = send("GET", "Last-Event-ID: " + last + "\r\n", {}, listener_of(call, true));
    note("resumes " + call->token + " after " + last + " on " + call->exchange->node());
}

void SimClient::on_call_response(const CallPtr& call, const web::Response& response, bool resumed) {
    const std::string what = "the call " + call->token;
    if (call->session != session_) return;
    if (response.status == 404) {
        call->lost = true;
        return session_is_gone(what);
    }
    if (resumed) {
        if (response.status == 503) return resume_later(call);
        call->lost = true;
        // A node that cannot hear of the end of the session has its copy, but the logs are gone: 400.
        store_.oracle.require(response.status == 204 || may_be_gone() || doubtful(*call),
                              what + " cannot be resumed: " + std::to_string(response.status) + response.body);
        store_.oracle.require(call->cancelled || may_be_gone() || doubtful(*call), what + " ended without an answer");
        return;
    }
    if (response.status == 503) {
        call->refused = true;
        store_.oracle.require(!store_.oracle.node_of(call->token), what + " was refused, but ran");
        return;
    }
    if (response.status == 202 && call->cancelled) return static_cast<void>(call->lost = true);
    const auto message = json::parse(response.body);
    if (store_.oracle.require(message.has_value() && message->is_object(),
                              what + " got " + std::to_string(response.status) + " " + response.body))
        take(call, *message);
}

void SimClient::on_call_bytes(const CallPtr& call, std::string_view bytes) {
    if (call->session != session_) return;  // it has ended
    std::string known = call->reader->last_event_id();
    call->reader->feed(bytes, [&](const framing::SseReader::Event& event) {
        const auto place = web::read_event_place(event.last_event_id);
        const bool repeats =
            place && call->place && place->log == call->place->log && place->event == call->place->event;
        if (repeats && event.data.empty()) {
            known = event.last_event_id;  // a resumed stream says first where its client is
        } else if (event.last_event_id == known || !place) {
            call->doubtful = true;  // it could not be stored
        } else {
            known = event.last_event_id;
            const web::EventPlace before = call->place.value_or(web::EventPlace{place->log, 0});
            if (!may_be_gone()) store_.oracle.showed(session_, before, *place, event.data);
            call->place = place;
        }
        if (event.data.empty()) return;
        const auto message = json::parse(event.data);
        if (store_.oracle.require(message.has_value(), "an event of " + call->token + " is not JSON"))
            take(call, *message);
    });
}

void SimClient::take(const CallPtr& call, const json::value& message) {
    ClusterOracle& oracle = store_.oracle;
    const json::object& o = message.as_object();
    if (!o.contains("method")) return take_answer(call, o);
    oracle.require(!call->answered || doubtful(*call), "a message of " + call->token + " came after its answer");
    const std::string_view method = o.at("method").as_string();
    if (method == "elicitation/create") {
        oracle.require(o.at("params").at("message").as_string() == call->token, "a question of another call");
        return answer(call, o.at("id"));
    }
    if (method == "notifications/cancelled") return;  // the question is over
    oracle.require(method == "notifications/message", "the call " + call->token + " got " + std::string(method));
    const std::string said = call->token + "/" + std::to_string(call->said++);
    oracle.require(o.at("params").at("data") == said.c_str() || doubtful(*call),
                   "instead of " + said + " came " + json::write(o.at("params").at("data")));
}

void SimClient::take_answer(const CallPtr& call, const json::object& message) {
    ClusterOracle& oracle = store_.oracle;
    oracle.require(message.at("id") == call->id, "the answer to another request came for " + call->token);
    oracle.require(!call->answered || doubtful(*call), "the call " + call->token + " was answered twice");
    call->answered = true;
    if (const json::value* error = message.if_contains("error")) {
        note(call->token + " gets the error " + std::string(error->at("message").as_string()));
        const std::string* node = oracle.node_of(call->token);
        const bool explained =
            may_be_gone() || call->cancelled || call->tool == "ask" || (node && oracle.has_lapsed(*node));
        oracle.require(explained || doubtful(*call), call->token + " got an error without a reason");
        return;
    }
    const std::string text = text_of_result(message.at("result"));
    note(call->token + " gets " + text);
    const std::string* node = oracle.node_of(call->token);
    if (!oracle.require(node != nullptr, call->token + " was answered, but did not run")) return;
    const std::string expected = call->token + "@" + *node;
    const bool right = call->tool != "ask" ? text == expected
                                           : text.starts_with(expected + "+") &&
                                                 call->answers.contains(text.substr(expected.size() + 1));
    // A question that could not be stored has reached only a client that was connected to the node that asked.
    const bool unasked = call->tool == "ask" && doubtful(*call) && text == "the client did not answer in time";
    oracle.require(right || unasked, "the answer to " + call->token + " is " + text);
    oracle.require(call->said == call->count || doubtful(*call), "messages of " + call->token + " are missing");
}

void SimClient::answer(const CallPtr& call, const json::value& question) {
    if (call->question && *call->question == question) return;
    call->question = question;
    const std::string session = session_;
    const std::size_t times = store_.dice.one_in(4) ? 2 : 1;  // some clients answer twice
    for (std::size_t i = 0; i < times; ++i) {
        const std::string name = call->token + "=" + std::to_string(i);
        call->answers.insert(name);
        const json::object message{
            {"jsonrpc", "2.0"},
            {"id", question},
            {"result", json::object{{"action", "accept"}, {"content", json::object{{"name", name}}}}}};
        later(seconds(3), [this, session, message, call] {
            if (session != session_) return;
            note("answers the question of " + call->token);
            insist(message, [this, session](const web::Response& response) {
                if (response.status == 404 && session == session_) return session_is_gone("an answer");
                store_.oracle.require(response.status == 202 || response.status == 404,
                                      "an answer got " + describe(response));
            });
        });
    }
}

void SimClient::lose_call(std::size_t choice) {
    std::vector<CallPtr> open;
    for (const CallPtr& call : calls_)
        if (call->exchange && call->exchange->open()) open.push_back(call);
    if (!open.empty()) open[choice % open.size()]->exchange->lose();
}

void SimClient::cancel(std::size_t choice) {
    std::vector<CallPtr> open;
    for (const CallPtr& call : calls_)
        if (!call->over() && !call->cancelled) open.push_back(call);
    if (open.empty() || phase_ != Phase::ready) return;
    const CallPtr call = open[choice % open.size()];
    call->cancelled = true;
    note("cancels " + call->token);
    insist(cancellation(call->id), [this, session = session_](const web::Response& response) {
        if (response.status == 404 && session == session_) return session_is_gone("a cancellation");
        store_.oracle.require(response.status == 202 || response.status == 404,
                              "a cancellation got " + describe(response));
    });
}

// ---- the GET stream

void SimClient::listen() {
    if (phase_ != Phase::ready) return;
    listener_.wanted = true;
    if (!uses_two_get_streams && listener_.exchange && listener_.exchange->open()) return;
    start_listening();
}

void SimClient::listen_later() {
    later(milliseconds(1500), [this, session = session_] {
        if (session == session_ && phase_ == Phase::ready && !(listener_.exchange && listener_.exchange->open()))
            start_listening();
    });
}

void SimClient::start_listening() {
    listener_.reader = std::make_shared<framing::SseReader>(1024 * 1024);
    const std::string last = listener_.place ? web::event_id(listener_.place->log, listener_.place->event) : "";
    const auto again = [this, session = session_] {
        if (session == session_) listen_later();
    };
    auto refused = [this, again, session = session_](const web::Response& response) {
        if (session != session_) return;
        if (response.status == 404) return session_is_gone("a GET stream");
        if (response.status == 204) {  // a newer stream has replaced it, perhaps one whose connection was lost
            listener_.place.reset();
            return again();
        }
        if (store_.oracle.require(response.status == 503,
                                  "a GET stream got " + std::to_string(response.status) + " " + response.body))
            again();
    };
    listener_.exchange = send("GET", last.empty() ? "" : "Last-Event-ID: " + last + "\r\n", {},
                              {.on_response = std::move(refused),
                               .on_bytes =
                                   [this, session = session_](std::string_view bytes) {
                                       if (session == session_) on_listener_bytes(bytes);
                                   },
                               .on_end = again,
                               .on_lost = again});
    note("listens after '" + last + "' on " + listener_.exchange->node());
}

void SimClient::lose_listener() {
    if (listener_.exchange) listener_.exchange->lose();
}

void SimClient::on_listener_bytes(std::string_view bytes) {
    ClusterOracle& oracle = store_.oracle;
    listener_.reader->feed(bytes, [&](const framing::SseReader::Event& event) {
        const auto place = web::read_event_place(event.last_event_id);
        if (!oracle.require(place && web::listener_of(*place), "a GET stream shows the event " + event.last_event_id))
            return;
        if (event.data.empty()) {  // it only says where to resume
            if (listener_.place && !may_be_gone()) oracle.require_nothing_between(session_, *listener_.place, *place);
            listener_.place = place;
            return;
        }
        if (!oracle.require(listener_.place.has_value(), "a GET stream does not begin with an id")) return;
        if (!may_be_gone()) oracle.showed(session_, *listener_.place, *place, event.data);
        listener_.place = place;
        const auto message = json::parse(event.data);
        if (oracle.require(message.has_value(), "an event is not JSON")) take_announcement(*message);
    });
}

void SimClient::take_announcement(const json::value& message) {
    const json::object& o = message.as_object();
    if (!store_.oracle.require(o.contains("method"), "a GET stream shows an answer: " + json::write(message))) return;
    if (o.at("method") != "notifications/message") return;
    const std::string text(o.at("params").at("data").as_string());
    store_.oracle.require(announced_.insert(session_ + text).second, name_ + " has got " + text + " twice");
}

}  // namespace tenon::test
