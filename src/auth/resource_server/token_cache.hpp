// Caches the results of token checks, by the hash of the token (PresentedToken::hash). Bounded: a new entry replaces
// the one that was not used for the longest time.
#pragma once

#include <algorithm>
#include <list>
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

    /// Returns the result for a token; null when there is none, or it has expired. Valid until the next call.
    const Known* find(const std::string& key, TimePoint now) {
        const auto it = by_key_.find(key);
        if (it == by_key_.end()) return nullptr;
        const auto entry = it->second;
        if (now >= entry->until) return forget(it), nullptr;
        entries_.splice(entries_.begin(), entries_, entry);
        return &entry->known;
    }
    void remember(std::string key, Known known, TimePoint until) {
        if (const auto it = by_key_.find(key); it != by_key_.end()) forget(it);
        if (entries_.size() >= max_) forget(by_key_.find(entries_.back().key));
        entries_.push_front({std::move(key), std::move(known), until});
        by_key_.emplace(entries_.front().key, entries_.begin());
    }
    void clear() {
        by_key_.clear();
        entries_.clear();
    }
    std::size_t size() const { return entries_.size(); }

 private:
    struct Entry {
        std::string key;
        Known known;
        TimePoint until;
    };
    using Entries = std::list<Entry>;
    using ByKey = std::map<std::string_view, Entries::iterator>;  // a tree, because chosen tokens cannot make it slow

    void forget(ByKey::iterator it) {
        const auto entry = it->second;
        by_key_.erase(it);
        entries_.erase(entry);
    }

    const std::size_t max_;
    Entries entries_;  // the last one used first
    ByKey by_key_;     // its keys are the strings of the entries
};

}  // namespace tenon::auth
