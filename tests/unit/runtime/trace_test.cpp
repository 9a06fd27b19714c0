// Trace context (SEP-414): from a request to its handler, and on to the handler's messages and calls.
#include <tenon/testing.hpp>
#include <tenon/trace_context.hpp>

#include "one_client.hpp"

namespace tenon {
namespace {

const TraceContext some_trace{"00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01", "rojo=1", "user=ada"};

std::string traced_text(const ToolResult& result) { return std::get<TextContent>(result.content.at(0)).text; }

json::object trace_members(const TraceContext& trace) {
    json::object meta;
    trace.write(meta);
    return meta;
}

struct Trace : testing::TestWithParam<Era> {
    Trace() {
        server.tool("seen", "S", [this](Context& ctx) { return seen = ctx.trace(), "ok"; });
        server.tool("busy", "B", [](Context& ctx) {
            ctx.progress(1);
            ctx.log(LogLevel::error, "e");
            ctx.async_elicit("Well?", {{"type", "object"}, {"properties", json::object()}},
                             make_reply<ElicitResult>([](auto) {}), "well");
            return "ok";
        });
    }
    OneClient client() {
        return OneClient(server, GetParam(), {}, {{"elicitation", json::object{{"form", json::object()}}}});
    }
    Server server{"test", "1"};
    TraceContext seen;
};
INSTANTIATE_TEST_SUITE_P(Eras, Trace, testing::Values(Era::legacy, Era::modern),
                         [](const auto& of) { return of.param == Era::modern ? "modern" : "legacy"; });

TEST_P(Trace, a_handler_sees_the_trace_of_its_request) {
    OneClient one = client();
    one.call("seen", {}, {{"_meta", trace_members(some_trace)}});
    EXPECT_EQ(seen, some_trace);
    one.call("seen");
    EXPECT_TRUE(seen.empty());
}

TEST_P(Trace, a_malformed_trace_is_ignored_and_never_an_error) {
    OneClient one = client();
    const auto answer = one.call("seen", {}, {{"_meta", json::object{{"traceparent", "no"}, {"baggage", 7}}}});
    EXPECT_EQ(one.code_of(answer), 0);
    EXPECT_TRUE(seen.empty());
}

TEST_P(Trace, questions_and_notifications_of_a_handler_carry_its_trace) {
    OneClient one = client();
    for (const bool traced : {true, false}) {
        json::object meta{{"progressToken", traced ? 1 : 2}, {"io.modelcontextprotocol/logLevel", "debug"}};
        if (traced) some_trace.write(meta);
        const auto sent = one.send("tools/call", {{"name", "busy"}, {"_meta", meta}});
        ASSERT_GE(sent.size(), 3U);
        std::size_t with_trace = 0;
        for (const json::value& message : sent) {
            const json::object& m = message.as_object();
            const json::object* params = m.contains("params") ? m.at("params").if_object() : nullptr;
            if (!params || m.at("method") == "notifications/cancelled") continue;
            const json::value* own = params->if_contains("_meta");
            if (traced) {
                ASSERT_TRUE(own) << json::write(message);
                EXPECT_EQ(*own, json::value(trace_members(some_trace))) << json::write(message);
                ++with_trace;
            } else {
                EXPECT_FALSE(own) << json::write(message);
            }
        }
        // In 2026-07-28 the question is a part of the response, whose trace the client knows.
        const std::size_t messages = GetParam() == Era::modern ? 2 : 3;
        EXPECT_EQ(with_trace, traced ? messages : 0) << "progress, log message, question";
    }
}

TEST_P(Trace, a_client_sends_the_trace_of_a_call_and_a_handler_passes_it_on) {
    Server front("front", "1");
    ClientOptions options;
    options.era = GetParam();
    Client behind = test_kit::memory_client(server, {}, options);
    front.tool("pass", "P",
               [&](Context& ctx) { return traced_text(behind.call_tool("seen", {}, {.trace = ctx.trace()})); });
    Client user = test_kit::memory_client(front, {}, options);
    EXPECT_EQ(traced_text(user.call_tool("pass", {}, {.trace = some_trace})), "ok");
    EXPECT_EQ(seen, some_trace);
    EXPECT_EQ(traced_text(user.call_tool("pass", {}, {.trace = TraceContext{"malformed", "", "a=1"}})), "ok");
    EXPECT_EQ(seen, (TraceContext{"", "", "a=1"})) << "a malformed part is not sent";
    EXPECT_EQ(traced_text(user.call_tool("pass")), "ok");
    EXPECT_TRUE(seen.empty());
}

}  // namespace
}  // namespace tenon
