#include "transport/http_server/client_network.hpp"

#include <algorithm>
#include <boost/asio/ip/address_v6.hpp>

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
