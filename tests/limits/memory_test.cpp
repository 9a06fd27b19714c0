// The memory budget, and the share of one peer. The budget counts the bytes, so the tests need no clock and no process.
#include "limits/endpoint_limit.hpp"

namespace tenon::test {
namespace {

struct MemoryLimit : EndpointLimit {
    static constexpr std::size_t mebibyte = 1024 * 1024;

    /// Starts calls with large arguments, which wait for the test, until one is refused. Returns the refusal.
    Sent fill(const std::string& who) {
        for (int i = 0; i < 1000; ++i) {
            const json::object arguments{{"message", std::string(20'000, 'x')}};
            const Sent sent = world->post_alone(tool_request(i, "keep", arguments, modern_meta()), from(who));
            world->run_all();
            if (sent.over()) return sent;
        }
        ADD_FAILURE() << "1000 calls of 20 kB were accepted";
        return {};
    }
    void release_all() {
        for (Held& one : std::exchange(held, {})) std::move(one.reply).send(std::string("done"));
    }
};

TEST_F(MemoryLimit, peer_memory_share) {
    start({.memory_budget = 8 * mebibyte, .peer_memory_share = mebibyte}, with_principals());
    expect_refused(fill("attacker"), 429, "Limits::peer_memory_share");
    EXPECT_LE(charged(), mebibyte);
    EXPECT_GT(held.size(), 10U);
    expect_served("innocent");
    release_all();
    EXPECT_EQ(charged(), 0U) << "answered calls are not charged";
    expect_served("attacker");
}

// Eight attackers want their whole share. The budget refuses them, and still has room for a small client.
TEST_F(MemoryLimit, memory_budget) {
    start({.memory_budget = 4 * mebibyte, .peer_memory_share = mebibyte}, with_principals());
    int without_room = 0;
    for (int i = 0; i < 8; ++i) {
        const Sent refused = fill("attacker" + std::to_string(i));
        if (refused.status() == 429) continue;
        expect_refused(refused, 503, "Limits::memory_budget");
        ++without_room;
    }
    EXPECT_GT(without_room, 0);
    EXPECT_LE(charged(), 4 * mebibyte);
    EXPECT_GT(charged(), 2 * mebibyte);
    expect_served("innocent");
    release_all();
}

}  // namespace
}  // namespace tenon::test
