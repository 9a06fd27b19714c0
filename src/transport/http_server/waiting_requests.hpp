// The requests that wait until their token can be checked. Anyone can make requests wait, by sending unknown tokens: so
// there is a limit, and above it the clients that make the most requests wait are refused first.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tenon {

/// Not thread-safe. Requests of one client address (see network_of()) are counted together.
class WaitingRequests {
 public:
    using Retry = std::function<void()>;

    explicit WaitingRequests(std::size_t max) : max_(max) {}

    /// Returns whether add() would accept a request of this network.
    bool has_room_for(const std::string& network) const;
    /// Adds a request that waits for `what`. Above the limit, it takes the place of a request of the network with the
    /// most requests, and `displaced` is set to the Retry of that one. Returns false if it has no right to a place.
    bool add(const std::string& what, const std::string& network, Retry retry, Retry& displaced);
    /// Removes and returns the requests that wait for `what`.
    std::vector<Retry> take(const std::string& what);
    std::size_t size() const { return requests_.size(); }

 private:
    struct Request {
        std::string network;
        Retry retry;
    };

    const std::string* network_to_displace(const std::string& network) const;
    Retry remove_one_of(const std::string& network);
    void count_out(const std::string& network);
    std::size_t count_of(const std::string& network) const;

    const std::size_t max_;
    std::multimap<std::string, Request> requests_;  // by the name of the document that they wait for
    std::map<std::string, std::size_t> counts_;     // by network
};

}  // namespace tenon
