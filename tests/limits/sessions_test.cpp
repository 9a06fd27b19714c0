// The limits of sessions, of their streams and of the events that they store.
#include "limits/endpoint_limit.hpp"

namespace tenon::test {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

// Sessions in use are never ended for a new one.
TEST_F(EndpointLimit, max_sessions) {
    HttpWorld& w = start({.max_sessions = 3});
    const std::string other = w.begin();
    std::vector<Sent> running;
    running.push_back(w.post(tool_request(1, "hold"), w.in_session(other)));
    for (int i = 0; i < 2; ++i) running.push_back(w.post(tool_request(1, "hold"), w.in_session(w.begin())));
    w.run_all();
    const Sent refused = w.post(initialize_request("2025-11-25"));
    EXPECT_EQ(refused.status(), 503);
    EXPECT_TRUE(says(refused, "the limit is 3")) << why(refused);
    EXPECT_EQ(w.endpoint->sessions(), 3U);
    for (const Sent& one : running) EXPECT_FALSE(one.over());
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, max_sessions_per_peer) {
    HttpWorld& w = start({.max_sessions_per_peer = 2}, with_principals());
    for (int i = 0; i < 2; ++i) EXPECT_NE(w.begin("2025-11-25", {}, from("attacker")), "");
    expect_refused(w.post(initialize_request("2025-11-25"), from("attacker")), 429, "Limits::max_sessions_per_peer");
    EXPECT_EQ(w.endpoint->sessions(), 2U);
    EXPECT_NE(w.begin("2025-11-25", {}, from("innocent")), "");
    expect_served("innocent");
}

TEST_F(EndpointLimit, max_sessions_per_connection) {
    HttpWorld& w = start({.max_sessions_per_connection = 2});
    HttpPeerPtr attacker;
    w.connection = &attacker;
    for (int i = 0; i < 2; ++i) EXPECT_NE(w.begin(), "");
    expect_refused(w.post(initialize_request("2025-11-25")), 429, "Limits::max_sessions_per_connection");
    w.connection = nullptr;
    const std::string other = w.begin();
    EXPECT_NE(other, "");
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, unused_session_time) {
    HttpWorld& w = start({.unused_session_time = seconds(60)});
    w.post(initialize_request("2025-11-25"));
    const std::string other = w.begin();
    EXPECT_EQ(w.post(request(1, "ping"), w.in_session(other)).status(), 200);
    w.advance(seconds(59));
    EXPECT_EQ(w.endpoint->sessions(), 2U);
    w.advance(seconds(2));
    EXPECT_EQ(w.endpoint->sessions(), 1U);
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, max_listeners_per_peer) {
    HttpWorld& w = start({.max_listeners_per_peer = 2}, with_principals());
    const json::object listen =
        request(1, "subscriptions/listen",
                {{"notifications", json::object{{"toolsListChanged", true}}}, {"_meta", modern_meta()}});
    std::vector<Sent> open;
    for (int i = 0; i < 2; ++i) {
        open.push_back(w.post_alone(listen, from("attacker")));
        EXPECT_FALSE(open.back().over());
    }
    expect_refused(w.post_alone(listen, from("attacker")), 429, "Limits::max_listeners_per_peer");
    EXPECT_FALSE(w.post_alone(listen, from("innocent")).over());
    expect_served("innocent");
}

TEST_F(EndpointLimit, max_streams_per_session) {
    HttpWorld& w = start({.max_streams_per_session = 2});
    const std::string session = w.begin(), other = w.begin();
    for (int i = 0; i < 2; ++i) w.post(tool_request(i, "hold"), w.in_session(session));
    for (const Sent& refused : {w.post(tool_request(3, "hold"), w.in_session(session)), w.listen(session)}) {
        EXPECT_EQ(refused.status(), 429);
        EXPECT_TRUE(says(refused, "the limit is 2")) << why(refused);
    }
    expect_others_are_served(other);
}

// The oldest events are dropped, and the newest event is kept.
TEST_F(EndpointLimit, max_stored_event_bytes) {
    HttpWorld& w = start({.max_stored_event_bytes = 2000});
    const std::string session = w.begin(), other = w.begin();
    w.post(subscription("note://a"), w.in_session(session));
    for (int i = 0; i < 1000; ++i) server->resource_updated("note://a");
    const Sent listener = w.listen(session);
    std::size_t bytes = 0;
    for (const std::string& message : listener.writer->messages()) bytes += message.size();
    EXPECT_GT(bytes, 0U);
    EXPECT_LE(bytes, 2000U);
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, session_idle_time) {
    HttpWorld& w = start({.session_idle_time = minutes(15)});
    const std::string session = w.begin(), other = w.begin();
    for (const std::string& id : {session, other})  // both have been used
        EXPECT_EQ(w.post(request(1, "ping"), w.in_session(id)).status(), 200);
    w.advance(minutes(10));
    EXPECT_EQ(w.post(request(2, "ping"), w.in_session(other)).status(), 200);
    w.advance(minutes(6));
    EXPECT_EQ(w.post(request(3, "ping"), w.in_session(session)).status(), 404);
    EXPECT_EQ(w.endpoint->sessions(), 1U);
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, stream_keep_alive) {
    HttpWorld& w = start({.stream_keep_alive = seconds(5)});
    const std::string session = w.begin(), other = w.begin();
    const Sent listener = w.listen(session);
    w.advance(seconds(1));
    const int before = listener.writer->comments;
    w.advance(seconds(4));
    EXPECT_EQ(listener.writer->comments, before);
    w.advance(seconds(1));
    EXPECT_EQ(listener.writer->comments, before + 1);
    expect_others_are_served(other);
}

}  // namespace
}  // namespace tenon::test
