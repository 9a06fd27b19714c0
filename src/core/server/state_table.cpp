#include "core/server/state_table.hpp"

#include <algorithm>

namespace tenon::core {

Result<void> StateTable::add(std::string handle, NewState state, WallTime now) {
    if (state.state.size() > max_bytes_)
        return Error{code::server_error,
                     "The state of this call has " + std::to_string(state.state.size()) + " bytes; the limit is " +
                         std::to_string(max_bytes_) + " (Limits::max_message_bytes)",
                     LimitName::max_message_bytes};
    make_room(state.account, now);
    auto charged = charge(state.account, state.state.size() + handle.size() + 2 * bytes_of_entry);
    if (!charged) return charged.error();
    const Order order = ++last_order_;
    orders_.emplace(handle, order);
    peers_[state.account.get()].insert(order);
    states_.emplace(order, Kept{std::move(handle), std::move(state.state), base::siphash(key_, state.binding),
                                state.expires, *std::move(charged)});
    return {};
}

Result<std::string> StateTable::find(std::string_view handle, std::string_view binding, WallTime now) const {
    const auto order = orders_.find(handle);
    if (order == orders_.end())
        return Error{code::invalid_params, "this process does not have it: it was dropped, or another process made it"};
    const Kept& kept = states_.at(order->second);
    if (kept.expires < now) return Error{code::invalid_params, "it is too old"};
    if (kept.binding != base::siphash(key_, binding))
        return Error{code::invalid_params, "it belongs to another request"};
    return kept.state;
}

// All states live equally long, so the oldest expire first.
void StateTable::make_room(const MemoryAccountPtr& account, WallTime now) {
    while (!states_.empty() && states_.begin()->second.expires < now) drop(states_.begin()->first);
    while (count_of(account.get()) >= share_of(account)) drop_oldest_of(account.get());
    while (states_.size() >= max_states_ && !states_.empty()) drop(states_.begin()->first);
}

Result<MemoryCharge> StateTable::charge(const MemoryAccountPtr& account, std::size_t bytes) {
    MemoryCharge charge(account);
    for (;;) {
        const MemoryDecision decision = charge.resize(bytes);
        if (decision == MemoryDecision::granted) return charge;
        if (count_of(account.get()) == 0) return memory_error(decision, charge);
        drop_oldest_of(account.get());
    }
}

void StateTable::drop(Order order) {
    const auto kept = states_.find(order);
    const auto peer = peers_.find(kept->second.charge.account().get());
    peer->second.erase(order);
    if (peer->second.empty()) peers_.erase(peer);
    orders_.erase(kept->second.handle);
    states_.erase(kept);
}

void StateTable::drop_oldest_of(Peer peer) { drop(*peers_.at(peer).begin()); }

std::size_t StateTable::count_of(Peer peer) const {
    const auto found = peers_.find(peer);
    return found == peers_.end() ? 0 : found->second.size();
}

std::size_t StateTable::share_of(const MemoryAccountPtr& account) const {
    const bool only_peer = !account || account->share() == account->budget().total();
    return std::max<std::size_t>(only_peer ? max_states_ : max_states_ / 4, 1);
}

}  // namespace tenon::core
