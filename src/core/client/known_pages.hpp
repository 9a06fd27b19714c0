// The web pages of URL elicitations that are not finished yet. When one is finished, the server sends its id.
#pragma once

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include <tenon/client_options.hpp>

namespace tenon::core {

/// Remembers at most ClientLimits::max_elicitations ids, and forgets the oldest. Ignores ids over max_id_bytes.
class KnownPages {
 public:
    explicit KnownPages(const ClientLimits& limits) : limits_(limits) {}

    void add(std::string_view id) {
        if (id.empty() || id.size() > limits_.max_id_bytes || !ids_.emplace(id).second) return;
        order_.emplace_back(id);
        if (order_.size() <= limits_.max_elicitations) return;
        ids_.erase(order_.front());
        order_.pop_front();
    }
    /// Forgets the id. Returns whether it was known.
    bool take(std::string_view id) {
        const auto found = ids_.find(id);
        if (found == ids_.end()) return false;
        std::erase(order_, *found);
        ids_.erase(found);
        return true;
    }

 private:
    const ClientLimits& limits_;
    std::set<std::string, std::less<>> ids_;
    std::deque<std::string> order_;  // the oldest first
};

}  // namespace tenon::core
