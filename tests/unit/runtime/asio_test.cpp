// Coroutine handlers: include/tenon/asio.hpp.
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <tenon/asio.hpp>
#include <tenon/session.hpp>

namespace tenon {
namespace {

namespace asio = boost::asio;

class AsioHandlers : public testing::Test {
 protected:
    void start(const char* capabilities = "{}") {
        session_.emplace(server_);
        session_->receive(
            std::string(
                R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":)") +
            capabilities + R"(,"clientInfo":{"name":"t","version":"1"}}})");
        session_->receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        session_->take_output();
    }
    std::string talk(const char* message) {
        session_->receive(message);
        loop_.restart();
        loop_.poll();
        return session_->take_output();
    }

    asio::io_context loop_;
    Server server_{"test", "1"};
    std::optional<Session> session_;
};

TEST_F(AsioHandlers, a_coroutine_answers_when_it_returns) {
    server_.tool("double", "Doubles", args(arg<int>("x")),
                 co(loop_.get_executor(), [](int x) -> asio::awaitable<int> { co_return 2 * x; }));
    start();
    EXPECT_NE(talk(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"double","arguments":{"x":21}}})")
                  .find(R"("result":42)"),
              std::string::npos);
}

TEST_F(AsioHandlers, a_coroutine_that_throws_is_a_tool_error) {
    server_.tool("fail", "Fails", co(loop_.get_executor(), []() -> asio::awaitable<int> {
                     throw std::runtime_error("broken");
                     co_return 1;
                 }));
    start();
    const std::string out = talk(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fail"}})");
    EXPECT_NE(out.find("broken"), std::string::npos);
    EXPECT_NE(out.find(R"("isError":true)"), std::string::npos);
}

TEST_F(AsioHandlers, a_coroutine_asks_the_client_without_holding_a_thread) {
    server_.tool("roots", "Roots", co(loop_.get_executor(), [](Context ctx) -> asio::awaitable<std::string> {
                     const auto roots = co_await co_roots(ctx);
                     co_return roots.at(0).uri;
                 }));
    start(R"({"roots":{}})");
    EXPECT_EQ(talk(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"roots"}})"),
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}\n");
    EXPECT_NE(talk(R"({"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///a"}]}})").find("file:///a"),
              std::string::npos);
}

TEST_F(AsioHandlers, a_cancelled_call_cancels_its_coroutine) {
    bool cancelled = false;
    server_.tool("wait", "Waits", co(loop_.get_executor(), [&](Context) -> asio::awaitable<std::string> {
                     asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::hours(1));
                     try {
                         co_await timer.async_wait(asio::use_awaitable);
                     } catch (const std::exception&) {
                         cancelled = true;
                     }
                     co_return "over";
                 }));
    start();
    EXPECT_EQ(talk(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}})"), "");
    EXPECT_EQ(talk(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"), "");
    EXPECT_TRUE(cancelled);
}

}  // namespace
}  // namespace tenon
