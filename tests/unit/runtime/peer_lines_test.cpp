#include "runtime/peer_lines.hpp"

#include <gtest/gtest.h>

#include <tenon/testing.hpp>

namespace tenon {
namespace {

using namespace std::chrono_literals;

const WallTime noon = std::chrono::system_clock::from_time_t(1'785'240'000);

// The limit PeerLines::max_lines.
TEST(PeerLines, a_peer_has_so_many_lines_in_a_period_and_the_rest_is_counted) {
    PeerLines lines;
    for (std::size_t i = 1; i <= PeerLines::max_lines; ++i) {
        const auto line = lines.count("a", noon);
        ASSERT_TRUE(line);
        EXPECT_EQ(line->is_last, i == PeerLines::max_lines);
    }
    for (int i = 0; i < 7; ++i) EXPECT_FALSE(lines.count("a", noon + 59s));
    EXPECT_TRUE(lines.count("b", noon)) << "another peer";
    const auto later = lines.count("a", noon + 60s);
    ASSERT_TRUE(later);
    EXPECT_EQ(later->skipped, 7U);
    EXPECT_EQ(lines.count("a", noon + 60s)->skipped, 0U);
}

// The limit PeerLines::max_peers.
TEST(PeerLines, peers_above_the_limit_share_their_lines_until_others_are_silent) {
    PeerLines lines;
    for (std::size_t i = 0; i < PeerLines::max_peers; ++i) lines.count("peer " + std::to_string(i), noon);
    std::size_t logged = 0;
    for (int i = 0; i < 500; ++i) logged += lines.count("more " + std::to_string(i), noon) ? 1U : 0U;
    EXPECT_EQ(logged, PeerLines::max_lines);
    logged = 0;
    for (int i = 0; i < 500; ++i) logged += lines.count("more " + std::to_string(i), noon + 2min) ? 1U : 0U;
    EXPECT_EQ(logged, 500U) << "the first peers are forgotten";
}

TEST(PeerLines, a_clock_that_is_set_back_silences_no_peer) {
    PeerLines lines;
    for (std::size_t i = 0; i <= PeerLines::max_lines; ++i) lines.count("a", noon);
    EXPECT_TRUE(lines.count("a", noon - 24h));
}

TEST(PeerLines, a_server_logs_only_some_of_many_refusals) {
    std::size_t lines = 0, notes = 0;
    WallTime now = noon;
    Server server("test", "1",
                  {.log =
                       [&](const LogRecord& r) {
                           ++lines;
                           for (const LogField& f : r.fields) notes += f.name == "note" ? 1U : 0U;
                       },
                   .wall_clock = [&] { return now; }});
    server.tool("t", "T", [] {});
    test_kit::Dialogue dialogue(server);
    const auto refuse = [&] { EXPECT_THROW(dialogue.call("missing"), Exception); };
    for (int i = 0; i < 200; ++i) refuse();
    EXPECT_EQ(lines, PeerLines::max_lines);
    EXPECT_EQ(notes, 1U) << "the last line says that it is the last";
    now += 2min;
    refuse();
    EXPECT_EQ(lines, PeerLines::max_lines + 1);
    EXPECT_EQ(notes, 2U) << "this one says how many were left out";
}

// Both have a level that the default log shows.
TEST(PeerLines, a_server_logs_only_some_of_the_warnings_and_exceptions_that_a_peer_causes) {
    std::size_t lines = 0;
    Server server("test", "1",
                  {.log = [&](const LogRecord& r) { lines += r.level >= LogLevel::warning ? 1U : 0U; },
                   .wall_clock = [] { return noon; }});
    server.tool("t", "T", [] { throw std::runtime_error("no"); });
    test_kit::Dialogue dialogue(server);
    for (int i = 0; i < 40; ++i) dialogue.notify("notifications/cancelled");  // without a requestId
    EXPECT_EQ(lines, 40U);
    for (int i = 0; i < 40; ++i) dialogue.call("t");
    EXPECT_EQ(lines, PeerLines::max_lines);
}

}  // namespace
}  // namespace tenon
