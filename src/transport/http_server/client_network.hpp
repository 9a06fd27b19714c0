// The network address of a client, and how many connections each address has.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include <tenon/limits.hpp>

namespace tenon {

/// Returns the address as text. For IPv6 only the /64 network, because one client can use all addresses in it.
std::string network_of(const boost::asio::ip::address& address);

/// Returns how many connections one client may have: see HttpOptions::max_connections_per_address.
std::size_t max_connections_of(const boost::asio::ip::address& client, std::size_t max_per_address,
                               const Limits& limits);
/// Return the reason for refusing a connection.
std::string too_many_of_address(std::size_t max);
std::string too_many_connections(const Limits& limits);

/// Counts connections by network. Thread-safe.
class NetworkCounts {
 public:
    /// Adds a connection and returns true, unless the network has `max` connections already.
    bool add(std::string_view network, std::size_t max);
    /// Subtracts a connection that was added.
    void remove(std::string_view network);
    std::size_t of(std::string_view network) const;

 private:
    mutable std::mutex mutex_;
    std::map<std::string, std::size_t, std::less<>> counts_;  // a tree, because clients choose their addresses
};

}  // namespace tenon
