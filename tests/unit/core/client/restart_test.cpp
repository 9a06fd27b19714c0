// A server that died and is started again, and pings of a silent server.
#include <gtest/gtest.h>

#include "support/client_world.hpp"

namespace tenon::core {
namespace {

using namespace std::chrono_literals;

class Restart : public testing::Test, protected test::ClientWorld {
 protected:
    Restart() { settings.restart = true; }
    void introduce() {
        answer(R"({"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"},)" + std::string(everything) +
               "}");
    }
};

// rules: STDIO-2
TEST_F(Restart, calls_that_ran_fail_and_later_calls_reach_the_new_server) {
    connect_legacy();
    const CallId running = call("tools/list");
    close("the server was killed");
    EXPECT_EQ(reopens, 1);
    EXPECT_EQ(error_of(running), code::connection_closed);
    EXPECT_NE(why(running).find("may have had an effect"), std::string::npos) << why(running);
    const CallId later = call("tools/list");
    EXPECT_EQ(error_of(later), 1);
    open();
    EXPECT_EQ(last_method(), "initialize") << "the era is known";
    introduce();
    EXPECT_EQ(last_method(), "tools/list");
    answer(R"({"tools":[]})");
    EXPECT_EQ(error_of(later), 0);
}

TEST_F(Restart, a_modern_server_is_asked_for_its_introduction_again) {
    connect_modern();
    close();
    EXPECT_EQ(reopens, 1);
    open();
    EXPECT_EQ(last_method(), "server/discover");
}

TEST_F(Restart, the_wait_doubles_and_the_attempts_are_limited) {
    settings.limits.max_restarts = 4;
    settings.limits.max_restart_wait = 3s;
    connect_legacy();
    for (int i = 0; i < 4; ++i) close(), open();
    EXPECT_EQ(reopens, 4);
    EXPECT_EQ(reopen_waits, (std::vector<Duration>{1s, 2s, 3s, 3s}));
    close("dead");
    EXPECT_EQ(reopens, 4);
    EXPECT_EQ(error_of(call("tools/list")), code::connection_closed);
}

TEST_F(Restart, a_server_that_ran_for_a_while_may_be_restarted_again_and_again) {
    connect_legacy();
    for (int i = 0; i < 20; ++i) {
        now += settings.limits.max_restart_wait + 1s;
        close();
        open();
        introduce();
    }
    EXPECT_EQ(reopens, 20);
    EXPECT_EQ(reopen_waits.back(), 1s);
}

TEST_F(Restart, the_session_is_restored) {
    connect_legacy();
    call(ClientCall::Kind::subscribe, {{"uri", "test://a"}});
    answer("{}");
    close();
    open();
    introduce();
    EXPECT_EQ(last_method(), "resources/subscribe");
    EXPECT_EQ(last().at("params").at("uri").as_string(), "test://a");
}

TEST_F(Restart, a_transport_that_cannot_reopen_ends_the_connection) {
    connect_legacy();
    close("gone");
    engine().cannot_reopen({code::connection_closed, "gone"}), take();
    EXPECT_EQ(error_of(call("tools/list")), code::connection_closed);
}

TEST_F(Restart, can_be_switched_off) {
    settings.restart = false;
    connect_legacy();
    close();
    EXPECT_EQ(reopens, 0);
    EXPECT_EQ(error_of(call("tools/list")), code::connection_closed);
}

class KeepAlive : public testing::Test, protected test::ClientWorld {
 protected:
    KeepAlive() { settings.ping_interval = 30s; }
};

// rules: LIFE-14
TEST_F(KeepAlive, a_silent_server_is_pinged) {
    connect_legacy();
    pass(29s);
    EXPECT_NE(last_method(), "ping");
    pass(1s);
    EXPECT_EQ(last_method(), "ping");
    answer("{}");
    const auto before = sent.size();
    pass(29s);
    EXPECT_EQ(sent.size(), before);
    pass(1s);
    EXPECT_EQ(sent.size(), before + 1);
}

// rules: LIFE-14
TEST_F(KeepAlive, a_server_that_does_not_answer_a_ping_is_given_up) {
    connect_legacy();
    pass(30s);
    const CallId waiting = call("tools/list");
    pass(settings.limits.request_time);
    EXPECT_EQ(hangups, 1);
    EXPECT_EQ(error_of(call("tools/list")), code::connection_closed);
    EXPECT_NE(error_of(waiting), 1);
}

TEST_F(KeepAlive, an_error_is_an_answer) {
    connect_legacy();
    pass(30s);
    refuse(code::method_not_found);
    EXPECT_EQ(hangups, 0);
    EXPECT_EQ(engine().era(), Era::legacy);
}

TEST_F(KeepAlive, modern_servers_are_not_pinged) {
    connect_modern();
    const auto before = sent.size();
    pass(60s);
    EXPECT_EQ(sent.size(), before);
    EXPECT_FALSE(engine().next_deadline());
}

}  // namespace
}  // namespace tenon::core
