// The key ring: which key seals, which keys open, when a key comes and when it goes.
#include "jose/key_ring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace tenon::jose {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr RingTimes times{hours(24), minutes(10)};
constexpr RingTime beginning = hours(24 * 365);

SealKey secret_of(std::uint8_t n) {
    SealKey key{};
    key[31] = n;
    return key;
}

KeyRing first_ring() { return KeyRing().rotated(beginning, times, 1, secret_of(1)); }

TEST(KeyRing, the_first_key_seals_at_once) {
    EXPECT_TRUE(KeyRing().rotation_due(beginning, times));
    const KeyRing ring = first_ring();
    EXPECT_EQ(ring.sealing(beginning).id, 1U);
    EXPECT_EQ(ring.sealing(beginning - hours(1)).id, 1U) << "also for a node whose clock is slow";
    EXPECT_FALSE(ring.rotation_due(beginning + hours(24) - milliseconds(1), times));
    EXPECT_TRUE(ring.rotation_due(beginning + hours(24), times));
}

TEST(KeyRing, a_new_key_is_published_before_it_seals) {
    const RingTime then = beginning + hours(24);
    const KeyRing ring = first_ring().rotated(then, times, 2, secret_of(2));
    EXPECT_EQ(times.lead(), minutes(10));
    EXPECT_EQ(ring.sealing(then + times.lead() - milliseconds(1)).id, 1U);
    EXPECT_EQ(ring.sealing(then + times.lead()).id, 2U);
    ASSERT_TRUE(ring.find(1));
    EXPECT_EQ(ring.find(2)->secret, secret_of(2));
    EXPECT_FALSE(ring.find(3));
}

TEST(KeyRing, an_old_key_goes_when_all_that_it_sealed_has_expired) {
    KeyRing ring = first_ring();
    const RingTime second = beginning + hours(24);
    ring = ring.rotated(second, times, 2, secret_of(2));
    const RingTime end = second + times.lead() + times.lifetime + times.rotation;
    EXPECT_TRUE(ring.rotated(end, times, 3, secret_of(3)).find(1));
    EXPECT_FALSE(ring.rotated(end + milliseconds(1), times, 3, secret_of(3)).find(1));
    EXPECT_TRUE(ring.rotated(end + hours(999), times, 3, secret_of(3)).find(2)) << "it seals until the third key does";
}

TEST(KeyRing, a_full_ring_gets_no_new_key_until_it_may_drop_one) {
    const RingTimes long_lived{minutes(1), hours(24)};
    KeyRing ring;
    RingTime now = beginning;
    std::uint32_t id = 0;
    while (ring.keys().size() < KeyRing::max_keys) {
        ASSERT_TRUE(ring.rotation_due(now, long_lived));
        ring = ring.rotated(now, long_lived, ++id, secret_of(1));
        now += minutes(1);
    }
    EXPECT_FALSE(ring.rotation_due(now + hours(12), long_lived));
    EXPECT_TRUE(ring.rotation_due(now + hours(25), long_lived));
    EXPECT_LE(ring.rotated(now + hours(25), long_lived, ++id, secret_of(1)).keys().size(), KeyRing::max_keys);
}

TEST(KeyRing, a_lost_ring_still_opens_after_another_one_took_its_place) {
    const KeyRing old = first_ring(), other = KeyRing().rotated(beginning, times, 9, secret_of(9));
    const KeyRing merged = other.replacing(old);
    EXPECT_TRUE(merged.find(1));
    EXPECT_EQ(merged.sealing(beginning + hours(1)).id, 9U);
    EXPECT_EQ(merged.encode(), other.encode()) << "the other nodes do not get them";
    EXPECT_TRUE(other.rotated(beginning + hours(24), times, 10, secret_of(10)).replacing(merged).find(1));
    EXPECT_EQ(merged.all().size(), 2U);

    const KeyRing next = old.rotated(beginning + hours(24), times, 2, secret_of(2));
    EXPECT_EQ(next.replacing(old).all().size(), 2U) << "a key in common: nothing was lost";
}

