#include "transport/http_server/client_network.hpp"

#include <algorithm>
#include <boost/asio/ip/address_v6.hpp>
#include <limits>

namespace tenon {
namespace asio = boost::asio;

std::string network_of(const asio::ip::address& address) {
    if (address.is_v4()) return address.to_string();
    const asio::ip::address_v6 v6 = address.to_v6();
    if (v6.is_v4_mapped()) return asio::ip::make_address_v4(asio::ip::v4_mapped, v6).to_string();
    auto bytes = v6.to_bytes();
    std::fill(bytes.begin() + 8, bytes.end(), 0);
    return asio::ip::address_v6(bytes).to_string() + "/64";
}

std::size_t max_connections_of(const asio::ip::address& client, std::size_t max_per_address, const Limits& limits) {
    if (max_per_address > 0) return max_per_address;
    if (client.is_loopback()) return std::numeric_limits<std::size_t>::max();
    return limits.max_connections - limits.max_connections / 4;
}

std::string too_many_of_address(std::size_t max) {
    return "too many connections from your address: the limit (HttpOptions::max_connections_per_address) is " +
           std::to_string(max) + "; close some";
}

std::string too_many_connections(const Limits& limits) {
    return "too many connections: the limit (Limits::max_connections) is " + std::to_string(limits.max_connections) +
           "; try again later";
}

bool NetworkCounts::add(std::string_view network, std::size_t max) {
    const std::lock_guard lock(mutex_);
    auto it = counts_.find(network);
    if ((it == counts_.end() ? 0 : it->second) >= max) return false;
    if (it == counts_.end()) it = counts_.emplace(network, 0).first;
    ++it->second;
    return true;
}

void NetworkCounts::remove(std::string_view network) {
    const std::lock_guard lock(mutex_);
    const auto it = counts_.find(network);
    if (it != counts_.end() && --it->second == 0) counts_.erase(it);
}

std::size_t NetworkCounts::of(std::string_view network) const {
    const std::lock_guard lock(mutex_);
    const auto it = counts_.find(network);
    return it == counts_.end() ? 0 : it->second;
}

}  // namespace tenon
