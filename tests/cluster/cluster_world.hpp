// Several nodes in one process that share a memory store. No sockets, threads or clock: the test decides what runs.
#pragma once

#include <gtest/gtest.h>

#include <list>
#include <memory>
#include <string>
#include <vector>

#include <tenon/context.hpp>
#include <tenon/store/memory.hpp>

#include "cluster/slow_store.hpp"
#include "runtime/server_impl.hpp"
#include "support/http_world.hpp"

namespace tenon::test {

using std::chrono::minutes;
using std::chrono::seconds;

inline const json::object form{{"type", "object"},
                               {"properties", json::object{{"name", json::object{{"type", "string"}}}}}};

inline void nothing_else(Server&) {}

/// One node: a server with an endpoint. All nodes have the same features, and those that `add` adds.
struct Node {
    Node(const std::shared_ptr<Store>& store, const std::string& name,
         const std::function<void(Server&)>& add = nothing_else, std::function<WallTime()> clock = {},
         Limits limits = {}, const std::function<void(Server&, EndpointOptions&)>& adjust = {})
        : server("cluster", "1", {.limits = limits, .wall_clock = std::move(clock)}) {
        server.tool("hello", "Greets", [] { return "hello"; });
        server.tool("hold", "Answers when the test wants", [this](Context& ctx, Reply<std::string> reply) {
            held.push_back({std::move(reply), ctx});
        });
        server.tool("talk_and_hold", "Says something, and is held", [this](Context& ctx, Reply<std::string> reply) {
            ctx.info("first");
            held.push_back({std::move(reply), ctx});
        });
        server.tool("ask", "Asks the user", [](Context& ctx, Reply<std::string> reply) {
            auto kept = std::make_shared<Reply<std::string>>(std::move(reply));
            ctx.async_elicit("Who?", form, make_reply<ElicitResult>([kept](Result<ElicitResult> answer) {
                                 if (!answer) return std::move(*kept).send(answer.error());
                                 std::move(*kept).send(std::string(answer->content.at("name").as_string()));
                             }),
                             "who");
        });
        server.resource("note://a", "a", [] { return "text"; });
        add(server);
        EndpointOptions options;
        options.cluster = std::make_shared<ClusterNode>(store, name);
        options.state_key = std::array<std::uint8_t, 32>{7};
        options.authenticate = [](std::string_view who) {
            return who == "stranger" ? std::nullopt : std::optional(std::string(who));
        };
        if (adjust) adjust(server, options);
        world = std::make_unique<HttpWorld>(server, std::move(options), "session" + name);
        world->endpoint->join_cluster();
    }
    ~Node() {
        if (world) stop();
        held.clear();
    }
    /// Ends the node in an orderly way.
    void stop() { world.reset(); }
    HttpWorld* operator->() const { return world.get(); }
    void release(std::string text) {
        std::move(held.front().reply).send(std::move(text));
        held.pop_front();
    }

    struct Held {
        Reply<std::string> reply;
        Context context;
    };
    std::list<Held> held;
    Server server;
    std::unique_ptr<HttpWorld> world;
};

/// Runs the handlers of these nodes, and the handlers that these cause.
inline void run_handlers(std::initializer_list<Node*> nodes) {
    for (bool ran = true; ran;) {
        ran = false;
        for (Node* node : nodes) {
            if (!node->world || node->world->posted.empty()) continue;
            ran = true;
            node->world->run_all();
        }
    }
}

/// The nodes a, b and c.
struct Cluster : testing::Test {
    void run_all() { run_handlers({&a, &b, &c}); }
    void advance(Duration time) {
        now += std::chrono::duration_cast<WallTime::duration>(time);
        for (Node* node : {&a, &b, &c})
            if (node->world) node->world->advance(time);
    }
    static std::string in(const std::string& session) { return HttpWorld::in_session(session); }
    static json::object subscribe(json::value id) {
        return request(std::move(id), "resources/subscribe", {{"uri", "note://a"}});
    }
    static json::object answer(const json::value& id, std::string_view name) {
        return {{"jsonrpc", "2.0"},
                {"id", id},
                {"result", json::object{{"action", "accept"}, {"content", json::object{{"name", name}}}}}};
    }
    /// Returns the id of the last event of a response.
    static std::string last_id(const Sent& sent) { return sent.writer->events.back().id; }
    static std::size_t count(const Sent& sent, std::string_view part) {
        std::size_t out = 0;
        for (const std::string& message : sent.writer->messages()) out += message.find(part) != message.npos;
        return out;
    }

    WallTime now{std::chrono::hours(24 * 365)};
    const std::shared_ptr<SlowStore> store =
        std::make_shared<SlowStore>(memory_store({.clock = [this] { return now; }}));
    Node a{store, "a"}, b{store, "b"}, c{store, "c"};
};

inline const std::string ann = "Authorization: ann\r\n", bob = "Authorization: bob\r\n";

}  // namespace tenon::test
