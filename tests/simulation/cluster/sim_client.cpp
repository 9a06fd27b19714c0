#include "simulation/cluster/sim_client.hpp"

#include <algorithm>

#include "support/http_world.hpp"

namespace tenon::test {

using std::chrono::milliseconds;
using std::chrono::seconds;

SimClient::SimClient(ClientWorld& world, std::size_t number)
    : world_(world),
      store_(world.store()),
      name_("c" + std::to_string(number)),
      principal_(number % 3 == 0 ? "" : "user" + std::to_string(number)) {}

std::string SimClient::describe(const web::Response& response) {
    return std::to_string(response.status) + " " + response.body;
}

// ---- requests

std::shared_ptr<Exchange> SimClient::send(const std::string& method, const std::string& more, const std::string& body,
                                          Exchange::Client client) {
    std::string fields = more;
    if (!principal_.empty()) fields += "Authorization: " + principal_ + "\r\n";
    if (!session_.empty()) fields += HttpWorld::in_session(session_);
    const auto exchange = std::make_shared<Exchange>(store_, method, fields, body, std::move(client));
    if (SimNode* const node = world_.next_node())
        exchange->send(*node);
    else
        later(milliseconds(20), [exchange] { exchange->lose(); });
    return exchange;
}

void SimClient::later(Duration most, std::function<void()> work) {
    const auto wait = std::chrono::duration_cast<milliseconds>(most).count();
    store_.agenda.after(milliseconds(1 + store_.dice.below(static_cast<std::size_t>(wait))), std::move(work));
}

void SimClient::insist(const json::value& message, const Accepted& done, int tries) {
    const std::string session = session_;
    const auto again = [=, this] {
        if (tries > 0 && session == session_) later(seconds(1), [=, this] { insist(message, done, tries - 1); });
    };
    post(message,
         {.on_response = [=](const web::Response& response) { response.status == 503 ? again() : done(response); },
          .on_lost = again});
}

// ---- the session

void SimClient::open() {
    if (!may_open_ || !ended()) return;
    phase_ = Phase::opening;
    session_.clear();
    listener_ = {};
    ++sessions_;
    const auto failed = [this] {
        phase_ = Phase::none;
        later(seconds(1), [this] { open(); });
    };
    auto opened = [this, failed](const web::Response& response) {
        if (response.status != 200) {
            store_.oracle.require(response.status == 503, "`initialize` got " + std::to_string(response.status));
            return failed();
        }
        for (const auto& [key, value] : response.fields)
            if (key == "Mcp-Session-Id") session_ = value;
        note("has " + session_);
        phase_ = Phase::confirming;
        confirm();
    };
    post(initialize_request("2025-11-25", {{"elicitation", json::object()}}),
         {.on_response = std::move(opened), .on_lost = failed});
}

void SimClient::confirm() {
    insist(notification("notifications/initialized"), [this, session = session_](const web::Response& response) {
        if (session != session_) return;
        if (response.status == 202) return ready();
        // An unused session expires after a minute.
        store_.oracle.require(response.status == 404, "`initialized` got " + describe(response));
        phase_ = Phase::none;
        later(seconds(1), [this] { open(); });
    });
}

void SimClient::ready() {
    if (phase_ != Phase::confirming) return;
    phase_ = Phase::ready;
}

void SimClient::session_is_gone(const std::string& what) {
    store_.oracle.require(may_be_gone(), name_ + " has lost its session without a reason, says " + what);
}

void SimClient::end_session() {
    if (phase_ != Phase::ready && phase_ != Phase::ending) return;
    if (phase_ == Phase::ready) note("ends its session");
    phase_ = Phase::ending;
    const auto again = [this, session = session_] {
        later(seconds(1), [this, session] {
            if (session == session_ && phase_ == Phase::ending) end_session();
        });
    };
    auto ended = [this, again, session = session_](const web::Response& response) {
        if (session != session_) return;
        if (response.status == 503) return again();
        store_.oracle.require(response.status == 204 || response.status == 404,
                              "DELETE got " + std::to_string(response.status));
        if (phase_ != Phase::ending) return;
        phase_ = Phase::ended;
        note("has no session any more");
    };
    send("DELETE", {}, {}, {.on_response = std::move(ended), .on_lost = again});
}

void SimClient::be_attacked(std::size_t choice) {
    SimNode* const node = world_.next_node();
    if (phase_ != Phase::ready || !node) return;
    const std::string fields = "Authorization: mallory\r\n" + HttpWorld::in_session(session_);
    const bool gets = choice % 2 == 1;
    const std::string last =
        listener_.place ? "Last-Event-ID: " + web::event_id(listener_.place->log, listener_.place->event) + "\r\n" : "";
    const std::string body = gets ? "" : json::write(tool_request(1, "quick", {{"token", "stolen"}, {"count", 0}}));
    Exchange::Client mallory{.on_response =
                                 [this](const web::Response& response) {
                                     store_.oracle.require(response.status == 404 || response.status == 503,
                                                           "a stranger got " + std::to_string(response.status));
                                 },
                             .on_stream = [this] { store_.oracle.fail("a stranger got a stream"); },
                             .on_lost = [] {}};
    std::make_shared<Exchange>(store_, gets ? "GET" : "POST", fields + (gets ? last : ""), body, std::move(mallory))
        ->send(*node);
}

void SimClient::subscribe(bool on) {
    if (phase_ != Phase::ready) return;
    const char* method = on ? "resources/subscribe" : "resources/unsubscribe";
    insist(request(++requests_, method, {{"uri", "note://a"}}),
           [this, session = session_](const web::Response& response) {
               if (response.status == 404 && session == session_) return session_is_gone("a subscription");
               store_.oracle.require(response.status == 200 || response.status == 404,
                                     "a subscription got " + describe(response));
           });
}

// ---- the end

bool SimClient::settled(std::string& why) const {
    for (const CallPtr& call : calls_) {
        if (call->session != session_) continue;
        if (call->over() || call->cancelled) continue;
        if (call->exchange && call->exchange->open() && phase_ == Phase::ended) {
            why = "a stream of the call " + call->token + " is open, though its session has ended";
            return false;
        }
        if (phase_ == Phase::ended) continue;
        why = "the call " + call->token + " of " + name_ + " has no answer";
        return false;
    }
    if (phase_ == Phase::ready && listener_.wanted && !(listener_.exchange && listener_.exchange->open())) {
        why = name_ + " has no GET stream";
        return false;
    }
    return phase_ == Phase::none || phase_ == Phase::ready || phase_ == Phase::ended;
}

void SimClient::require_all() {
    if (phase_ == Phase::ready && listener_.place) store_.oracle.require_all_shown(session_, *listener_.place, name_);
}

}  // namespace tenon::test
