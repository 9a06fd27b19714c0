// The sessions of an HTTP endpoint, sorted by how soon they may be ended.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/limits.hpp>

#include "base/string_map.hpp"

namespace tenon {

/// Keeps each session in one of three lists, so that no function has to visit all sessions:
///
///     unused   the client has sent nothing since `initialize`; oldest first
///     busy     a request runs or a stream is connected, or was at the last tick
///     idle     neither; the longest idle first
///
/// Not thread-safe. Every function takes constant time for each session that it returns.
template <class Session>
class HttpSessions {
 public:
    using Ptr = std::shared_ptr<Session>;
    enum class Place : std::uint8_t { unused, busy, idle };

    std::size_t size() const { return by_id_.size(); }
    const std::list<Ptr>& busy() const { return lists_[at(Place::busy)]; }

    /// Adds a session to the unused ones.
    void add(const Ptr& session) {
        auto& list = lists_[at(Place::unused)];
        by_id_.insert_or_assign(session->id(), Entry{list.insert(list.end(), session), Place::unused, round_});
    }
    Session* find(std::string_view id) const {
        const auto it = by_id_.find(id);
        return it == by_id_.end() ? nullptr : it->second.where->get();
    }
    /// Calls `use` with each session.
    template <class Use>
    void for_each(Use use) const {
        for (const auto& list : lists_)
            for (const Ptr& session : list) use(session);
    }
    /// Marks an idle session as busy, because of an event that its client did not cause. An unused session stays
    /// unused.
    void mark_busy(std::string_view id) {
        const auto it = by_id_.find(id);
        if (it != by_id_.end() && it->second.place == Place::idle) move(it->second, Place::busy);
    }
    /// Marks a session as busy, because its client has sent something, and returns it. Null when there is none.
    Ptr use(std::string_view id) {
        const auto it = by_id_.find(id);
        if (it == by_id_.end()) return nullptr;
        if (it->second.place != Place::busy) move(it->second, Place::busy);
        return *it->second.where;
    }
    /// Marks a busy session as idle.
    void mark_idle(std::string_view id) {
        const auto it = by_id_.find(id);
        if (it != by_id_.end() && it->second.place == Place::busy) move(it->second, Place::idle);
    }
    Ptr take_out(std::string_view id) {
        const auto it = by_id_.find(id);
        if (it == by_id_.end()) return nullptr;
        Ptr out = *it->second.where;
        lists_[at(it->second.place)].erase(it->second.where);
        by_id_.erase(it);
        return out;
    }
    /// Removes and returns a session that is not busy: the oldest unused one, or else the longest idle one. Returns
    /// null when all are busy.
    Ptr evict() {
        for (const Place place : {Place::unused, Place::idle})
            if (const auto& list = lists_[at(place)]; !list.empty()) return take_out(std::string(list.front()->id()));
        return nullptr;
    }
    /// Removes and returns the first session of a list if it was last used at `when` or before; otherwise returns null.
    Ptr take_expired(Place place, TimePoint when) {
        const auto& list = lists_[at(place)];
        if (list.empty() || list.front()->last_used() > when) return nullptr;
        return take_out(std::string(list.front()->id()));
    }
    std::vector<Ptr> take_all() {
        std::vector<Ptr> out;
        for (auto& list : lists_) {
            out.insert(out.end(), list.begin(), list.end());
            list.clear();
        }
        by_id_.clear();
        return out;
    }

    /// Starts a round over the busy sessions. next_of_round() returns them a few at a time, so that a caller does not
    /// hold its lock for long.
    void begin_round() { ++round_; }
    /// Returns up to `most` busy sessions that this round has not returned yet; empty at the end of the round.
    std::vector<Ptr> next_of_round(std::size_t most) {
        std::vector<Ptr> out;
        auto& list = lists_[at(Place::busy)];
        while (out.size() < most && !list.empty()) {
            Entry& entry = by_id_.find(list.front()->id())->second;
            if (entry.round == round_) break;
            move(entry, Place::busy);
            out.push_back(list.back());
        }
        return out;
    }

 private:
    struct Entry {
        typename std::list<Ptr>::iterator where;
        Place place;
        std::uint64_t round;  // the last round that returned it, while it is busy
    };
    static std::size_t at(Place place) { return static_cast<std::size_t>(place); }
    void move(Entry& entry, Place to) {
        auto& list = lists_[at(to)];
        list.splice(list.end(), lists_[at(entry.place)], entry.where);
        entry.place = to;
        entry.round = round_;
    }

    base::StringMap<Entry> by_id_;
    std::list<Ptr> lists_[3];
    std::uint64_t round_ = 0;
};

}  // namespace tenon
