// What must hold once the budgets of issue 14 are in. Each test is skipped and says which fix it waits for; take the
// skip away together with that fix. Limits whose names are not known yet get tests of their own then: limits.sh asks.
#include "integration/http_fixture.hpp"
#include "limits/endpoint_limit.hpp"

namespace tenon::test {
namespace {

using std::chrono::seconds;

using PendingFix = EndpointLimit;

TEST_F(PendingFix, a_session_that_is_never_used_is_ended_after_a_minute) {
    GTEST_SKIP() << "waits for: sessions never used after initialize expire after one minute";
    HttpWorld& w = start({});
    w.post(initialize_request("2025-11-25"));
    const std::string used = w.begin();
    EXPECT_EQ(w.post(request(1, "ping"), w.in_session(used)).status(), 200);
    w.advance(seconds(61));
    EXPECT_EQ(w.endpoint->sessions(), 1U);
    expect_others_are_served(used);
}

TEST_F(PendingFix, the_oldest_unused_session_makes_room_for_a_new_client) {
    GTEST_SKIP() << "waits for: the oldest unused session is evicted before a new client is refused";
    HttpWorld& w = start({.max_sessions = 3});
    const std::string used = w.begin();
    EXPECT_EQ(w.post(request(1, "ping"), w.in_session(used)).status(), 200);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(w.post(initialize_request("2025-11-25")).status(), 200) << i;
    EXPECT_LE(w.endpoint->sessions(), 3U);
    expect_others_are_served(used);
}

TEST_F(PendingFix, an_id_of_more_than_1_kib_is_refused) {
    GTEST_SKIP() << "waits for: ids and progress tokens are at most 1 KiB";
    HttpWorld& w = start({});
    const std::string session = w.begin(), id(2000, 'i');
    const Sent refused = w.post(request(json::value(std::string_view(id)), "ping"), w.in_session(session));
    EXPECT_NE(refused.error(), 0);
    EXPECT_LT(refused.exchange->response.body.size(), 1000U) << "and is not repeated";
    expect_others_are_served(session);
}

TEST_F(PendingFix, a_progress_token_of_more_than_1_kib_is_refused) {
    GTEST_SKIP() << "waits for: ids and progress tokens are at most 1 KiB";
    HttpWorld& w = start({});
    const std::string session = w.begin(), token(2000, 't');
    const Sent refused =
        w.post(tool_request(1, "echo", {{"message", "x"}}, {{"progressToken", std::string_view(token)}}),
               w.in_session(session));
    w.run_all();
    EXPECT_NE(refused.error(), 0);
    expect_others_are_served(session);
}

TEST_F(PendingFix, a_uri_of_more_than_8_kib_is_refused) {
    GTEST_SKIP() << "waits for: URIs are at most 8 KiB";
    HttpWorld& w = start({});
    const std::string session = w.begin(), uri = "note://" + std::string(9000, 'u');
    for (const char* method : {"resources/read", "resources/subscribe"})
        EXPECT_NE(w.post(request(1, method, {{"uri", uri}}), w.in_session(session)).error(), 0) << method;
    expect_others_are_served(session);
}

TEST_F(PendingFix, a_client_that_says_more_than_64_kib_about_itself_is_refused) {
    GTEST_SKIP() << "waits for: clientInfo and capabilities are at most 64 KiB together";
    HttpWorld& w = start({});
    const std::string other = w.begin(), text(70'000, 'c');
    const json::object large{{"experimental", json::object{{"x", json::object{{"y", text}}}}}};
    const Sent refused = w.post(initialize_request("2025-11-25", large));
    EXPECT_NE(refused.error(), 0);
    EXPECT_EQ(w.endpoint->sessions(), 1U);
    const Sent alone = w.post_alone(tool_request(1, "echo", {{"message", "x"}}, modern_meta(large)));
    w.run_all();
    EXPECT_NE(alone.error(), 0);
    expect_others_are_served(other);
}

struct PendingSocketFix : HttpIntegration {};

// The slow calls of one client take every worker there is, and wait for the test.
TEST_F(PendingSocketFix, slow_calls_of_one_client_leave_a_worker_to_another) {
    GTEST_SKIP() << "waits for: a share of the workers for each peer";
    start({.max_workers = 4});
    std::list<HttpClient> slow;
    HttpClient first = connect();
    const std::string session = begin(first);
    for (int i = 0; i < 20; ++i) {
        slow.push_back(connect());
        slow.back().send(post_bytes(call_body("wait", "{}", std::to_string(i)), in_session(session)));
    }
    ASSERT_TRUE(seen.wait_for("waiting"));
    for (int i = 0; i < 20; ++i) expect_alive();
    seen.count("go");
    for (HttpClient& client : slow) EXPECT_EQ(text_of(client.reply()), "went");
}

}  // namespace
}  // namespace tenon::test
