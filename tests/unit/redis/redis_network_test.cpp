// The Redis store over TCP and TLS. A proxy listens at a port that the kernel chose, and passes bytes to the Unix
// socket of a real redis-server, which cannot choose a port by itself.
#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <functional>
#include <span>
#include <thread>

#include <gtest/gtest.h>

#include <tenon/store/open.hpp>

#include "support/certificates.hpp"
#include "support/redis_server.hpp"
#include "support/store_answer.hpp"

namespace {

using namespace tenon;
namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using Unix = asio::local::stream_protocol;

class Proxy {
 public:
    /// `edit` may change bytes that pass.
    Proxy(std::string target, const test::Certificates::Files* tls, std::function<void(std::span<char>)> edit = {})
        : target_(std::move(target)), edit_(std::move(edit)) {
        if (tls) {
            context_.emplace(asio::ssl::context::tls_server);
            context_->use_certificate_chain_file(tls->certificate);
            context_->use_private_key_file(tls->key, asio::ssl::context::pem);
        }
        asio::co_spawn(loop_, accept(), asio::detached);
        thread_ = std::thread([this] { loop_.run(); });
    }
    ~Proxy() {
        loop_.stop();
        thread_.join();
    }
    std::string port() const { return std::to_string(acceptor_.local_endpoint().port()); }

 private:
    asio::awaitable<void> accept() {
        for (;;) {
            auto socket = co_await acceptor_.async_accept(asio::use_awaitable);
            if (context_)
                asio::co_spawn(loop_, serve_tls(std::move(socket)), asio::detached);
            else
                serve(std::make_shared<Tcp::socket>(std::move(socket)));
        }
    }
    asio::awaitable<void> serve_tls(Tcp::socket socket) {
        auto stream = std::make_shared<asio::ssl::stream<Tcp::socket>>(std::move(socket), *context_);
        co_await stream->async_handshake(asio::ssl::stream_base::server, asio::use_awaitable);
        serve(stream);
    }
    template <class Stream>
    void serve(const std::shared_ptr<Stream>& client) {
        auto server = std::make_shared<Unix::socket>(loop_);
        server->connect(Unix::endpoint(target_));
        asio::co_spawn(loop_, pump(client, server), asio::detached);
        asio::co_spawn(loop_, pump(server, client), asio::detached);
    }
    template <class From, class To>
    asio::awaitable<void> pump(std::shared_ptr<From> from, std::shared_ptr<To> to) {
        std::array<char, 4096> buffer;
        for (;;) {  // an error ends it: the coroutine throws
            const auto n = co_await from->async_read_some(asio::buffer(buffer), asio::use_awaitable);
            if (edit_) edit_(std::span(buffer.data(), n));
            co_await asio::async_write(*to, asio::buffer(buffer.data(), n), asio::use_awaitable);
        }
    }

    const std::string target_;
    const std::function<void(std::span<char>)> edit_;
    asio::io_context loop_;
    std::optional<asio::ssl::context> context_;
    Tcp::acceptor acceptor_{loop_, Tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
    std::thread thread_;
};

class RedisNetwork : public testing::Test {
 protected:
    void SetUp() override {
        if (!test::RedisServer::is_installed()) GTEST_SKIP() << "redis-server is not installed";
    }
};

TEST_F(RedisNetwork, tcp_works_by_address_and_by_name) {
    test::RedisServer server;
    const Proxy proxy(server.socket(), nullptr);
    for (const std::string host : {"127.0.0.1", "localhost"}) {
        const auto store = open_store("redis://" + host + ":" + proxy.port()).value();
        const auto status = test::check(*store);
        ASSERT_TRUE(status) << status.error().message;
        EXPECT_NE(status->description.find(proxy.port()), std::string::npos);
    }
}

TEST_F(RedisNetwork, tls_needs_a_certificate_that_fits) {
    test::RedisServer server;
    test::Certificates authority, other;
    const auto good = authority.sign("IP:127.0.0.1"), foreign = authority.sign("DNS:elsewhere.example");
    const Proxy right(server.socket(), &good), wrong(server.socket(), &foreign), plain(server.socket(), nullptr);
    const auto check = [&](const Proxy& proxy, const std::string& ca) {
        const auto store = open_store("rediss://127.0.0.1:" + proxy.port() + "?ca=" + ca).value();
        return test::check(*store);
    };
    const auto accepted = check(right, authority.ca_file);
    EXPECT_TRUE(accepted) << accepted.error().message;
    for (const auto& refused :
         {check(right, other.ca_file), check(wrong, authority.ca_file), check(right, "/nonexistent")}) {
        ASSERT_FALSE(refused);
        EXPECT_TRUE(store::is_unavailable(refused.error()));
    }
}

// A real server whose version is changed on its way to us: Debian has no older one.
TEST_F(RedisNetwork, an_old_server_is_refused) {
    test::RedisServer server;
    const Proxy proxy(server.socket(), nullptr, [](std::span<char> bytes) {
        constexpr std::string_view version = "redis_version:7.";
        const std::size_t at = std::string_view(bytes.data(), bytes.size()).find(version);
        if (at != std::string_view::npos) bytes[at + version.size() - 2] = '6';
    });
    const auto refused = test::check(*open_store("redis://127.0.0.1:" + proxy.port()).value());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, code::store_misconfigured);
    EXPECT_NE(refused.error().message.find("Tenon needs 7.0 or newer"), std::string::npos) << refused.error().message;
}

TEST_F(RedisNetwork, a_server_that_is_not_redis_is_reported) {
    asio::io_context loop;
    Tcp::acceptor acceptor(loop, Tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    std::thread http([&] {
        boost::system::error_code ignored;
        Tcp::socket socket(loop);
        acceptor.accept(socket, ignored);
        asio::write(socket, asio::buffer(std::string("HTTP/1.1 400 Bad Request\r\n\r\n")), ignored);
        acceptor.close(ignored);
        std::array<char, 4096> buffer;
        while (!ignored) socket.read_some(asio::buffer(buffer), ignored);
    });
    const auto port = std::to_string(acceptor.local_endpoint().port());
    StoreOptions options;
    options.limits.first_reconnect = options.limits.longest_reconnect = std::chrono::hours(1);
    const auto store = open_store("redis://127.0.0.1:" + port, options).value();
    const auto refused = test::check(*store);
    http.join();
    ASSERT_FALSE(refused);
    EXPECT_TRUE(store::is_unavailable(refused.error()));
}

}  // namespace
