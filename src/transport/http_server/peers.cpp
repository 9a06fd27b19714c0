#include "transport/http_server/peers.hpp"

namespace tenon {

PostForPeer post_to(io::WorkerPool& pool) {
    return [&pool](const HttpPeerPtr& peer, std::function<void()> work) {
        pool.post(std::move(work), peer ? io::WorkerPool::PeerPtr(peer, &peer->calls) : nullptr);
    };
}

std::function<void(std::function<void()>)> post_as(std::function<HttpPeerPtr()> peer, PostForPeer post) {
    if (!post) return {};
    return
        [post = std::move(post), peer = std::move(peer)](std::function<void()> work) { post(peer(), std::move(work)); };
}

std::optional<PeerSlot> PeerSlot::take(HttpPeerPtr peer, Count count, std::size_t most) {
    if (!peer) return PeerSlot();
    if ((*peer.*count).fetch_add(1) < most) return PeerSlot(std::move(peer), count);
    (*peer.*count).fetch_sub(1);
    return std::nullopt;
}

HttpPeerPtr HttpPeers::of(const std::string& principal) {
    if (HttpPeerPtr known = find(principal)) return known;
    HttpPeerPtr peer = make(principal);  // outside the lock, because the destruction of a peer takes it
    if (principal.empty()) return peer;
    const std::lock_guard lock(table_->mutex);
    std::weak_ptr<HttpPeer>& entry = table_->by_principal[principal];
    if (HttpPeerPtr other = entry.lock()) return other;  // another thread was faster
    entry = peer;
    return peer;
}

HttpPeerPtr HttpPeers::find(const std::string& principal) const {
    const std::lock_guard lock(table_->mutex);
    const auto it = table_->by_principal.find(principal);
    return it == table_->by_principal.end() ? nullptr : it->second.lock();
}

HttpPeerPtr HttpPeers::make(const std::string& principal) {
    const std::uint64_t number = table_->last_number.fetch_add(1) + 1;
    auto memory = budget_ ? std::make_shared<base::MemoryAccount>(budget_) : nullptr;
    if (principal.empty()) return std::make_shared<HttpPeer>(number, principal, std::move(memory));
    return {new HttpPeer{number, principal, std::move(memory)}, [table = table_](HttpPeer* gone) {
                const std::unique_ptr<HttpPeer> owner(gone);
                forget(*table, gone->principal);
            }};
}

// Keeps the entry when a new peer of the same principal has replaced the old one.
void HttpPeers::forget(Table& table, const std::string& principal) {
    const std::lock_guard lock(table.mutex);
    const auto it = table.by_principal.find(principal);
    if (it != table.by_principal.end() && it->second.expired()) table.by_principal.erase(it);
}

std::size_t HttpPeers::principals() const {
    const std::lock_guard lock(table_->mutex);
    return table_->by_principal.size();
}

}  // namespace tenon
