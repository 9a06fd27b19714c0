// Distributes the work of many peers fairly to a fixed number of threads. Has no threads and no lock of its own: the
// owner reports when a thread takes work and when it has finished.
#pragma once

#include <atomic>
#include <boost/intrusive/list.hpp>
#include <boost/intrusive/slist.hpp>
#include <cstddef>
#include <memory>
#include <utility>

namespace tenon::base {

/// How peers share the threads.
struct FairShares {
    std::size_t threads = 1;       ///< the most threads that run work at once
    std::size_t max_per_peer = 1;  ///< the most threads that one peer may hold
    std::size_t reserve = 0;       ///< of `threads`: given only to peers that hold no thread
};

/// A queue with one list of waiting work for each peer.
///
/// Peers that hold no thread come first, in turn. Then the other peers get free threads, in turn. So a peer that holds
/// no thread gets one at once, or is among the next to get one. To hold every thread, more than `reserve` peers are
/// needed.
///
/// Every operation except clear() takes constant time, allocates nothing and does not throw.
template <class T>
class FairQueue {
 public:
    class Peer;
    using PeerPtr = std::shared_ptr<Peer>;
    /// One piece of work. Keeps its peer alive.
    struct Item : boost::intrusive::slist_base_hook<> {
        Item(PeerPtr whose, T what) : peer(std::move(whose)), value(std::move(what)) {}
        const PeerPtr peer;
        T value;
    };
    using ItemPtr = std::unique_ptr<Item>;

    /// The state of one peer in one queue.
    class Peer : public boost::intrusive::list_base_hook<> {
     public:
        /// Counts one more piece of waiting work, before it is pushed. Returns false when `max` pieces wait already.
        /// Thread-safe.
        bool claim(std::size_t max) noexcept {
            if (claimed_.fetch_add(1, std::memory_order_relaxed) < max) return true;
            unclaim();
            return false;
        }
        void unclaim() noexcept { claimed_.fetch_sub(1, std::memory_order_relaxed); }
        std::size_t held() const noexcept { return held_; }

     private:
        friend FairQueue;
        enum class Place { nowhere, holds_none, holds_some, holds_all_it_may };
        boost::intrusive::slist<Item, boost::intrusive::cache_last<true>, boost::intrusive::constant_time_size<false>>
            waiting_;
        std::atomic<std::size_t> claimed_{0};
        std::size_t held_ = 0;  // threads
        Place place_ = Place::nowhere;
    };

    explicit FairQueue(FairShares shares) : shares_(shares) {}
    ~FairQueue() {
        clear([](ItemPtr) {});
    }
    FairQueue(const FairQueue&) = delete;
    FairQueue& operator=(const FairQueue&) = delete;

    void push(ItemPtr item) noexcept {
        Peer& peer = *item->peer;
        peer.waiting_.push_back(*item.release());
        ++waiting_;
        if (peer.place_ == Peer::Place::nowhere) put(peer);
    }
    /// Returns whether there is work that a thread may take now.
    bool ready() const noexcept {
        if (running_ >= shares_.threads) return false;
        return !holds_none_.empty() || (!holds_some_.empty() && shares_.threads - running_ > shares_.reserve);
    }
    /// Returns the number of threads that hold work.
    std::size_t running() const noexcept { return running_; }
    /// Returns the number of items that wait for a thread.
    std::size_t waiting() const noexcept { return waiting_; }
    /// Returns work for a thread, which holds it until done(). Call only when ready().
    ItemPtr take() noexcept {
        PeerList& from = holds_none_.empty() ? holds_some_ : holds_none_;
        Peer& peer = from.front();
        from.pop_front();
        ItemPtr item(&peer.waiting_.front());
        peer.waiting_.pop_front();
        peer.unclaim();
        --waiting_;
        ++peer.held_;
        ++running_;
        put(peer);
        return item;
    }
    /// Reports that a thread has finished work of this peer.
    void done(Peer& peer) noexcept {
        --running_;
        --peer.held_;
        const auto place = place_of(peer);
        if (place == peer.place_) return;
        if (peer.place_ != Peer::Place::nowhere) list_of(peer.place_).erase(PeerList::s_iterator_to(peer));
        put(peer);
    }
    /// Returns some waiting work that will not run, or null.
    ItemPtr drop_one() noexcept {
        for (PeerList* list : {&holds_none_, &holds_some_, &holds_all_it_may_}) {
            if (list->empty()) continue;
            Peer& peer = list->front();
            list->pop_front();
            ItemPtr item(&peer.waiting_.front());
            peer.waiting_.pop_front();
            peer.unclaim();
            --waiting_;
            put(peer);
            return item;
        }
        return nullptr;
    }
    /// Passes all waiting work to `drop`.
    template <class Drop>
    void clear(Drop drop) {
        for (PeerList* list : {&holds_none_, &holds_some_, &holds_all_it_may_})
            while (!list->empty()) clear_first(*list, drop);
    }

 private:
    using PeerList = boost::intrusive::list<Peer, boost::intrusive::constant_time_size<false>>;

    typename Peer::Place place_of(const Peer& peer) const noexcept {
        if (peer.waiting_.empty()) return Peer::Place::nowhere;
        if (peer.held_ == 0) return Peer::Place::holds_none;
        return peer.held_ < shares_.max_per_peer ? Peer::Place::holds_some : Peer::Place::holds_all_it_may;
    }
    PeerList& list_of(typename Peer::Place place) noexcept {
        if (place == Peer::Place::holds_none) return holds_none_;
        return place == Peer::Place::holds_some ? holds_some_ : holds_all_it_may_;
    }
    // Appends the peer to the list of its state. It must not be in a list.
    void put(Peer& peer) noexcept {
        peer.place_ = place_of(peer);
        if (peer.place_ != Peer::Place::nowhere) list_of(peer.place_).push_back(peer);
    }
    template <class Drop>
    void clear_first(PeerList& list, Drop& drop) {
        Peer& peer = list.front();
        list.pop_front();
        peer.place_ = Peer::Place::nowhere;
        while (!peer.waiting_.empty()) {
            ItemPtr item(&peer.waiting_.front());
            const bool last = (peer.waiting_.pop_front(), peer.waiting_.empty());
            peer.unclaim();
            --waiting_;
            drop(std::move(item));  // the last item may be the only owner of the peer
            if (last) return;
        }
    }

    const FairShares shares_;
    std::size_t waiting_ = 0;                              // items of all peers
    std::size_t running_ = 0;                              // threads that hold work
    PeerList holds_none_, holds_some_, holds_all_it_may_;  // the peers that have waiting work
};

}  // namespace tenon::base
