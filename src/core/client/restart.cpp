// A server that died after it had introduced itself. Its transport is opened again, after a wait that doubles each
// time. Calls that had been sent fail, because they may have had an effect. Later calls wait for the new server.
#include <algorithm>

#include "core/client/engine.hpp"

namespace tenon::core {
namespace {

constexpr Duration first_restart_wait = std::chrono::seconds(1);
constexpr std::size_t max_doublings = 20;

Duration restart_wait(std::size_t restarts, Duration longest) {
    return std::min(longest, first_restart_wait * (1 << std::min(restarts, max_doublings)));
}

}  // namespace

bool ClientEngine::restart(const Error& why) {
    if (!settings_->restart || !server_) return false;
    // A server that ran for a while has not failed to start.
    if (phase_ == Phase::ready && now_ - ready_since_ > limits_.max_restart_wait) restarts_ = 0;
    if (restarts_ >= limits_.max_restarts) return false;
    const bool was_ready = phase_ == Phase::ready;
    const Duration wait = restart_wait(restarts_++, limits_.max_restart_wait);
    phase_ = Phase::unopened;
    reopened_ = false;
    probe_.reset(), introduction_.reset();
    probe_until_.reset(), introduction_until_.reset();
    if (was_ready) {
        note(LogLevel::warning, "the server is gone, and is started again if possible: " + quote(why.message));
        renewed_ = true;
        fail_started_calls(why);
    }
    actions_.push_back(Reopen{why, wait});
    return true;
}

void ClientEngine::fail_started_calls(const Error& why) {
    while (!asks_.empty()) drop_ask(asks_.begin()->first);
    for (auto& [id, listener] : std::exchange(listeners_, {}))
        if (!listener.uri.empty()) listen_later(std::move(listener), 1);  // start_listening() does it for the lists
    cache_.clear();
    std::vector<CallId> started;
    for (const auto& [id, p] : calls_)
        if (std::ranges::find(waiting_, id) == waiting_.end()) started.push_back(id);
    for (const CallId id : started)
        finish(calls_.find(id), Error{why.code, why.message + "; the call may have had an effect"});
    listing_ = Listing::never;
    tools_.clear();
}

}  // namespace tenon::core
