// An endpoint without sockets, with limits that the test chooses. One client hits a limit, and another must be served.
#pragma once

#include <gtest/gtest.h>

#include <list>

#include "runtime/server_impl.hpp"
#include "support/http_world.hpp"

namespace tenon::test {

/// There is one test for each member of Limits, with the name of that member: tests/rules/limits.sh checks it.
struct EndpointLimit : testing::Test {
    ~EndpointLimit() override {
        world.reset(), held.clear();
        EXPECT_TRUE(keeps_tasks || charged() == 0) << charged() << " bytes are still charged at the end";
    }
    const base::MemoryBudget& budget() const { return *server->impl()->budget(); }
    /// Bytes that peers hold. Tables of all peers, such as the counts of calls, are left out.
    std::size_t charged() const { return budget().used() - server->impl()->shared_memory(); }

    HttpWorld& start(Limits limits, EndpointOptions options = {}) {
        ServerOptions of_server{.limits = limits};
        of_server.wall_clock = [this] { return wall; };
        server.emplace("test", "1", std::move(of_server));
        add_tools();
        return world.emplace(*server, std::move(options));
    }

    /// Returns the message of a JSON-RPC error, or the text of a failed tool call.
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

    /// Makes a call of another client in each era. They must succeed, and the memory must be within the budget.
    void expect_others_are_served(const std::string& session) {
        const Sent old = world->post(tool_request("other", "echo", {{"message", "old"}}), world->in_session(session));
        const Sent stateless = world->post_alone(tool_request(1, "echo", {{"message", "new"}}, modern_meta()));
        world->run_all();
        EXPECT_EQ(old.text(), "old");
        EXPECT_EQ(stateless.text(), "new");
        EXPECT_LE(budget().used(), budget().total());
    }
    /// The status and the `Retry-After` of a refusal that a client may try again later.
    static void expect_refused(const Sent& refused, int status, std::string_view limit) {
        EXPECT_EQ(refused.status(), status) << json::write(refused.answer());
        EXPECT_NE(refused.writer->field("Retry-After"), "");
        EXPECT_TRUE(says(refused, limit)) << why(refused);
    }
    static EndpointOptions with_principals() {
        return {.authenticate = [](std::string_view who) { return std::optional<std::string>(who); }};
    }
    static std::string from(std::string_view who) { return "Authorization: " + std::string(who) + "\r\n"; }
    /// Makes calls of another principal. They must succeed.
    void expect_served(std::string_view who) {
        for (int i = 0; i < 3; ++i) {
            const Sent sent =
                world->post_alone(tool_request(i, "echo", {{"message", "hello"}}, modern_meta()), from(who));
            world->run_all();
            ASSERT_EQ(sent.status(), 200) << why(sent);
            EXPECT_EQ(sent.text(), "hello");
        }
        EXPECT_LE(budget().used(), budget().total());
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
    bool keeps_tasks = false;  // tasks belong to the server, and so does their memory
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
        server->tool("keep", "The same, with a text", args(arg<std::string>("message", "What")),
                     [this](Context& ctx, const std::string&, Reply<std::string> reply) {
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
