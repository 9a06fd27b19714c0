// An endpoint without sockets whose limits a test chooses, with a client that hits them and another that must not care.
#pragma once

#include <gtest/gtest.h>

#include <list>

#include "support/http_world.hpp"

namespace tenon::test {

/// One test for each member of Limits, named like it: tests/rules/limits.sh checks that there is one.
struct EndpointLimit : testing::Test {
    ~EndpointLimit() override { world.reset(), held.clear(); }

    HttpWorld& start(Limits limits, EndpointOptions options = {}) {
        ServerOptions of_server{.limits = limits};
        of_server.wall_clock = [this] { return wall; };
        server.emplace("test", "1", std::move(of_server));
        add_tools();
        return world.emplace(*server, std::move(options));
    }

    /// The message of an error, whichever way it came: as a JSON-RPC error or as the text of a failed call.
    static std::string why(const Sent& sent) {
        const json::value answer = sent.answer();
        if (!answer.is_object()) return "no answer";
        if (const json::value* error = answer.as_object().if_contains("error"))
            return std::string(error->at("message").as_string());
        const json::object& result = answer.at("result").as_object();
        const json::value* failed = result.if_contains("isError");
        return failed && failed->as_bool() ? sent.text() : "no error";
    }
    static bool says(const Sent& sent, std::string_view words) { return why(sent).find(words) != std::string::npos; }

    /// A client of each era, with no part in what happened before, is served.
    void expect_others_are_served(const std::string& session) {
        const Sent old = world->post(tool_request("other", "echo", {{"message", "old"}}), world->in_session(session));
        const Sent modern = world->post_alone(tool_request(1, "echo", {{"message", "new"}}, modern_meta()));
        world->run_all();
        EXPECT_EQ(old.text(), "old");
        EXPECT_EQ(modern.text(), "new");
    }
    static json::object as_task(json::value id = 1) {
        return tool_request(
            std::move(id), "work", {},
            modern_meta({{"extensions", json::object{{"io.modelcontextprotocol/tasks", json::object()}}}}));
    }
    static json::object subscription(std::string_view uri) { return request(1, "resources/subscribe", {{"uri", uri}}); }

    struct Held {
        Reply<std::string> reply;
        Context context;
    };
    std::list<Held> held;
    WallTime wall = WallTime(std::chrono::hours(24 * 365 * 50));
    std::optional<Server> server;
    std::optional<HttpWorld> world;

 private:
    void add_tools() {
        server->tool("echo", "Says it again", args(arg<std::string>("message", "What")),
                     [](std::string message) { return message; });
        server->tool("hold", "Answers when the test wants", [this](Context& ctx, Reply<std::string> reply) {
            held.push_back({std::move(reply), ctx});
        });
        server->tool("ask", "Asks the user", [](Context& ctx, Reply<std::string> reply) {
            auto kept = std::make_shared<Reply<std::string>>(std::move(reply));
            const json::object form{{"type", "object"}, {"properties", json::object()}};
            ctx.async_elicit("Well?", form, make_reply<ElicitResult>([kept](Result<ElicitResult> answer) {
                                 if (!answer) return std::move(*kept).send(answer.error());
                                 std::move(*kept).send(std::string("answered"));
                             }),
                             "well");
        });
        server->tool("work", "May be a task", [] { return "done"; }, {.task = TaskSupport::optional});
        server->resource_template("note://{name}", "note", [](const ResourceRequest& r) { return r.var("name"); });
    }
};

}  // namespace tenon::test
