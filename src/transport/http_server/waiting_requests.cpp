#include "transport/http_server/waiting_requests.hpp"

#include <algorithm>

namespace tenon {

bool WaitingRequests::has_room_for(const std::string& network) const {
    return requests_.size() < max_ || network_to_displace(network);
}

// A network gives up a place only if it still has at least as many as the other one afterwards. So the displaced
// request cannot displace another one in turn.
const std::string* WaitingRequests::network_to_displace(const std::string& network) const {
    const auto most = std::ranges::max_element(counts_, {}, [](const auto& entry) { return entry.second; });
    return most != counts_.end() && most->second > count_of(network) + 1 ? &most->first : nullptr;
}

bool WaitingRequests::add(const std::string& what, const std::string& network, Retry retry, Retry& displaced) {
    if (requests_.size() >= max_) {
        const std::string* const largest = network_to_displace(network);
        if (!largest) return false;
        displaced = remove_one_of(std::string(*largest));
    }
    requests_.emplace(what, Request{network, std::move(retry)});
    ++counts_[network];
    return true;
}

// Looks at all requests. There are few (ResourceLimits::max_waiting), and this happens only when the limit is reached.
WaitingRequests::Retry WaitingRequests::remove_one_of(const std::string& network) {
    const auto it = std::ranges::find_if(requests_, [&](const auto& r) { return r.second.network == network; });
    Retry retry = std::move(it->second.retry);
    requests_.erase(it);
    count_out(network);
    return retry;
}

std::vector<WaitingRequests::Retry> WaitingRequests::take(const std::string& what) {
    std::vector<Retry> out;
    const auto [first, last] = requests_.equal_range(what);
    for (auto it = first; it != last; ++it) {
        count_out(it->second.network);
        out.push_back(std::move(it->second.retry));
    }
    requests_.erase(first, last);
    return out;
}

void WaitingRequests::count_out(const std::string& network) {
    const auto it = counts_.find(network);
    if (--it->second == 0) counts_.erase(it);
}

std::size_t WaitingRequests::count_of(const std::string& network) const {
    const auto it = counts_.find(network);
    return it == counts_.end() ? 0 : it->second;
}

}  // namespace tenon
