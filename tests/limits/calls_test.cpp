// The limits of calls, questions and subscriptions.
#include "limits/endpoint_limit.hpp"

namespace tenon::test {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

TEST_F(EndpointLimit, max_concurrent_requests) {
    HttpWorld& w = start({.max_concurrent_requests = 2});
    const std::string session = w.begin(), other = w.begin();
    for (int i = 0; i < 2; ++i) w.post(tool_request(i, "hold"), w.in_session(session));
    const Sent refused = w.post(tool_request(3, "hold"), w.in_session(session));
    EXPECT_TRUE(says(refused, "the limit is 2")) << why(refused);
    expect_others_are_served(other);
    EXPECT_EQ(held.size(), 2U);
}

TEST_F(EndpointLimit, max_calls_per_second) {
    HttpWorld& w = start({.max_calls_per_second = 2}, with_principals());
    const auto call = [&](std::string_view who) {
        const Sent sent = w.post_alone(tool_request(1, "echo", {{"message", "hi"}}, modern_meta()), from(who));
        w.run_all();
        return sent;
    };
    for (int i = 0; i < 20; ++i) EXPECT_EQ(call("greedy").text(), "hi") << "a burst of ten seconds' worth";
    const Sent refused = call("greedy");
    EXPECT_TRUE(says(refused, "the limit is 2 per second (Limits::max_calls_per_second)")) << why(refused);
    EXPECT_EQ(refused.error(), code::too_many_calls);
    EXPECT_EQ(call("other").text(), "hi");
    w.advance(seconds(1));
    for (int i = 0; i < 2; ++i) EXPECT_EQ(call("greedy").text(), "hi");
    EXPECT_TRUE(says(call("greedy"), "the limit is 2"));
}

TEST_F(EndpointLimit, max_counted_principals) {
    HttpWorld& w = start({.max_calls_per_second = 1, .max_counted_principals = 2}, with_principals());
    const auto call = [&](std::string_view who) {
        const Sent sent = w.post_alone(tool_request(1, "echo", {{"message", "hi"}}, modern_meta()), from(who));
        w.run_all();
        return sent.error();
    };
    for (int i = 0; i < 10; ++i) EXPECT_EQ(call("greedy"), 0);
    EXPECT_EQ(call("greedy"), code::too_many_calls);
    EXPECT_EQ(call("second"), 0);
    EXPECT_EQ(call("greedy"), code::too_many_calls) << "two principals are counted";
    EXPECT_EQ(call("third"), 0) << "a new principal is always served";
    for (int i = 0; i < 9; ++i) EXPECT_EQ(call("third"), 0);
    EXPECT_EQ(call("third"), code::too_many_calls);
    EXPECT_EQ(call("greedy"), code::too_many_calls) << "`second` was silent for longer, so it was forgotten";
    for (const char* who : {"fourth", "fifth"}) EXPECT_EQ(call(who), 0);
    EXPECT_EQ(call("greedy"), 0) << "forgotten";
}

TEST_F(EndpointLimit, max_notifications_per_second) {
    HttpWorld& w = start({.max_notifications_per_second = 2});
    server->tool("count", "Counts", [](Context& ctx) {
        for (int i = 1; i <= 50; ++i) ctx.progress(i, 50);
        return "counted";
    });
    const std::string session = w.begin(), other = w.begin();
    json::object call = tool_request(1, "count");
    call["params"].as_object()["_meta"] = json::object{{"progressToken", "t"}};
    const Sent sent = w.post(call, w.in_session(session));
    w.run_all();
    std::string stream;
    for (const std::string& message : sent.writer->messages()) stream += message;
    std::size_t reports = 0;
    for (std::size_t at = 0; (at = stream.find("notifications/progress", at)) != std::string::npos; ++at) ++reports;
    EXPECT_EQ(reports, 3U) << "two, and the last one before the result: " << stream;
    EXPECT_NE(stream.find("\"progress\":50"), std::string::npos) << stream;
    EXPECT_NE(stream.find("counted"), std::string::npos) << stream;
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, ping_interval) {
    HttpWorld& w = start({.ping_interval = minutes(1)});
    const std::string session = w.begin(), other = w.begin();
    const Sent stream = w.listen(session);
    const auto pings = [&] {
        std::size_t n = 0;
        for (const std::string& message : stream.writer->messages())
            if (message.find("\"ping\"") != std::string::npos) ++n;
        return n;
    };
    w.advance(seconds(59));
    EXPECT_EQ(pings(), 0U);
    w.advance(seconds(2));
    EXPECT_EQ(pings(), 1U);
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, max_subscriptions) {
    HttpWorld& w = start({.max_subscriptions = 2});
    const std::string session = w.begin(), other = w.begin();
    for (const char* uri : {"note://a", "note://b"})
        EXPECT_EQ(w.post(subscription(uri), w.in_session(session)).error(), 0) << uri;
    const Sent refused = w.post(subscription("note://c"), w.in_session(session));
    EXPECT_TRUE(says(refused, "the limit is 2")) << why(refused);
    EXPECT_EQ(w.post(subscription("note://c"), w.in_session(other)).error(), 0) << "another session has its own";
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, max_pending_questions) {
    HttpWorld& w = start({.max_pending_questions = 1});
    const std::string session = w.begin("2025-11-25", {{"elicitation", json::object()}}), other = w.begin();
    const Sent first = w.post(tool_request(1, "ask"), w.in_session(session));
    const Sent second = w.post(tool_request(2, "ask"), w.in_session(session));
    w.run_all();
    EXPECT_FALSE(first.over());
    EXPECT_TRUE(says(second, "the limit is 1")) << why(second);
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, ask_time) {
    HttpWorld& w = start({.ask_time = minutes(2)});
    const std::string session = w.begin("2025-11-25", {{"elicitation", json::object()}}), other = w.begin();
    const Sent asked = w.post(tool_request(1, "ask"), w.in_session(session));
    w.run_all();
    w.advance(minutes(2) - seconds(1));
    EXPECT_FALSE(asked.over());
    w.advance(seconds(2));
    w.run_all();
    EXPECT_TRUE(asked.over());
    EXPECT_NE(why(asked), "no error");
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, handler_time) {
    HttpWorld& w = start({.handler_time = minutes(3)});
    const std::string session = w.begin(), other = w.begin();
    const Sent late = w.post(tool_request(1, "hold"), w.in_session(session));
    w.run_all();
    w.advance(minutes(3) - seconds(1));
    EXPECT_FALSE(late.over());
    w.advance(seconds(2));
    EXPECT_TRUE(late.over());
    EXPECT_TRUE(says(late, "did not finish in time")) << why(late);
    EXPECT_TRUE(held.front().context.cancelled());
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, request_state_time) {
    HttpWorld& w = start({.request_state_time = seconds(60)});
    const std::string other = w.begin();
    const json::object meta = modern_meta({{"elicitation", json::object()}});
    json::object call = tool_request(1, "ask", {}, meta);
    const Sent asked = w.post_alone(call);
    w.run_all();
    const json::value answer = asked.answer();
    const json::object& result = answer.at("result").as_object();
    ASSERT_EQ(result.at("resultType").as_string(), "input_required");
    call["params"].as_object()["requestState"] = result.at("requestState");
    call["params"].as_object()["inputResponses"] =
        json::object{{"well", json::object{{"action", "accept"}, {"content", json::object()}}}};
    wall += seconds(60);
    const Sent in_time = w.post_alone(call);
    w.run_all();
    EXPECT_EQ(in_time.error(), 0) << json::write(in_time.answer());
    wall += seconds(1);
    const Sent late = w.post_alone(call);
    w.run_all();
    EXPECT_NE(late.error(), 0) << json::write(late.answer());
    expect_others_are_served(other);
}

}  // namespace
}  // namespace tenon::test
