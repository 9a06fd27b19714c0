// The sessions of an endpoint, in the order in which they are evicted.
#include "transport/http_server/sessions.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tenon {
namespace {

struct Named {
    std::string name;
    TimePoint when = {};
    const std::string& id() const { return name; }
    TimePoint last_used() const { return when; }
};
using Sessions = HttpSessions<Named>;
using Place = Sessions::Place;

struct SessionLists : testing::Test {
    SessionLists() {
        for (const char* name : {"a", "b", "c", "d"}) sessions.add(std::make_shared<Named>(Named{name}));
    }
    std::string evict() {
        const auto gone = sessions.evict();
        return gone ? gone->name : "";
    }
    Sessions sessions;
};

TEST_F(SessionLists, the_oldest_unused_session_is_evicted_first) {
    sessions.use("a");
    sessions.mark_idle("a");
    EXPECT_EQ(evict(), "b");
    EXPECT_EQ(evict(), "c");
    EXPECT_EQ(evict(), "d");
    EXPECT_EQ(evict(), "a");
    EXPECT_EQ(evict(), "");
    EXPECT_EQ(sessions.size(), 0U);
}

TEST_F(SessionLists, idle_sessions_are_evicted_in_the_order_they_became_idle) {
    for (const char* name : {"a", "b", "c", "d"}) sessions.use(name);
    for (const char* name : {"c", "a"}) sessions.mark_idle(name);
    EXPECT_EQ(evict(), "c");
    sessions.mark_busy("a");
    EXPECT_EQ(evict(), "") << "a busy session was evicted";
}

TEST_F(SessionLists, mark_busy_leaves_an_unused_session_unused) {
    sessions.mark_busy("a");
    EXPECT_TRUE(sessions.busy().empty());
    sessions.mark_idle("a");
    EXPECT_EQ(evict(), "a");
}

TEST_F(SessionLists, a_round_visits_each_busy_session_once) {
    for (const char* name : {"a", "b", "c"}) sessions.use(name);
    for (int round = 0; round < 3; ++round) {
        sessions.begin_round();
        std::string seen;
        for (auto some = sessions.next_of_round(2); !some.empty(); some = sessions.next_of_round(2)) {
            EXPECT_LE(some.size(), 2U);
            for (const auto& session : some) seen += session->name;
            sessions.use("d");  // a session that becomes busy during a round waits for the next round
        }
        std::ranges::sort(seen);
        EXPECT_EQ(seen, round == 0 ? "abc" : "abcd");
    }
}

TEST_F(SessionLists, only_sessions_unused_for_long_expire) {
    sessions.find("a")->when = TimePoint(Duration(5));
    sessions.find("b")->when = TimePoint(Duration(7));
    EXPECT_EQ(sessions.take_expired(Place::unused, TimePoint(Duration(4))), nullptr);
    EXPECT_EQ(sessions.take_expired(Place::unused, TimePoint(Duration(5)))->name, "a");
    EXPECT_EQ(sessions.take_expired(Place::unused, TimePoint(Duration(5))), nullptr);
    EXPECT_EQ(sessions.take_expired(Place::idle, TimePoint::max()), nullptr);
}

}  // namespace
}  // namespace tenon
