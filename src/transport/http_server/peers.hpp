// The peers of an HTTP server. Counts what each peer uses, so that no peer can use up the resources of others.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/memory_budget.hpp"
#include "base/string_map.hpp"
#include "base/thread_debt.hpp"
#include "io/worker_pool.hpp"
#include "transport/http_server/last_caller.hpp"

namespace tenon {

/// One principal with all its connections and sessions or, where callers are anonymous, one connection and the sessions
/// that it opened. The connections, sessions and requests of the peer share it. Thread-safe.
struct HttpPeer {
    const std::uint64_t number;                ///< unique in its HttpPeers
    const std::string principal;               ///< empty: anonymous
    const base::MemoryAccountPtr memory = {};  ///< counts the memory that the server holds for the peer
    io::WorkerPool::Peer calls{};              ///< its share of the threads that run handlers
    io::WorkerPool::Peer large_requests{};     ///< its share of the threads that decode large requests
    std::atomic<std::size_t> sessions{0}, requests{0}, listeners{0};  ///< open at the moment; see PeerSlot

    base::ThreadDebt io_debt{};  ///< for its use of the I/O threads
    std::mutex notifying{};      ///< held by a thread while it makes a notification; see SessionOutlet::turn()
    LastCaller last_caller{};    ///< of its last request

    bool anonymous() const { return principal.empty(); }
};
using HttpPeerPtr = std::shared_ptr<HttpPeer>;

/// Returns the lock under which the peer's notifications are made; null without a peer.
inline std::shared_ptr<std::mutex> turn_of(const HttpPeerPtr& peer) {
    return peer ? std::shared_ptr<std::mutex>(peer, &peer->notifying) : nullptr;
}

/// Runs work of a peer, later and on another thread. May throw, when there is too much work.
using PostForPeer = std::function<void(const HttpPeerPtr& peer, std::function<void()> work)>;
/// Makes a function that runs work in the pool, within the peer's share of the threads.
PostForPeer post_to(io::WorkerPool& pool);
/// Makes a SessionOptions::post. It calls `peer` for each piece of work, to find out whose work it is.
std::function<void(std::function<void()>)> post_as(std::function<HttpPeerPtr()> peer, PostForPeer post);

/// Counts one session, request or listener of a peer. The destructor subtracts it again.
class PeerSlot {
 public:
    using Count = std::atomic<std::size_t> HttpPeer::*;
    /// Returns nullopt when the peer already has `most`. Without a peer, nothing is counted.
    static std::optional<PeerSlot> take(HttpPeerPtr peer, Count count, std::size_t most);

    PeerSlot() = default;
    PeerSlot(PeerSlot&& other) noexcept : peer_(std::exchange(other.peer_, {})), count_(other.count_) {}
    PeerSlot& operator=(PeerSlot&& other) noexcept {
        std::swap(peer_, other.peer_);
        std::swap(count_, other.count_);
        other.give_back();
        return *this;
    }
    ~PeerSlot() { give_back(); }

 private:
    PeerSlot(HttpPeerPtr peer, Count count) : peer_(std::move(peer)), count_(count) {}
    void give_back() {
        if (const auto peer = std::exchange(peer_, {})) (*peer.*count_).fetch_sub(1);
    }

    HttpPeerPtr peer_;
    Count count_ = nullptr;
};

/// Finds and creates peers. Does not keep peers alive. Thread-safe.
class HttpPeers {
 public:
    explicit HttpPeers(std::shared_ptr<base::MemoryBudget> budget = {}) : budget_(std::move(budget)) {}

    /// Returns the peer of a principal, or a new one for an anonymous caller.
    HttpPeerPtr of(const std::string& principal);
    /// Returns `last`, the peer of the same connection's last request, unless the principal has changed since.
    HttpPeerPtr of(const std::string& principal, const HttpPeerPtr& last) {
        return last && last->principal == principal ? last : of(principal);
    }
    /// Returns the number of principals that have a peer.
    std::size_t principals() const;

 private:
    struct Table {
        std::atomic<std::uint64_t> last_number{0};
        std::mutex mutex;  // guards the members below
        base::StringMap<std::weak_ptr<HttpPeer>> by_principal;
    };
    HttpPeerPtr find(const std::string& principal) const;
    HttpPeerPtr make(const std::string& principal);
    static void forget(Table& table, const std::string& principal);

    const std::shared_ptr<base::MemoryBudget> budget_;
    const std::shared_ptr<Table> table_ = std::make_shared<Table>();  // peers may outlive the server
};

}  // namespace tenon
