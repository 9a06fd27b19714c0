// MCP inside an HTTP server of Boost.Beast, on one thread. Your own pages can have other paths of the same server.
//   build/bin/mount_beast 8080     then: http://127.0.0.1:8080/mcp
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <cstdlib>

#include <tenon/tenon.hpp>

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::use_awaitable;
using asio::ip::tcp;

/// Wakes a coroutine that waits for an exchange. A wake that nothing waits for is lost, so take() before each wait.
struct Signal : asio::steady_timer {
    explicit Signal(const executor_type& executor) : asio::steady_timer(executor, time_point::max()) {}
};

tenon::HttpRequestHead head_of(const http::request_header<>& head) {
    tenon::HttpRequestHead out{head.method_string(), head.target()};
    for (const auto& field : head) out.headers.emplace_back(field.name_string(), field.value());
    return out;
}

// Returns false when the client has closed the connection.
asio::awaitable<bool> wait(beast::tcp_stream& stream, Signal& signal) {
    using namespace asio::experimental::awaitable_operators;
    const auto result = co_await (signal.async_wait(asio::as_tuple(use_awaitable)) ||
                                  stream.socket().async_wait(tcp::socket::wait_read, asio::as_tuple(use_awaitable)));
    if (result.index() == 0) co_return true;
    beast::error_code error;
    if (stream.socket().available(error) == 0 || error) co_return false;
    co_await signal.async_wait(asio::as_tuple(use_awaitable));  // the next request came early
    co_return true;
}

asio::awaitable<void> write_head(beast::tcp_stream& stream, const tenon::HttpResponseHead& head) {
    http::response<http::empty_body> response{static_cast<http::status>(head.status), 11};
    for (const auto& [name, value] : head.headers) response.insert(name, value);
    if (!head.content_length) response.chunked(true);
    if (head.content_length && head.status != 204) response.content_length(*head.content_length);
    http::response_serializer<http::empty_body> serializer(response);
    co_await http::async_write_header(stream, serializer, use_awaitable);
}

// Writes the response. Returns whether the connection can serve another request.
asio::awaitable<bool> respond(beast::tcp_stream& stream, tenon::HttpMount::Exchange& exchange, Signal& signal,
                              tenon::HttpOutput out) {
    bool chunks = false;
    for (;; out = exchange.take()) {
        stream.expires_after(std::chrono::seconds(30));  // a client that does not read is given up
        if (out.head) {
            chunks = !out.head->content_length;
            co_await write_head(stream, *out.head);
        }
        const auto body = asio::buffer(out.body);
        if (!out.body.empty() && chunks) co_await asio::async_write(stream, http::make_chunk(body), use_awaitable);
        if (!out.body.empty() && !chunks) co_await asio::async_write(stream, body, use_awaitable);
        if (out.state != tenon::HttpOutput::State::open) break;
        stream.expires_never();
        if (!out.head && out.body.empty() && !co_await wait(stream, signal)) co_return false;
    }
    if (out.state == tenon::HttpOutput::State::broken) co_return false;
    if (chunks) co_await asio::async_write(stream, http::make_chunk_last(), use_awaitable);
    co_return true;
}

asio::awaitable<void> serve(beast::tcp_stream stream, tenon::HttpMount& mount) {
    auto client = mount.connect(stream.socket().remote_endpoint().address().to_string());
    const auto signal = std::make_shared<Signal>(stream.get_executor());
    const auto wake = [signal] { asio::post(signal->get_executor(), [signal] { signal->cancel(); }); };
    beast::flat_buffer buffer;
    for (bool again = true; again;) {
        http::request_parser<http::string_body> parser;
        parser.body_limit(boost::none);  // the exchange has the limit
        stream.expires_after(std::chrono::seconds(60));
        co_await http::async_read_header(stream, buffer, parser, use_awaitable);
        auto exchange = client.request(head_of(parser.get()), wake);
        tenon::HttpOutput out = exchange.take();
        for (; !out.head && !exchange.wants_body(); out = exchange.take())  // its token is being checked
            if (!co_await wait(stream, *signal)) co_return;
        while (exchange.wants_body() && !parser.is_done()) {
            co_await http::async_read_some(stream, buffer, parser, use_awaitable);
            exchange.body(std::exchange(parser.get().body(), {}));
        }
        if (exchange.wants_body()) exchange.end_of_body();
        if (!out.head) out = exchange.take();
        again = co_await respond(stream, exchange, *signal, std::move(out)) && parser.is_done() && parser.keep_alive();
    }
}

asio::awaitable<void> accept(tcp::acceptor& acceptor, tenon::HttpMount& mount) {
    for (;;) {
        beast::tcp_stream stream(co_await acceptor.async_accept(use_awaitable));
        asio::co_spawn(acceptor.get_executor(), serve(std::move(stream), mount), asio::detached);
    }
}

asio::awaitable<void> tick(tenon::HttpMount& mount) {
    for (asio::steady_timer timer(co_await asio::this_coro::executor);; mount.tick()) {
        timer.expires_after(std::chrono::milliseconds(500));
        co_await timer.async_wait(use_awaitable);
    }
}

int main(int argc, char** argv) {
    tenon::Server server{"mounted", "1.0.0"};
    server.tool("add", "Adds two numbers", tenon::args(tenon::arg<double>("a"), tenon::arg<double>("b")),
                [](double a, double b) { return a + b; });
    const auto port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 8080);
    asio::io_context context{1};
    tenon::HttpMount mount(server);  // for clients on this machine; see HttpOptions for others
    tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), port});
    asio::co_spawn(context, accept(acceptor, mount), asio::detached);
    asio::co_spawn(context, tick(mount), asio::detached);
    asio::signal_set signals(context, SIGINT, SIGTERM);
    signals.async_wait([&](beast::error_code, int) { context.stop(); });
    context.run();
    return 0;
}
