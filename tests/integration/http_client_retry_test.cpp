// When the client sends a request again: after a lost connection, a redirect, a refusal, or at a proxy.
// rules: HTTP-1
#include "integration/http_client_hostile.hpp"

namespace tenon::test {
namespace {

using namespace scripted;

// ---- retries

TEST_F(HttpClientHostile, a_request_on_a_closed_keep_alive_connection_is_sent_again) {
    std::atomic<int> calls = 0;
    const ScriptedServer server([&](Conn& c, int) {  // one response per connection, without `Connection: close`
        Request r;
        if (!c.read(r)) return;
        if (r.says("server/discover")) {
            c.json(result(r, discovered));
        } else {
            ++calls;
            c.json(said(r));
        }
        // The server closes either at once or when the next request arrives. The client must handle both.
        if (calls % 2 == 1) c.read(r);
    });
    Client c = client(server);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(text_of(c), "well");
    EXPECT_EQ(calls, 20);
}

TEST_F(HttpClientHostile, a_request_on_a_new_connection_is_not_retried) {
    std::atomic<int> calls = 0;
    const ScriptedServer server([&](Conn& c, int) {
        Request r;
        if (!c.read(r)) return;
        if (r.says("server/discover")) {
            c.json(result(r, discovered), "Connection: close\r\n");
        } else {
            ++calls;
        }
    });
    Client c = client(server);
    EXPECT_EQ(error_of(c).code, code::connection_closed);
    EXPECT_EQ(calls, 1);
}

TEST_F(HttpClientHostile, a_request_is_not_retried_after_the_answer_began) {
    std::atomic<int> calls = 0;
    const ScriptedServer server(with_manners([&](Conn& c, const Request&) {
        ++calls;
        c.send("H");
        return false;
    }));
    Client c = client(server);
    EXPECT_EQ(error_of(c).code, code::connection_closed);
    EXPECT_EQ(calls, 1);
}

TEST_F(HttpClientHostile, a_connection_is_reused_for_many_calls) {
    ScriptedServer server(with_manners([&](Conn& c, const Request& r) { return c.json(said(r)); }));
    Client c = client(server);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(text_of(c), "well");
    EXPECT_EQ(server.connections(), 1);
}

// ---- redirects

TEST_F(HttpClientHostile, a_redirect_within_the_origin_is_followed) {
    const ScriptedServer server([&](Conn& c, int) {
        for (Request r; c.read(r);) {
            if (r.target == "/mcp") {
                c.empty("307 There", "Location: other/place?x=1\r\n");
            } else if (r.target != "/other/place?x=1" || r.method != "POST" || r.field("X-Token") != "t") {
                c.empty("500 No");
            } else {
                c.json(r.says("server/discover") ? result(r, discovered) : said(r));
            }
        }
    });
    Client c = client(server, Era::modern, {.url = server.url(), .headers = {{"X-Token", "t"}}});
    EXPECT_EQ(text_of(c), "well");
}

TEST_F(HttpClientHostile, a_redirect_to_another_origin_is_not_followed) {
    ScriptedServer elsewhere([](Conn& c, int) { c.read_head(); });
    const ScriptedServer server(with_manners(
        [&](Conn& c, const Request&) { return c.empty("308 There", "Location: " + elsewhere.url() + "\r\n"); }));
    Client c = client(server);
    const Error error = error_of(c);
    EXPECT_NE(error.message.find("another origin"), std::string::npos) << error.message;
    EXPECT_EQ(elsewhere.connections(), 0);
}

TEST_F(HttpClientHostile, a_redirect_loop_is_an_error) {
    std::atomic<int> asked = 0;
    const ScriptedServer server(with_manners([&](Conn& c, const Request&) {
        ++asked;
        return c.empty("307 There", "Location: /mcp\r\n");
    }));
    Client c = client(server);
    EXPECT_EQ(error_of(c).code, code::connection_closed);
    EXPECT_EQ(asked, 6);
}

TEST_F(HttpClientHostile, a_302_response_to_a_post_is_an_error) {
    const ScriptedServer server(
        with_manners([&](Conn& c, const Request&) { return c.empty("302 Found", "Location: /x\r\n"); }));
    Client c = client(server);
    EXPECT_NE(error_of(c).message.find("HTTP 302"), std::string::npos);
}

// ---- refusals

TEST_F(HttpClientHostile, an_http_error_carries_its_status_and_www_authenticate) {
    const ScriptedServer server(with_manners([&](Conn& c, const Request&) {
        return c.empty("401 Unauthorized", "WWW-Authenticate: Bearer resource_metadata=\"x\"\r\n");
    }));
    Client c = client(server);
    const Error error = error_of(c);
    EXPECT_EQ(error.data.at("httpStatus"), 401);
    EXPECT_EQ(error.data.at("wwwAuthenticate"), "Bearer resource_metadata=\"x\"");
}

TEST_F(HttpClientHostile, a_json_rpc_error_in_the_body_takes_precedence_over_the_http_status) {
    const ScriptedServer server(with_manners([&](Conn& c, const Request&) {
        return c.json(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no such thing"}})", "",
                      "404 Not Found");
    }));
    Client c = client(server);
    EXPECT_EQ(error_of(c).code, code::method_not_found);
}

// ---- eras

TEST_F(HttpClientHostile, a_server_that_refuses_discover_gets_initialize) {
    for (const std::string status : {"400 Bad Request", "404 Not Found", "405 No", "500 Oops"}) {
        const ScriptedServer server([&](Conn& c, int) {
            for (Request r; c.read(r);) {
                if (r.method != "POST")
                    c.empty("405 No");
                else if (r.says("server/discover"))
                    c.empty(status);
                else if (r.says("\"initialize\""))
                    c.json(result(r, introduced));
                else if (r.says("notifications/"))
                    c.empty("202 Accepted");
                else
                    c.json(said(r));
            }
        });
        Client c = client(server, Era::automatic);
        EXPECT_EQ(text_of(c), "well") << status;
        EXPECT_EQ(c.era(), Era::legacy);
    }
}

// ---- proxies

TEST_F(HttpClientHostile, a_proxy_gets_the_absolute_url_and_its_credentials) {
    std::promise<std::string> head;
    const ScriptedServer proxy([&](Conn& c, int number) {
        const std::string got = c.read_head();
        if (number == 1) head.set_value(got);
        c.empty("502 Bad Gateway");
    });
    Client c =
        client(proxy, Era::modern,
               {.url = "http://mcp.invalid/x?y", .proxy = "http://me:pw@127.0.0.1:" + std::to_string(proxy.port())});
    EXPECT_NE(error_of(c).message.find("HTTP 502"), std::string::npos);
    const std::string got = head.get_future().get();
    EXPECT_TRUE(got.starts_with("POST http://mcp.invalid/x?y HTTP/1.1\r\nHost: mcp.invalid\r\n")) << got;
    EXPECT_NE(got.find("Proxy-Authorization: Basic bWU6cHc=\r\n"), std::string::npos);
}

TEST_F(HttpClientHostile, a_proxy_that_refuses_a_tunnel_is_an_error) {
    for (const std::string answer : {"HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n", "garbage\r\n\r\n", ""}) {
        const ScriptedServer proxy([&](Conn& c, int) {
            const std::string head = c.read_head();
            if (head.starts_with("CONNECT mcp.invalid:443 HTTP/1.1\r\n")) c.send(answer);
        });
        Client c = client(proxy, Era::modern,
                          {.url = "https://mcp.invalid/", .proxy = "127.0.0.1:" + std::to_string(proxy.port())});
        EXPECT_EQ(error_of(c).code, code::connection_closed) << answer;
    }
}

TEST_F(HttpClientHostile, an_unknown_host_name_is_an_error) {
    ScriptedServer unused([](Conn&, int) {});
    Client c = client(unused, Era::modern, {.url = "http://no-such-host.invalid/"});
    EXPECT_EQ(error_of(c).code, code::connection_closed);
    EXPECT_EQ(unused.connections(), 0);
}

}  // namespace
}  // namespace tenon::test
