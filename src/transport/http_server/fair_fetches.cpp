#include "transport/http_server/fair_fetches.hpp"

namespace tenon {

FairFetches::Queue::PeerPtr FairFetches::peer_of(const std::string& network) {
    std::weak_ptr<Queue::Peer>& known = peers_[network];
    Queue::PeerPtr peer = known.lock();
    if (!peer) known = peer = std::make_shared<Queue::Peer>();
    return peer;
}

void FairFetches::add(std::vector<auth::FetchOrder> orders, const std::string& network) {
    for (auth::FetchOrder& order : orders) {
        auto item = std::make_unique<Queue::Item>(peer_of(network), Job{network, std::move(order)});
        item->peer->claim(static_cast<std::size_t>(-1));
        queue_.push(std::move(item));
    }
}

std::vector<auth::FetchOrder> FairFetches::take_ready() {
    std::vector<auth::FetchOrder> out;
    while (queue_.ready()) {
        const Queue::ItemPtr item = queue_.take();
        running_.emplace(item->value.order.what, Running{item->value.network, item->peer});
        out.push_back(std::move(item->value.order));
    }
    return out;
}

void FairFetches::done(const std::string& what) {
    const auto it = running_.find(what);
    if (it == running_.end()) return;
    const std::string network = std::move(it->second.network);
    queue_.done(*it->second.peer);
    running_.erase(it);
    if (const auto peer = peers_.find(network); peer != peers_.end() && peer->second.expired()) peers_.erase(peer);
}

}  // namespace tenon
