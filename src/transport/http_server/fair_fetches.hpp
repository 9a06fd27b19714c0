// The documents that a server fetches to check tokens, a few at once. Anyone can cause a fetch, by sending an unknown
// token: so the fetches are shared fairly between the addresses of the clients.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "auth/resource_server/token.hpp"
#include "base/fair_queue.hpp"

namespace tenon {

/// Decides which fetch starts next. A quarter of them is reserved for networks without a running fetch (see
/// network_of()). Not thread-safe.
class FairFetches {
 public:
    /// At most `max` fetches run at once.
    explicit FairFetches(std::size_t max) : queue_({max, max - max / 4, max / 4}) {}

    void add(std::vector<auth::FetchOrder> orders, const std::string& network);
    /// Returns the fetches to start now. They count as running until done().
    std::vector<auth::FetchOrder> take_ready();
    /// Reports that the fetch with this name has ended.
    void done(const std::string& what);

 private:
    struct Job {
        std::string network;
        auth::FetchOrder order;
    };
    using Queue = base::FairQueue<Job>;
    struct Running {
        std::string network;
        Queue::PeerPtr peer;
    };

    Queue::PeerPtr peer_of(const std::string& network);

    std::map<std::string, std::weak_ptr<Queue::Peer>> peers_;  // by network; each has waiting or running fetches
    std::multimap<std::string, Running> running_;              // by the name of the fetch
    Queue queue_;
};

}  // namespace tenon
