// An endpoint with tools whose answers the test sends.
#pragma once

#include <gtest/gtest.h>

#include <list>

#include "runtime/server_impl.hpp"
#include "support/http_world.hpp"

namespace tenon::test {

using std::chrono::minutes;
using std::chrono::seconds;

inline Limits small_limits() {
    Limits limits;
    limits.max_sessions = 3;
    limits.max_streams_per_session = 4;
    limits.session_idle_time = minutes(30);
    limits.stream_keep_alive = seconds(15);
    limits.handler_time = minutes(10);
    return limits;
}

inline const json::object form{{"type", "object"},
                               {"properties", json::object{{"name", json::object{{"type", "string"}}}}}};

struct Endpoint : testing::Test {
    Endpoint() {
        server.tool("echo", "Says it again", args(arg<std::string>("message", "What")),
                    [](std::string m) { return m; });
        server.tool("talk", "Says something first", [](Context& ctx) { return ctx.info("first"), "then"; });
        server.tool("hold", "Answers when the test wants", [this](Context& ctx, Reply<std::string> reply) {
            held.push_back({std::move(reply), ctx});
        });
        server.tool("hold_long", "The same, and may take hours",
                    [this](Context& ctx, Reply<std::string> reply) {
                        held.push_back({std::move(reply), ctx});
                    },
                    {.time_limit = std::chrono::hours(5)});
        server.tool("talk_and_hold", "Says something, and is held", [this](Context& ctx, Reply<std::string> reply) {
            ctx.info("first");
            held.push_back({std::move(reply), ctx});
        });
        server.tool("poll_and_hold", "Lets its client come back", [this](Context& ctx, Reply<std::string> reply) {
            ctx.let_poll(seconds(2));
            held.push_back({std::move(reply), ctx});
        });
        server.tool("ask", "Asks the user", [](Context& ctx, Reply<std::string> reply) {
            auto kept = std::make_shared<Reply<std::string>>(std::move(reply));
            ctx.async_elicit(
                "Who?", form, make_reply<ElicitResult>([kept](Result<ElicitResult> answer) {
                    if (!answer) return std::move(*kept).send(answer.error());
                    std::move(*kept).send(std::string(answer->action == ElicitAction::accept ? "accepted" : "refused"));
                }),
                "who");
        });
        server.tool("who", "Who calls", [](Context& ctx) { return "<" + ctx.principal() + ">"; });
        server.resource("note://a", "a", [] { return "text"; });
    }
    ~Endpoint() override {
        world.reset(), held.clear();
        EXPECT_EQ(charged(), 0U) << "memory is still charged at the end";
    }
    const base::MemoryBudget& budget() { return *server.impl()->budget(); }
    /// Bytes that peers hold. Tables of all peers, such as the counts of calls, are left out.
    std::size_t charged() { return budget().used() - server.impl()->shared_memory(); }

    void start(EndpointOptions options = {}) { world.emplace(server, std::move(options)); }
    HttpWorld& w() {
        if (!world) start();
        return *world;
    }
    static json::object echo(json::value id, std::string_view text) {
        return tool_request(std::move(id), "echo", {{"message", text}});
    }
    static json::object alone(std::string_view tool, json::object arguments = {}, json::object capabilities = {}) {
        return tool_request(1, tool, std::move(arguments), modern_meta(std::move(capabilities)));
    }
    void release(std::size_t which, std::string text) {
        std::move(std::next(held.begin(), static_cast<std::ptrdiff_t>(which))->reply).send(std::move(text));
    }

    struct Held {
        Reply<std::string> reply;
        Context context;
    };
    std::list<Held> held;
    Server server{"test", "1", {.limits = small_limits()}};
    std::optional<HttpWorld> world;
};

}  // namespace tenon::test
