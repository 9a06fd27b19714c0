// The peers of an HTTP server: what one of them uses is counted together, so that no peer takes another's share.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "base/string_map.hpp"
#include "io/worker_pool.hpp"

namespace tenon {

/// One principal with all its connections and sessions or, where callers are anonymous, one connection and the sessions
/// that it began. Shared by everything that belongs to the peer; thread-safe.
struct HttpPeer {
    const std::uint64_t number;    ///< unique in its HttpPeers
    const std::string principal;   ///< empty: anonymous
    io::WorkerPool::Peer calls{};  ///< its share of the threads that run handlers
};
using HttpPeerPtr = std::shared_ptr<HttpPeer>;

/// Finds and makes peers. Keeps no peer that nothing else refers to. Thread-safe.
class HttpPeers {
 public:
    /// Returns the peer of a principal, or a new one for an anonymous caller.
    HttpPeerPtr of(const std::string& principal);
    /// Returns `last`, the peer of the same connection's last request, unless the principal has changed since.
    HttpPeerPtr of(const std::string& principal, const HttpPeerPtr& last) {
        return last && last->principal == principal ? last : of(principal);
    }
    /// Returns the number of principals that are in use.
    std::size_t principals() const;

 private:
    struct Table {
        std::atomic<std::uint64_t> last_number{0};
        std::mutex mutex;  // guards what follows
        base::StringMap<std::weak_ptr<HttpPeer>> by_principal;
    };
    HttpPeerPtr find(const std::string& principal) const;
    HttpPeerPtr make(const std::string& principal);
    static void forget(Table& table, const std::string& principal);

    const std::shared_ptr<Table> table_ = std::make_shared<Table>();  // peers may outlive the server
};

}  // namespace tenon
