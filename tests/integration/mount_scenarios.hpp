// What a client of either era must be able to do with a server that is mounted in another HTTP server.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <mutex>

#include <tenon/tenon.hpp>

#include "support/http_client.hpp"

namespace tenon::test {

struct Choice {
    bool sure;
};
BOOST_DESCRIBE_STRUCT(Choice, (), (sure))

/// A server with tools for each scenario. The fixture of an example derives from it, and serves `port`.
class MountScenarios : public testing::TestWithParam<Era> {
 protected:
    MountScenarios() {
        server.tool("add", "Adds", args(arg<int>("a"), arg<int>("b")), [](int a, int b) { return a + b; });
        server.tool("length", "The length", args(arg<std::string>("text")),
                    [](const std::string& text) { return static_cast<int>(text.size()); });
        server.tool("count", "Reports progress", [](Context& ctx) {
            for (int i = 1; i <= 3; ++i) ctx.progress(i, 3, "step");
            return "counted";
        });
        server.tool("ask", "Asks", [](Context& ctx) {
            const auto answer = ctx.elicit<Choice>("Sure?");
            return std::string(answer && answer->sure ? "sure" : "not sure");
        });
        server.tool("wait", "Waits until it is cancelled", [this](Context& ctx) {
            ctx.progress(1);
            std::unique_lock lock(mutex_);
            std::condition_variable_any never;
            never.wait(lock, ctx.stop_token(), [] { return false; });
            cancelled_ = true;
            changed_.notify_all();
            return "cancelled";
        });
    }
    virtual std::uint16_t port() const = 0;

    std::string url() const { return "http://127.0.0.1:" + std::to_string(port()) + "/mcp"; }
    Client client(ClientOptions options = {}) const {
        options.era = GetParam();
        return Client(http({.url = url(), .proxy = ""}), std::move(options));
    }
    bool was_cancelled() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, http_patience, [this] { return cancelled_; });
    }

    static std::string text_of(const ToolResult& result) { return std::get<TextContent>(result.content.at(0)).text; }

    void calls_tools() {
        Client one = client();
        EXPECT_EQ(one.connect().info.name, "mounted");
        EXPECT_EQ(one.list_tools().all().size(), 5U);
        EXPECT_EQ(one.call_tool("add", {{"a", 2}, {"b", 3}}).structuredContent.value().at("result"), 5);
        const std::string large(300 * 1024, 'x');  // decoded by another thread
        EXPECT_EQ(one.call_tool("length", {{"text", large}}).structuredContent.value().at("result"), 300 * 1024);
    }
    void gets_progress() {
        Client one = client();
        std::vector<double> steps;
        const ToolResult result =
            one.call_tool("count", {}, {.on_progress = [&](const Progress& p) { steps.push_back(p.progress); }});
        EXPECT_EQ(text_of(result), "counted");
        EXPECT_FALSE(steps.empty());
        EXPECT_EQ(steps.back(), 3);
    }
    void answers_questions() {
        ClientOptions options;
        options.on_elicit = [](const ElicitRequest&, std::stop_token) {
            return ElicitResult{ElicitAction::accept, {{"sure", true}}};
        };
        Client one = client(std::move(options));
        EXPECT_EQ(text_of(one.call_tool("ask")), "sure");
    }
    void cancels() {
        Client one = client();
        std::stop_source stop;
        EXPECT_THROW(
            one.call_tool("wait", {},
                          {.stop = stop.get_token(), .on_progress = [&](const Progress&) { stop.request_stop(); }}),
            Exception);
        EXPECT_TRUE(was_cancelled());
    }
    void hears_of_changes() {
        std::promise<void> changed;
        ClientOptions options;
        options.on_tools_changed = [&changed, told = false]() mutable {
            if (!std::exchange(told, true)) changed.set_value();
        };
        Client one = client(std::move(options));
        one.connect();
        // In 2026-07-28 the subscription is a separate request, which may arrive after the first change. So the list
        // changes again until a change is notified.
        auto future = changed.get_future();
        for (int i = 0; future.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready; ++i) {
            ASSERT_LT(i, 3000);
            server.tool("new" + std::to_string(i), "New", [] { return ""; });
        }
    }
    // With raw requests: the answers of DELETE, and of a request in the deleted session.
    void ends_sessions() {
        const auto once = [this](const std::string& bytes) {
            HttpClient raw(port());
            raw.send(bytes);
            return raw.reply();
        };
        const std::string id =
            once(post_bytes(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                            R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})"))
                .field("mcp-session-id");
        ASSERT_NE(id, "");
        const std::string list =
            post_bytes(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", "Mcp-Session-Id: " + id + "\r\n");
        EXPECT_EQ(once(list).status, 200);
        EXPECT_EQ(once("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: " + id + "\r\n\r\n").status, 204);
        EXPECT_EQ(once(list).status, 404);
    }
    void refuses_strangers() {
        HttpClient raw(port());
        raw.send("POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\n{}");
        EXPECT_EQ(raw.reply().status, 403);
    }

    Server server{"mounted", "1"};

 private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool cancelled_ = false;
};

#define MOUNT_SCENARIOS(Fixture)                                                                            \
    INSTANTIATE_TEST_SUITE_P(Eras, Fixture, testing::Values(Era::legacy, Era::modern),                      \
                             [](const auto& of) { return of.param == Era::modern ? "modern" : "legacy"; }); \
    TEST_P(Fixture, calls_tools) { calls_tools(); }                                                         \
    TEST_P(Fixture, gets_progress) { gets_progress(); }                                                     \
    TEST_P(Fixture, answers_questions) { answers_questions(); }                                             \
    TEST_P(Fixture, cancels) { cancels(); }                                                                 \
    TEST_P(Fixture, hears_of_changes) { hears_of_changes(); }                                               \
    TEST_P(Fixture, ends_sessions) { ends_sessions(); }                                                     \
    TEST_P(Fixture, refuses_strangers) { refuses_strangers(); }

}  // namespace tenon::test
