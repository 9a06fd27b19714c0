// Limits that only sessions without HTTP can reach.
#include <gtest/gtest.h>

#include <tenon/server.hpp>
#include <tenon/session.hpp>

#include "support/http_world.hpp"

namespace tenon::test {
namespace {

struct SessionLimit : testing::Test {
    void start(Limits limits) {
        server.emplace("test", "1", ServerOptions{.limits = limits});
        server->tool("ask", "Asks", [](Context& ctx) {
            ctx.elicit("Well?", json::object{{"type", "object"}, {"properties", json::object()}}, "well");
            return "done";
        });
    }
    /// Calls the tool in a session. `state` continues an earlier call.
    json::value call(Session& session, const json::value& state = {}) {
        json::object request = tool_request(1, "ask", {}, modern_meta({{"elicitation", json::object()}}));
        if (!state.is_null()) {
            request["params"].as_object()["requestState"] = state;
            request["params"].as_object()["inputResponses"] =
                json::object{{"well", json::object{{"action", "accept"}, {"content", json::object()}}}};
        }
        session.receive(json::write(request));
        return json::parse(session.take_output()).value();
    }
    json::value ask(Session& session) { return call(session).at("result").at("requestState"); }
    bool accepts(Session& session, const json::value& state) {
        return call(session, state).as_object().contains("result");
    }

    std::optional<Server> server;
};

TEST_F(SessionLimit, max_request_states) {
    start({.max_request_states = 8});
    Session session(*server), other(*server), only_peer(*server, {.only_peer = true});
    const json::value kept = ask(other), first = ask(session), second = ask(session);
    EXPECT_TRUE(accepts(session, first));
    const json::value third = ask(session);
    EXPECT_FALSE(accepts(session, first)) << "one of several peers has a quarter of the states";
    EXPECT_TRUE(accepts(session, second) && accepts(session, third));
    EXPECT_TRUE(accepts(other, kept)) << "another peer keeps its states";
    for (int i = 0; i < 8; ++i) EXPECT_TRUE(accepts(only_peer, ask(only_peer)));
    EXPECT_FALSE(accepts(other, kept)) << "the table is full, so the oldest state is dropped";
}

}  // namespace
}  // namespace tenon::test
