// The sessions of an HTTP endpoint, in the order in which they can be done without.
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

/// Keeps each session in one of three lists, so that nothing has to look at all of them:
///
///     unused   its client has sent nothing since `initialize`; oldest first
///     busy     something runs or is connected, or did when the clock was last looked at
///     idle     nothing does; the one that has been idle for longest first
///
/// Not thread-safe. Every function takes a constant number of steps for each session that it returns.
template <class Session>
class HttpSessions {
 public:
    using Ptr = std::shared_ptr<Session>;
    enum class Place : std::uint8_t { unused, busy, idle };

    std::size_t size() const { return by_id_.size(); }
    const std::list<Ptr>& busy() const { return lists_[at(Place::busy)]; }

    /// Begins as unused.
    void add(const Ptr& session) {
        auto& list = lists_[at(Place::unused)];
        by_id_.insert_or_assign(session->id(), Entry{list.insert(list.end(), session), Place::unused, round_});
    }
    Session* find(std::string_view id) const {
        const auto it = by_id_.find(id);
        return it == by_id_.end() ? nullptr : it->second.where->get();
    }
    /// Something happens in it, and not by its client: a session that was never used stays so.
    void stir(std::string_view id) {
        const auto it = by_id_.find(id);
        if (it != by_id_.end() && it->second.place == Place::idle) move(it->second, Place::busy);
    }
    /// Its client has sent something.
    Ptr use(std::string_view id) {
        const auto it = by_id_.find(id);
        if (it == by_id_.end()) return nullptr;
        if (it->second.place != Place::busy) move(it->second, Place::busy);
        return *it->second.where;
    }
    /// Nothing runs for it any more.
    void rest(std::string_view id) {
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
    /// Takes out the session that can best be done without, if there is one: the oldest that was never used, or the one
    /// that has been idle for longest.
    Ptr evict() {
        for (const Place place : {Place::unused, Place::idle})
            if (const auto& list = lists_[at(place)]; !list.empty()) return take_out(std::string(list.front()->id()));
        return nullptr;
    }
    /// Takes out the next session of a list that was last used at `when` or before.
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

    /// A round over the busy sessions, a few at a time, so that no lock is held for long.
    void begin_round() { ++round_; }
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
        std::uint64_t round;  // of the last look at it, while it is busy
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
