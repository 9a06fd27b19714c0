// A session that several nodes serve: its state goes out as changes, and comes in from the node that began it.
#include "core/server/engine.hpp"

namespace tenon::core {

void ServerEngine::share_with_nodes(std::string node) {
    shared_ = true;
    questions_.set_node(std::move(node));
}

bool ServerEngine::changed(StateChange::Kind kind, std::string_view value) {
    if (shared_) changes_.push_back({kind, std::string(value)});
    return true;
}

Result<void> ServerEngine::apply_change(const StateChange& change) {
    auto changed = state();
    if (!changed) return {};
    apply(change, *changed);
    return restore(*changed, {});
}

std::optional<SessionState> ServerEngine::state() const {
    if (!peer_) return std::nullopt;
    return SessionState{.revision = peer_->rules.revision(),
                        .capabilities = peer_->capabilities,
                        .client = peer_->info,
                        .declared = peer_->declared,
                        .initialized = initialized_,
                        .log_level = log_level_,
                        .subscriptions = subscriptions_.uris()};
}

Result<void> ServerEngine::restore(const SessionState& state, const Origin& origin) {
    if (!peer_) {
        const auto caller = origin.caller ? origin.caller : identity_.caller;
        peer_charge_ = new_charge();
        if (const auto verdict = peer_charge_.resize(state.bytes); verdict != MemoryDecision::granted)
            return memory_error(verdict, peer_charge_);
        peer_ = std::make_shared<const Peer>(
            Peer{protocol::Rules(state.revision), state.capabilities, state.client, state.declared});
        // The features that the sender of this request may use: the token of an earlier request is not known here.
        reader_ = subscriber_ = Access{.scopes = origin.may_use, .caller = caller};
        if (settings_->intercepts && settings_->intercepts()) subscriber_.rules = settings_->access_rules();
    }
    initialized_ = state.initialized;
    log_level_ = state.log_level;
    const std::set<std::string> before = subscriptions_.uris();
    for (const std::string& uri : before)
        if (!state.subscriptions.contains(uri)) subscriptions_.remove(uri);
    for (const std::string& uri : state.subscriptions)
        if (auto ok = subscriptions_.add(uri, limits_, identity_.account); !ok) return ok;
    return {};
}

}  // namespace tenon::core
