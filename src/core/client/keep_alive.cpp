// Pings a silent server with a session (until 2025-11-25), if the user wishes. A server that does not answer is given
// up, so that calls do not wait for it until their own timeouts.
#include "core/client/engine.hpp"

namespace tenon::core {

std::optional<TimePoint> ClientEngine::next_ping() const {
    if (settings_->ping_interval <= Duration::zero() || phase_ != Phase::ready || pinging_ || rules_->is_modern())
        return std::nullopt;
    return later(heard_, settings_->ping_interval);
}

void ClientEngine::tick_keep_alive() {
    const auto due = next_ping();
    if (!due || now_ < *due) return;
    pinging_ = true;
    ClientCall ping;
    ping.kind = ClientCall::Kind::keep_alive;
    admit(std::move(ping));
}

// An error is an answer, too: the server lives.
void ClientEngine::pinged(const Result<json::value>& answer) {
    pinging_ = false;
    heard_ = now_;
    if (answer || answer.error().code != code::request_timeout || phase_ != Phase::ready) return;
    end({code::connection_closed, "the server did not answer a ping: " + answer.error().message});
    actions_.push_back(Hangup{});
}

}  // namespace tenon::core
