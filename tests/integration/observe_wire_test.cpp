// The taps of servers and clients see each message once, on every transport.
#include <gtest/gtest.h>
#include <unistd.h>

#include <mutex>
#include <thread>

#include <tenon/tenon.hpp>

#include "support/http_client.hpp"

namespace tenon::test {
namespace {

// Collects messages as "<- method" or "-> id".
class Tapped {
 public:
    WireTap tap() {
        return [this](const WireMessage& m) {
            const std::lock_guard lock(mutex_);
            const auto parsed = json::parse(m.text);
            const json::object* o = parsed ? parsed->if_object() : nullptr;
            const json::value* method = o ? o->if_contains("method") : nullptr;
            std::string what = method                      ? std::string(method->as_string())
                               : o && o->contains("error") ? "error"
                                                           : "result";
            if (m.http_status != 0 && m.http_status != 200) what += " " + std::to_string(m.http_status);
            seen_.push_back((m.direction == WireMessage::Direction::received ? "<- " : "-> ") + what);
            connections_.push_back(m.connection);
            text_ += std::string(m.text) + "\n" + wire_line(m) + "\n";
            sides_ += m.side == WireMessage::Side::server ? 's' : 'c';
        };
    }
    int count(const std::string& what) {
        const std::lock_guard lock(mutex_);
        return static_cast<int>(std::ranges::count(seen_, what));
    }
    bool one_connection() {
        const std::lock_guard lock(mutex_);
        return std::ranges::all_of(connections_, [&](auto c) { return c == connections_.front() && c > 0; });
    }
    std::string sides() {
        const std::lock_guard lock(mutex_);
        return sides_;
    }
    std::string text() {
        const std::lock_guard lock(mutex_);
        return text_;
    }

 private:
    std::mutex mutex_;
    std::vector<std::string> seen_;
    std::vector<std::uint64_t> connections_;
    std::string text_, sides_;
};

void add_tools(Server& server) {
    server.tool("echo", "Echoes", args(arg<std::string>("message")), [](const std::string& m) { return m; });
    server.tool("steps", "Reports progress", [](Context& ctx) {
        ctx.progress(1, 2);
        return "done";
    });
}

void expect_calls(Tapped& server, Tapped& client) {
    EXPECT_EQ(server.count("<- tools/call"), 2);
    EXPECT_EQ(client.count("-> tools/call"), 2);
    EXPECT_EQ(server.count("-> notifications/progress"), 1);
    EXPECT_EQ(client.count("<- notifications/progress"), 1);
    EXPECT_EQ(server.count("-> result"), client.count("<- result"));
    EXPECT_GE(server.count("-> result"), 2);
    EXPECT_TRUE(client.one_connection());
    EXPECT_EQ(server.sides().find('c'), std::string::npos);
    EXPECT_EQ(client.sides().find('s'), std::string::npos);
}

void make_calls(Client& client) {
    client.call_tool("echo", {{"message", "hello"}});
    client.call_tool("steps", {}, {.on_progress = [](const Progress&) {}});
}

TEST(WireTap, sees_each_message_of_a_memory_transport) {
    Tapped at_server, at_client;
    Server server("test", "1", {.tap = at_server.tap()});
    add_tools(server);
    {
        Client client(memory_transport(server), {.tap = at_client.tap()});
        make_calls(client);
    }
    expect_calls(at_server, at_client);
    EXPECT_TRUE(at_server.one_connection());
}

class WireTapOverHttp : public testing::TestWithParam<Era> {};

TEST_P(WireTapOverHttp, sees_each_message) {
    Tapped at_server, at_client;
    Server server("test", "1", {.tap = at_server.tap()});
    add_tools(server);
    HttpServer http_server(server, {.port = 0});
    {
        Client client(http({.url = http_server.url(), .headers = {{"X-Secret", "canary"}}, .proxy = ""}),
                      {.era = GetParam(), .tap = at_client.tap()});
        make_calls(client);
    }
    http_server.stop();
    expect_calls(at_server, at_client);
    EXPECT_EQ(at_server.text().find("canary"), std::string::npos) << "headers are not messages";
}

INSTANTIATE_TEST_SUITE_P(Eras, WireTapOverHttp, testing::Values(Era::legacy, Era::modern),
                         [](const auto& era) { return era.param == Era::legacy ? "legacy" : "modern"; });

TEST(WireTap, sees_refusals_over_http) {
    Tapped tapped;
    Server server("test", "1", {.tap = tapped.tap()});
    HttpServer http_server(server, {.port = 0});
    HttpClient client(http_server.port());
    client.send(post_bytes("{nonsense"));
    EXPECT_EQ(client.reply().status, 400);
    http_server.stop();
    EXPECT_EQ(tapped.count("<- result"), 1) << "the malformed message";
    EXPECT_EQ(tapped.count("-> error 400"), 1);
}

TEST(WireTap, sees_each_message_of_stdio) {
    Tapped tapped;
    Server server("test", "1", {.tap = tapped.tap()});
    add_tools(server);
    int in[2], out[2];
    ASSERT_EQ(::pipe(in), 0);
    ASSERT_EQ(::pipe(out), 0);
    const std::string_view messages =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"nonsense\"}\n";
    ASSERT_EQ(::write(in[1], messages.data(), messages.size()), static_cast<ssize_t>(messages.size()));
    ::close(in[1]);
    EXPECT_EQ(serve_stdio(server, {.input = in[0], .output = out[1], .handle_signals = false}), 0);
    for (const int fd : {in[0], out[0], out[1]}) ::close(fd);
    EXPECT_EQ(tapped.count("<- ping"), 1);
    EXPECT_EQ(tapped.count("<- nonsense"), 1);
    EXPECT_EQ(tapped.count("-> result") + tapped.count("-> error"), 2);
    EXPECT_TRUE(tapped.one_connection());
}

TEST(WireTap, an_exception_of_the_tap_is_ignored) {
    Server server("test", "1", {.tap = [](const WireMessage&) { throw std::runtime_error("no"); }});
    add_tools(server);
    Client client(memory_transport(server));
    EXPECT_EQ(std::get<TextContent>(client.call_tool("echo", {{"message", "hello"}}).content.at(0)).text, "hello");
}

}  // namespace
}  // namespace tenon::test
