// Caches the results of token checks, by the hash of the token (PresentedToken::hash). Bounded: when it is full,
// expired entries are removed, and if that does not help, all entries.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <variant>

#include "auth/resource_server/token.hpp"

namespace tenon::auth {

/// Not thread-safe.
class TokenCache {
 public:
    using Known = std::variant<Token, BadToken, CannotCheck>;
    explicit TokenCache(std::size_t max) : max_(std::max<std::size_t>(max, 1)) {}

    const Known* find(const std::string& key, TimePoint now) {
        const auto it = known_.find(key);
        if (it == known_.end()) return nullptr;
        if (now < it->second.until) return &it->second.known;
        known_.erase(it);
        return nullptr;
    }
    void remember(std::string key, Known known, TimePoint now, TimePoint until) {
        if (known_.size() >= max_ && !known_.contains(key)) make_room(now);
        known_.insert_or_assign(std::move(key), Entry{std::move(known), until});
    }
    void clear() { known_.clear(); }
    std::size_t size() const { return known_.size(); }

 private:
    struct Entry {
        Known known;
        TimePoint until;
    };
    void make_room(TimePoint now) {
        std::erase_if(known_, [now](const auto& e) { return e.second.until <= now; });
        if (known_.size() >= max_) known_.clear();  // every token can be checked again
    }

    const std::size_t max_;
    std::map<std::string, Entry> known_;  // a tree, because chosen tokens cannot make it slow
};

}  // namespace tenon::auth
