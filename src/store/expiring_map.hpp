// A map whose entries expire.
#pragma once

#include <map>
#include <set>
#include <utility>

#include <tenon/protocol/tasks.hpp>

namespace tenon::store {

/// Values by key, each with a time. An expired value is not found, and is removed by a later sweep(). Not thread-safe.
template <class Key, class Value>
class ExpiringMap {
 public:
    struct Entry {
        Value value;
        WallTime expiry;
    };
    using Map = std::map<Key, Entry>;

    /// Returns the entry, or null.
    Entry* find(const Key& key, WallTime now) {
        const auto it = map_.find(key);
        return it == map_.end() || it->second.expiry <= now ? nullptr : &it->second;
    }
    /// Adds a value, or replaces the one with this key.
    Entry& put(const Key& key, Value value, WallTime expiry) {
        erase(key);
        expiries_.emplace(expiry, key);
        return map_.emplace(key, Entry{std::move(value), expiry}).first->second;
    }
    void set_expiry(const Key& key, WallTime expiry) {
        const auto it = map_.find(key);
        expiries_.erase({it->second.expiry, key});
        it->second.expiry = expiry;
        expiries_.emplace(expiry, key);
    }
    void erase(const Key& key) {
        const auto it = map_.find(key);
        if (it == map_.end()) return;
        expiries_.erase({it->second.expiry, key});
        map_.erase(it);
    }
    /// Returns the key that expires first, if it has expired.
    const Key* expired(WallTime now) const {
        return expiries_.empty() || expiries_.begin()->first > now ? nullptr : &expiries_.begin()->second;
    }
    const Map& all() const { return map_; }

 private:
    Map map_;
    std::set<std::pair<WallTime, Key>> expiries_;
};

}  // namespace tenon::store
