// The limits of the HTTP client that other tests do not reach: elsewhere.txt names those tests. They need real sockets.
#include <atomic>
#include <future>

#include "integration/http_client_hostile.hpp"

namespace tenon::test {
namespace {

using namespace scripted;

struct HttpClientLimit : HttpClientHostile {
    static void expect_says(const Error& error, std::string_view words) {
        EXPECT_NE(error.message.find(words), std::string::npos) << error.message;
    }
    /// Returns the error of connecting to this server.
    Error connecting_fails(HttpClientOptions options) {
        options.proxy = "";
        try {
            Client c(tenon::http(std::move(options)), {.era = Era::modern});
            return error_of(c);
        } catch (const Exception& e) {
            return e.error();
        }
    }
};

TEST_F(HttpClientLimit, max_redirects) {
    std::atomic<int> asked = 0;
    std::atomic<bool> redirects = true;
    const ScriptedServer server(with_manners([&](Conn& c, const Request& r) {
        ++asked;
        return redirects ? c.empty("307 There", "Location: /mcp\r\n") : c.json(said(r));
    }));
    Client c = client(server, Era::modern, {.max_redirects = 2});
    expect_says(error_of(c), "redirects more than 2 times (max_redirects)");
    EXPECT_EQ(asked, 3);
    redirects = false;
    EXPECT_EQ(text_of(c), "well");
}

TEST_F(HttpClientLimit, max_head_bytes) {
    std::atomic<std::size_t> padding = 2000;
    const ScriptedServer server(with_manners(
        [&](Conn& c, const Request& r) { return c.json(said(r), "X: " + std::string(padding, 'x') + "\r\n"); }));
    Client c = client(server, Era::modern, {.max_head_bytes = 1000});
    expect_says(error_of(c), "its head is longer than 1000 bytes (max_head_bytes)");
    padding = 500;
    EXPECT_EQ(text_of(c), "well");
}

// The server accepts the connection, but never answers the TLS handshake.
TEST_F(HttpClientLimit, dial_time) {
    const ScriptedServer server([](Conn& c, int) { c.wait_for_close(); });
    std::string url = server.url();
    url.replace(0, 4, "https");
    expect_says(connecting_fails({.url = url, .dial_time = 20ms}), "no connection after 20 ms (dial_time)");
}

// The script ends when the client closes the idle connection. The client itself stays open.
TEST_F(HttpClientLimit, idle_time) {
    std::promise<void> closed;
    ScriptedServer server(
        [&, script = with_manners([](Conn& c, const Request& r) { return c.json(said(r)); })](Conn& c, int number) {
            script(c, number);
            if (number == 1) closed.set_value();
        });
    Client c = client(server, Era::modern, {.idle_time = 20ms});
    EXPECT_EQ(text_of(c), "well");
    EXPECT_EQ(closed.get_future().wait_for(20s), std::future_status::ready) << "by default it would take 30 seconds";
    EXPECT_EQ(text_of(c), "well") << "the next call opens a connection";
    EXPECT_GE(server.connections(), 2);
}

}  // namespace
}  // namespace tenon::test
