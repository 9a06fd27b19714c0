// How the work of several peers is divided among threads. FairQueue is a pure data structure, and the test plays the
// threads.
#include "base/fair_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <vector>

namespace tenon::base {
namespace {

using Queue = FairQueue<int>;

Queue::ItemPtr item(const Queue::PeerPtr& peer, int value = 0) {
    EXPECT_TRUE(peer->claim(SIZE_MAX));
    return std::make_unique<Queue::Item>(peer, value);
}

// Takes work until the queue is not ready. Returns the number of pieces, as if no piece ever ended.
std::size_t take_all(Queue& queue, std::vector<Queue::ItemPtr>& running) {
    std::size_t taken = 0;
    for (; queue.ready(); ++taken) running.push_back(queue.take());
    return taken;
}

TEST(FairQueue, without_a_reserve_one_peer_may_hold_every_thread) {
    Queue queue({.threads = 64, .max_per_peer = 64});
    const auto peer = std::make_shared<Queue::Peer>();
    for (int i = 0; i < 100; ++i) queue.push(item(peer, i));
    std::vector<Queue::ItemPtr> running;
    EXPECT_EQ(take_all(queue, running), 64U);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(running[static_cast<std::size_t>(i)]->value, i);
}

TEST(FairQueue, a_peer_without_a_thread_is_served_before_64_slow_calls_of_another) {
    Queue queue({.threads = 64, .max_per_peer = 48, .reserve = 16});
    const auto slow = std::make_shared<Queue::Peer>();
    const auto quick = std::make_shared<Queue::Peer>();
    for (int i = 0; i < 64; ++i) queue.push(item(slow));
    std::vector<Queue::ItemPtr> running;
    EXPECT_EQ(take_all(queue, running), 48U);
    queue.push(item(quick));
    ASSERT_TRUE(queue.ready());
    EXPECT_EQ(queue.take()->peer, quick) << "a slow call was served before the quick peer";
}

TEST(FairQueue, the_reserve_is_only_for_peers_that_hold_no_thread) {
    Queue queue({.threads = 8, .max_per_peer = 6, .reserve = 2});
    const std::array peers = {std::make_shared<Queue::Peer>(), std::make_shared<Queue::Peer>(),
                              std::make_shared<Queue::Peer>(), std::make_shared<Queue::Peer>()};
    for (const auto& peer : peers)
        for (int i = 0; i < 10; ++i) queue.push(item(peer));
    std::vector<Queue::ItemPtr> running;
    EXPECT_EQ(take_all(queue, running), 6U) << "two threads are reserved";
    const auto newcomer = std::make_shared<Queue::Peer>();
    for (int i = 0; i < 10; ++i) queue.push(item(newcomer));
    EXPECT_EQ(take_all(queue, running), 1U);
    EXPECT_EQ(running.back()->peer, newcomer);
}

TEST(FairQueue, a_free_thread_goes_first_to_a_peer_that_holds_none) {
    Queue queue({.threads = 2, .max_per_peer = 2});
    const auto greedy = std::make_shared<Queue::Peer>();
    const auto other = std::make_shared<Queue::Peer>();
    for (int i = 0; i < 10; ++i) queue.push(item(greedy));
    std::vector<Queue::ItemPtr> running;
    EXPECT_EQ(take_all(queue, running), 2U);
    queue.push(item(other));
    queue.done(*greedy);
    ASSERT_TRUE(queue.ready());
    EXPECT_EQ(queue.take()->peer, other);
}

TEST(FairQueue, the_number_of_waiting_pieces_per_peer_is_limited) {
    Queue::Peer peer;
    EXPECT_TRUE(peer.claim(2));
    EXPECT_TRUE(peer.claim(2));
    EXPECT_FALSE(peer.claim(2));
    peer.unclaim();
    EXPECT_TRUE(peer.claim(2));
}

TEST(FairQueue, work_that_was_taken_does_not_count_as_waiting) {
    Queue queue({.threads = 1, .max_per_peer = 1});
    const auto peer = std::make_shared<Queue::Peer>();
    ASSERT_TRUE(peer->claim(1));
    queue.push(std::make_unique<Queue::Item>(peer, 1));
    EXPECT_FALSE(peer->claim(1));
    const auto taken = queue.take();
    EXPECT_TRUE(peer->claim(1));
}

TEST(FairQueue, clearing_returns_all_waiting_work) {
    Queue queue({.threads = 1, .max_per_peer = 1});
    std::weak_ptr<Queue::Peer> gone;
    {
        const auto one = std::make_shared<Queue::Peer>();
        const auto two = std::make_shared<Queue::Peer>();
        gone = two;
        for (int i = 0; i < 3; ++i) queue.push(item(one, i)), queue.push(item(two, i));
    }
    const auto running = queue.take();
    std::size_t dropped = 0;
    queue.clear([&dropped](const Queue::ItemPtr&) { ++dropped; });
    EXPECT_EQ(dropped, 5U);
    EXPECT_TRUE(gone.expired()) << "the queue keeps a peer that has no work left";
    EXPECT_FALSE(queue.ready());
}

// Drives a queue through any sequence of steps, and checks each take against the rules.
class Checked {
 public:
    Checked(FairShares shares, std::size_t peers) : shares_(shares), queue_(shares) {
        for (std::size_t i = 0; i < peers; ++i) peers_.push_back(std::make_shared<Queue::Peer>());
        waiting_.resize(peers);
        held_.resize(peers);
        passed_.resize(peers);
    }
    void push(std::size_t p) {
        waiting_[p].push_back(next_);
        queue_.push(item(peers_[p], next_++));
        if (waiting_[p].size() == 1) passed_[p].clear();
        check_ready();
    }
    void take() {
        if (!queue_.ready()) return;
        auto taken = queue_.take();
        const auto p = static_cast<std::size_t>(std::ranges::find(peers_, taken->peer) - peers_.begin());
        RC_ASSERT(taken->value == waiting_[p].front());
        RC_ASSERT(held_[p] == 0 || !some_waiting_peer_holds_none());
        RC_ASSERT(held_[p] == 0 || shares_.threads - running_.size() > shares_.reserve);
        count_passed_over(p);
        waiting_[p].pop_front();
        ++held_[p];
        passed_[p].clear();
        running_.push_back(std::move(taken));
        RC_ASSERT(running_.size() <= shares_.threads);
        RC_ASSERT(held_[p] <= shares_.max_per_peer);
        check_ready();
    }
    void done(std::size_t which) {
        if (running_.empty()) return;
        const auto it = running_.begin() + static_cast<std::ptrdiff_t>(which % running_.size());
        const auto p = static_cast<std::size_t>(std::ranges::find(peers_, (*it)->peer) - peers_.begin());
        queue_.done(*(*it)->peer);
        running_.erase(it);
        if (--held_[p] == 0) passed_[p].clear();  // the peer now waits among the peers without a thread
        if (held_[p] + 1 == shares_.max_per_peer) passed_[p].clear();
        check_ready();
    }
    void serve_everything() {
        for (std::size_t left = 10'000; left > 0 && (queue_.ready() || !running_.empty()); --left)
            queue_.ready() ? take() : done(0);
        for (const auto& waiting : waiting_) RC_ASSERT(waiting.empty());
    }

 private:
    bool may_take(std::size_t p) const {
        if (waiting_[p].empty() || running_.size() >= shares_.threads) return false;
        if (held_[p] == 0) return true;
        return held_[p] < shares_.max_per_peer && shares_.threads - running_.size() > shares_.reserve;
    }
    void check_ready() const {
        bool any = false;
        for (std::size_t p = 0; p < peers_.size(); ++p) any = any || may_take(p);
        RC_ASSERT(queue_.ready() == any);
    }
    bool some_waiting_peer_holds_none() const {
        for (std::size_t p = 0; p < peers_.size(); ++p)
            if (!waiting_[p].empty() && held_[p] == 0) return true;
        return false;
    }
    // While a peer keeps its position, the same other peer may overtake it at most once.
    void count_passed_over(std::size_t by) {
        for (std::size_t p = 0; p < peers_.size(); ++p) {
            if (p == by || !may_take(p) || (held_[p] == 0) != (held_[by] == 0)) continue;
            RC_ASSERT(++passed_[p][by] <= 1);
        }
    }

    const FairShares shares_;
    Queue queue_;
    std::vector<Queue::PeerPtr> peers_;
    std::vector<std::deque<int>> waiting_;
    std::vector<std::size_t> held_;
    std::vector<std::map<std::size_t, int>> passed_;  // overtakings by each peer since its position changed
    std::vector<Queue::ItemPtr> running_;
    int next_ = 0;
};

TEST(FairQueue, no_waiting_peer_is_overtaken_twice_by_the_same_peer) {
    EXPECT_TRUE(rc::check("the rule holds for any sequence of steps", [] {
        const auto threads = *rc::gen::inRange<std::size_t>(1, 8);
        const auto most = *rc::gen::inRange<std::size_t>(1, threads + 1);
        const auto reserve = *rc::gen::inRange<std::size_t>(0, threads - most + 1);
        const auto peers = *rc::gen::inRange<std::size_t>(1, 6);
        Checked checked({threads, most, reserve}, peers);
        const auto steps = *rc::gen::container<std::vector<std::pair<int, std::size_t>>>(
            rc::gen::pair(rc::gen::inRange(0, 3), rc::gen::inRange<std::size_t>(0, 100)));
        for (const auto& [what, which] : steps) {
            if (what == 0) checked.push(which % peers);
            if (what == 1) checked.take();
            if (what == 2) checked.done(which);
        }
        checked.serve_everything();
    }));
}

}  // namespace
}  // namespace tenon::base