TEST(KeyRing, derived_keys_differ_by_purpose_and_secret) {
    EXPECT_NE(state_key_of(secret_of(1)), state_key_of(secret_of(2)));
    EXPECT_NE(state_key_of(secret_of(1)), nonce_key_of(secret_of(1)));
    EXPECT_NE(state_key_of(secret_of(1)), secret_of(1));
    const base::SipKey cursor = cursor_key_of(secret_of(1));
    EXPECT_FALSE(std::equal(cursor.begin(), cursor.end(), state_key_of(secret_of(1)).begin()));
}

TEST(KeyRing, a_state_names_its_key) {
    const std::string text = with_key_id(0x2a, "abc");
    EXPECT_EQ(text, "k0000002a.abc");
    EXPECT_EQ(split_key_id(text)->id, 0x2aU);
    EXPECT_EQ(split_key_id(text)->sealed, "abc");
    EXPECT_EQ(split_key_id(with_key_id(0xffffffff, ""))->id, 0xffffffffU);
    for (const char* wrong : {"", "k", "k0000002a", "x0000002a.abc", "k0000002.abc", "k000002ag.abc", "k+000002a.abc"})
        EXPECT_FALSE(split_key_id(wrong)) << wrong;
}

RC_GTEST_PROP(KeyRing, is_read_as_it_was_written, ()) {
    KeyRing ring;
    RingTime now = beginning;
    const int keys = *rc::gen::inRange(1, 40);
    for (int i = 0; i < keys; ++i) {
        now += seconds(*rc::gen::inRange(0, 1'000'000));
        ring = ring.rotated(now, times, *rc::gen::arbitrary<std::uint32_t>(),
                            secret_of(*rc::gen::arbitrary<std::uint8_t>()));
    }
    const auto read = KeyRing::decode(ring.encode());
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->keys() == ring.keys());
}

RC_GTEST_PROP(KeyRing, a_changed_ring_is_refused, ()) {
    const std::string good = first_ring().rotated(beginning + hours(24), times, 2, secret_of(2)).encode();
    std::string bad = good;
    const auto at = *rc::gen::inRange<std::size_t>(0, bad.size());
    switch (*rc::gen::inRange(0, 3)) {
        case 0: bad[at] = static_cast<char>(bad[at] ^ (1 << *rc::gen::inRange(0, 8))); break;
        case 1: bad.resize(at); break;
        default: bad.insert(at, 1, *rc::gen::arbitrary<char>());
    }
    RC_PRE(bad != good);
    RC_ASSERT(!KeyRing::decode(bad));
}

// Several nodes read the ring at random times, but each at least every refresh(). Then every node knows the key with
// which any other node seals, and what was sealed opens everywhere until it expires.
RC_GTEST_PROP(KeyRing, every_node_opens_what_any_node_has_sealed, ()) {
    const RingTimes t{minutes(*rc::gen::inRange(1, 300)), minutes(*rc::gen::inRange(1, 300))};
    struct Node {
        KeyRing ring;
        RingTime read;
    };
    KeyRing stored = KeyRing().rotated(beginning, t, 0, secret_of(0));
    std::vector<Node> nodes(3, Node{stored, beginning});
    std::multimap<RingTime, std::uint32_t> sealed;  // by expiry
    RingTime now = beginning;
    for (std::uint32_t step = 1; step < 500; ++step) {
        now += RingTime(*rc::gen::inRange<std::int64_t>(0, t.refresh().count() + 1));
        for (Node& node : nodes) {
            if (now - node.read < t.refresh() / 2 && *rc::gen::arbitrary<bool>()) continue;
            if (stored.rotation_due(now, t)) stored = stored.rotated(now, t, step, secret_of(1));
            node = {stored.replacing(node.ring), now};
        }
        for (const Node& node : nodes) sealed.emplace(now + t.lifetime, node.ring.sealing(now).id);
        sealed.erase(sealed.begin(), sealed.lower_bound(now));
        std::set<std::uint32_t> open_keys;
        for (const auto& one : sealed) open_keys.insert(one.second);
        for (const Node& node : nodes)
            for (const std::uint32_t id : open_keys) RC_ASSERT(node.ring.find(id) != nullptr);
    }
}

}  // namespace
}  // namespace tenon::jose
