// The deadlines of calls: ends calls when a server does not answer in time.
#include <algorithm>

#include "core/client/engine.hpp"

namespace tenon::core {

// Uses the node of the old deadline, so that a call cannot lose its deadline when memory is short.
void ClientEngine::rearm(CallId id, Pending& p, TimePoint soft) noexcept {
    auto node = deadlines_.extract({std::min(p.soft, p.hard), id});
    p.soft = soft;
    node.value().first = std::min(p.soft, p.hard);
    deadlines_.insert(std::move(node));
}

void ClientEngine::tick(TimePoint now) {
    now_ = now;
    tick_lifecycle();
    tick_subscriptions();
    tick_keep_alive();
    while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
        const CallId id = deadlines_.begin()->second;
        expire(id, calls_.at(id));
    }
}

// All timeouts start again when the user has answered.
void ClientEngine::user_asked(bool asked, TimePoint now) {
    now_ = now;
    user_asked_ = asked;
    if (asked) return;
    wait_on();
    for (auto& [id, p] : calls_) rearm(id, p, later(now_, p.time));
}

void ClientEngine::expire(CallId id, Pending& p) {
    // While the server waits for an answer of this client or its user, only the final deadline counts.
    const bool final = now_ >= p.hard;
    if (p.step == Step::next_poll && !final) return send_for_task(id, p, FollowedTask::Request::get);
    // A call does not fail because the list of tools is slow.
    if (p.step == Step::list_to_check || (is_listing(p.step) && !final)) return go_on(id, false);
    const bool asking = !p.asks.empty() || asked_by_server() || user_asked_;
    if (asking && !final) return rearm(id, p, later(now_, std::max<Duration>(p.time, Duration(1))));
    if (p.task && p.task->request == FollowedTask::Request::result && !final) return poll_again(id, p);
    const auto seconds = std::chrono::duration<double>(final ? p.longest : p.time).count();
    std::string text = "the server did not answer within " + json::write(json::value(seconds)) + " seconds";
    if (id < unmatched_before_) text += "; before that: " + unmatched_;
    withdraw(p, "the request timed out");
    finish(calls_.find(id), Error{code::request_timeout, std::move(text)});
}

std::optional<TimePoint> ClientEngine::next_deadline() const {
    std::optional<TimePoint> next;
    const auto consider = [&](const std::optional<TimePoint>& t) {
        if (t && *t != TimePoint::max() && (!next || *t < *next)) next = t;
    };
    consider(probe_until_);
    consider(introduction_until_);
    consider(next_ping());
    if (!deadlines_.empty()) consider(deadlines_.begin()->first);
    if (!broken_.empty()) consider(broken_.begin()->first);
    return next;
}

}  // namespace tenon::core
