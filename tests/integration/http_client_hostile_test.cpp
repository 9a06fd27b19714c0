// The client against servers that break the protocol or the connection. Each call ends soon with one error.
// rules: HTTP-1, HTTP-4, HTTP-10, SEC-5
#include <gtest/gtest.h>

#include <future>
#include <map>

#include <tenon/client.hpp>
#include <tenon/transport/http_client.hpp>

#include "support/scripted_server.hpp"

namespace tenon::test {
namespace {

using namespace std::chrono_literals;
using Conn = ScriptedConnection;
using Request = ScriptedRequest;

std::string result(const Request& request, const std::string& json) {
    return R"({"jsonrpc":"2.0","id":)" + request.id() + R"(,"result":)" + json + "}";
}
const std::string discovered =
    R"({"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}})";
const std::string introduced =
    R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}})";
std::string said(const Request& request, const std::string& text = "well") {
    return result(request, R"({"content":[{"type":"text","text":")" + text + R"("}]})");
}

/// Decides the answer to a tool call. Returns false to close the connection. Everything else is answered correctly.
using OnCall = std::function<bool(Conn&, const Request&)>;
ScriptedServer::Script with_manners(OnCall on_call, std::string session = "", OnCall on_get = {}) {
    return [=](Conn& c, int) {
        const std::string field = session.empty() ? "" : "Mcp-Session-Id: " + session + "\r\n";
        for (Request r; c.read(r);) {
            if (r.method == "GET") {
                if (!on_get) c.empty("405 No");
                if (on_get && !on_get(c, r)) return;
            } else if (r.method == "DELETE") {
                c.empty("200 OK");
            } else if (r.says("server/discover")) {
                c.json(result(r, discovered));
            } else if (r.says("\"initialize\"")) {
                c.json(result(r, introduced), field);
            } else if (r.says("\"notifications/")) {
                c.empty("202 Accepted");
            } else if (!on_call(c, r)) {
                return;
            }
        }
    };
}

class HttpClientHostile : public testing::Test {
 protected:
    Client client(const ScriptedServer& server, Era era = Era::modern, HttpClientOptions options = {},
                  ClientLimits limits = {}) {
        if (options.url.empty()) options.url = server.url();
        if (!options.proxy) options.proxy = "";
        options.reconnect_time = options.max_reconnect_time = 1ms;
        return Client(tenon::http(std::move(options)), {.era = era, .limits = limits});
    }
    static Error error_of(Client& c, const CallOptions& options = {}) {
        try {
            c.call_tool("t", {}, options);
        } catch (const Exception& e) {
            return e.error();
        }
        return {0, "no error"};
    }
    static std::string text_of(Client& c) { return std::get<TextContent>(c.call_tool("t").content.at(0)).text; }
    /// Returns the error of a call that is answered with these bytes before the connection is closed.
    static Error answered_with(const std::string& bytes, HttpClientHostile& self) {
        const ScriptedServer server(with_manners([&](Conn& c, const Request&) {
            c.send(bytes);
            return false;
        }));
        Client c = self.client(server, Era::modern, {}, {.max_message_bytes = 64 * 1024});
        return error_of(c);
    }
};

TEST_F(HttpClientHostile, malformed_http_responses_are_errors) {
    for (const std::string bytes :
         {"hello", "HTTP/1.1 abc\r\n\r\n", "HTTP/9 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Type\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", "\r\n\r\n", "HTTP/1.1 200 O"})
        EXPECT_EQ(answered_with(bytes, *this).code, code::connection_closed) << bytes;
}

TEST_F(HttpClientHostile, a_truncated_or_malformed_body_is_an_error) {
    const std::string json = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
    EXPECT_EQ(answered_with(json + "Content-Length: 100\r\n\r\n{", *this).code, code::connection_closed);
    EXPECT_EQ(answered_with(json + "Transfer-Encoding: chunked\r\n\r\nzzz\r\n", *this).code, code::connection_closed);
    EXPECT_EQ(answered_with(json + "Transfer-Encoding: chunked\r\n\r\nffffffffff\r\n", *this).code,
              code::connection_closed);
    EXPECT_EQ(answered_with(json + "Content-Length: 5\r\n\r\n{{{{{", *this).code, code::invalid_answer);
    EXPECT_EQ(answered_with(json + "Content-Length: 2\r\n\r\n{}", *this).code, code::invalid_answer);
    EXPECT_EQ(answered_with(json + "Content-Length: 0\r\n\r\n", *this).code, code::invalid_answer);
}

TEST_F(HttpClientHostile, an_unexpected_content_type_is_an_error) {
    EXPECT_EQ(answered_with("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi", *this).code,
              code::invalid_answer);
    EXPECT_EQ(answered_with("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
                            "Content-Length: 2\r\n\r\nhi",
                            *this)
                  .code,
              code::invalid_answer);
    EXPECT_EQ(answered_with("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n", *this).code, code::invalid_answer);
}

// The body of an HTTP response belongs to its request, so an error in the body fails that call with the reason.
TEST_F(HttpClientHostile, an_unreadable_answer_fails_its_call_with_the_reason) {
    const auto with_id = [](const std::string& rest) {
        return [rest](const Request& r) { return R"({"jsonrpc":"2.0","id":)" + r.id() + "," + rest; };
    };
    const auto without_id = [](const std::string& body) { return [body](const Request&) { return body; }; };
    const std::map<std::string, std::pair<std::function<std::string(const Request&)>, std::string>> bodies = {
        {"too long", {with_id(R"("result":{"x":")" + std::string(100'000, 'x') + "\"}}"), "max_message_bytes"}},
        {"not JSON", {with_id("\"result\":{'x':1}}"), "cannot be read"}},
        {"bad UTF-8", {with_id("\"result\":{\"x\":\"\xff\"}}"), "cannot be read"}},
        {"too deep",
         {with_id("\"result\":" + std::string(1000, '[') + std::string(1000, ']') + "}"), "cannot be read"}},
        {"no JSON at all", {without_id("<html>"), "cannot be read"}},
        {"no envelope", {without_id("{}"), "cannot be read"}},
        {"no id", {without_id(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}})"), "what?"}},
        {"another id", {without_id(R"({"jsonrpc":"2.0","id":99999,"result":{}})"), "another id than the request"}},
    };
    for (const bool stream : {false, true}) {
        for (const auto& [name, what] : bodies) {
            if (stream && name == "another id") continue;  // the right answer may still follow on the stream
            const ScriptedServer server(with_manners([&, &body = what.first](Conn& c, const Request& r) {
                if (!stream) return c.json(body(r));
                c.begin_stream();
                c.send("data: " + body(r) + "\n\n");
                c.wait_for_close();
                return false;
            }));
            Client c = client(server, Era::modern, {}, {.max_message_bytes = 64 * 1024});
            const Error error = error_of(c);
            EXPECT_NE(error.code, code::request_timeout) << name;
            EXPECT_NE(error.message.find(what.second), std::string::npos) << name << ": " << error.message;
        }
    }
}

// Sends until the client closes. The test passes only if the client does.
void send_without_end(Conn& c, const std::string& begin, const std::string& again) {
    c.send(begin);
    while (c.send(again)) {
    }
}
TEST_F(HttpClientHostile, endless_responses_are_cut_off) {
    const std::string filler(16 * 1024, 'x');
    const std::string stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    const std::map<std::string, std::pair<std::string, std::string>> endless = {
        {"head", {"HTTP/1.1 200 OK\r\nA: ", filler}},
        {"fields", {"HTTP/1.1 200 OK\r\n", "A: b\r\n"}},
        {"interim", {"", "HTTP/1.1 100 Continue\r\n\r\n"}},
        {"body", {"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n", filler}},
        {"explanation", {"HTTP/1.1 500 No\r\n\r\n", filler}},
        {"event", {stream + "data: ", filler}},
        {"lines", {stream, "data: x\n"}},
    };
    for (const auto& [name, what] : endless) {
        std::promise<void> closed;
        const ScriptedServer server(with_manners([&, &bytes = what](Conn& c, const Request&) {
            send_without_end(c, bytes.first, bytes.second);
            closed.set_value();
            return false;
        }));
        Client c = client(server, Era::modern, {}, {.max_message_bytes = 64 * 1024});
        EXPECT_NE(error_of(c).code, 0) << name;
        EXPECT_EQ(closed.get_future().wait_for(60s), std::future_status::ready) << name;
    }
}

TEST_F(HttpClientHostile, sse_comments_and_empty_events_are_ignored) {
    const ScriptedServer server(with_manners([&](Conn& c, const Request& r) {
        c.begin_stream();
        for (int i = 0; i < 1000; ++i)
            c.send(": " + std::string(1000, '.') + "\n\nevent: other\ndata: {}\n\ndata:\n\n");
        c.send("data: " + said(r) + "\n\n");
        return false;
    }));
    Client c = client(server, Era::modern, {}, {.max_message_bytes = 64 * 1024});
    EXPECT_EQ(text_of(c), "well");
}

TEST_F(HttpClientHostile, cancelling_a_call_closes_its_unfinished_stream) {
    for (const Era era : {Era::legacy, Era::modern}) {
        std::promise<void> begun, closed;
        const ScriptedServer server(with_manners([&](Conn& c, const Request&) {
            c.begin_stream();
            c.send("da");
            begun.set_value();
            c.wait_for_close();
            closed.set_value();
            return false;
        }));
        Client c = client(server, era);
        std::stop_source stop;
        auto call = std::async(std::launch::async, [&] { return error_of(c, {.stop = stop.get_token()}).code; });
        begun.get_future().wait();
        stop.request_stop();
        EXPECT_EQ(call.get(), code::call_cancelled);
        EXPECT_EQ(closed.get_future().wait_for(60s), std::future_status::ready);
    }
}

TEST_F(HttpClientHostile, an_unanswered_call_times_out) {
    const ScriptedServer server(with_manners([&](Conn& c, const Request&) { return c.wait_for_close(), false; }));
    Client c = client(server);
    EXPECT_EQ(error_of(c, {.timeout = 1ms}).code, code::request_timeout);
}

TEST_F(HttpClientHostile, a_connection_reset_within_an_answer_is_an_error) {
    const ScriptedServer server(with_manners([&](Conn& c, const Request&) {
        c.begin_stream();
        c.send("data: {");
        c.reset();
        return false;
    }));
    Client c = client(server);
    EXPECT_EQ(error_of(c).code, code::connection_closed);
}

TEST_F(HttpClientHostile, a_silent_server_does_not_delay_close) {
    std::promise<void> asked;
    const ScriptedServer server([&, once = std::make_shared<std::once_flag>()](Conn& c, int) {
        Request r;
        c.read(r);
        std::call_once(*once, [&] { asked.set_value(); });
        c.wait_for_close();
    });
    Client c = client(server);
    auto connecting = std::async(std::launch::async, [&] { return error_of(c).code; });
    asked.get_future().wait();
    c.close(0ms);
    EXPECT_EQ(connecting.get(), code::connection_closed);
}

TEST_F(HttpClientHostile, an_unanswered_delete_does_not_delay_close) {
    const ScriptedServer server([&](Conn& c, int) {
        for (Request r; c.read(r);) {
            if (r.method == "DELETE") return c.wait_for_close();
            if (r.method == "GET") c.empty("405 No");
            if (r.says("\"initialize\"")) c.json(result(r, introduced), "Mcp-Session-Id: s\r\n");
            if (r.says("notifications/")) c.empty("202 Accepted");
        }
    });
    Client c = client(server, Era::legacy);
    c.connect();
    c.close(50ms);
}

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

// ---- sessions and streams (2025-11-25)

TEST_F(HttpClientHostile, every_request_of_a_session_carries_its_id_and_revision) {
    std::mutex mutex;
    std::map<std::string, std::string> seen;  // kind of message to "session revision"
    {
        const ScriptedServer server([&](Conn& c, int) {
            for (Request r; c.read(r);) {
                const std::string what = r.method != "POST"         ? r.method
                                         : r.says("initialized")    ? "initialized"
                                         : r.says("\"initialize\"") ? "initialize"
                                                                    : "call";
                {
                    const std::lock_guard lock(mutex);
                    seen[what] = r.field("Mcp-Session-Id") + " " + r.field("MCP-Protocol-Version");
                }
                if (what == "initialize")
                    c.json(result(r, introduced), "mcp-session-id: abc\r\n");
                else if (what == "initialized")
                    c.empty("202 Accepted");
                else if (what == "call")
                    c.json(said(r));
                else
                    c.empty(what == "GET" ? "405 No" : "200 OK");
            }
        });
        Client c = client(server, Era::legacy);
        EXPECT_EQ(text_of(c), "well");
        c.close();
    }
    const std::map<std::string, std::string> expected = {{"initialize", " "},
                                                         {"initialized", "abc 2025-11-25"},
                                                         {"GET", "abc 2025-11-25"},
                                                         {"call", "abc 2025-11-25"},
                                                         {"DELETE", "abc 2025-11-25"}};
    EXPECT_EQ(seen, expected);
}

TEST_F(HttpClientHostile, a_broken_stream_is_resumed_after_its_last_event) {
    std::promise<std::string> resumed;
    std::promise<Request> call;
    const ScriptedServer server(with_manners(
        [&](Conn& c, const Request& r) {
            call.set_value(r);
            c.begin_stream();
            c.send("id: e1\nretry: 1\ndata:\n\nid: e2\nda");
            return false;
        },
        "s",
        [&](Conn& c, const Request& r) {
            if (r.field("Last-Event-ID").empty()) return c.empty("405 No");
            resumed.set_value(r.field("Last-Event-ID") + r.field("Mcp-Session-Id"));
            c.begin_stream();
            c.send("id: e3\ndata: " + said(call.get_future().get(), "late") + "\n\n");
            return false;
        }));
    Client c = client(server, Era::legacy);
    EXPECT_EQ(text_of(c), "late");
    EXPECT_EQ(resumed.get_future().get(), "e1s");
}

TEST_F(HttpClientHostile, a_broken_stream_without_event_ids_is_an_error) {
    for (const Era era : {Era::legacy, Era::modern}) {
        const ScriptedServer server(with_manners([&](Conn& c, const Request&) {
            c.begin_stream();
            // 2026-07-28 has no event ids, so the client must ignore them.
            c.send(era == Era::modern ? "id: 1\ndata:\n\n" : "data:\n\n");
            return false;
        }));
        Client c = client(server, era);
        EXPECT_EQ(error_of(c).code, code::connection_closed);
    }
}

TEST_F(HttpClientHostile, resuming_stops_after_max_reconnects) {
    std::atomic<int> asked = 0;
    const ScriptedServer server(with_manners(
        [&](Conn& c, const Request&) {
            c.begin_stream();
            c.send("id: e1\ndata:\n\n");
            return false;
        },
        "",
        [&](Conn& c, const Request& r) {
            if (r.field("Last-Event-ID").empty()) return c.empty("405 No");
            ++asked;
            c.begin_stream();
            return false;
        }));
    Client c = client(server, Era::legacy, {.max_reconnects = 3});
    EXPECT_EQ(error_of(c).code, code::connection_closed);
    EXPECT_EQ(asked, 3);
}

TEST_F(HttpClientHostile, losing_the_session_while_resuming_fails_the_call_without_repeating_it) {
    std::atomic<int> calls = 0;
    const ScriptedServer server(with_manners(
        [&](Conn& c, const Request& r) {
            if (++calls > 1) return c.json(said(r));
            c.begin_stream();
            c.send("id: e1\ndata:\n\n");
            return false;
        },
        "s",
        [&](Conn& c, const Request& r) { return c.empty(r.field("Last-Event-ID").empty() ? "405 No" : "404 Gone"); }));
    Client c = client(server, Era::legacy);
    EXPECT_EQ(error_of(c).code, code::connection_closed);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(text_of(c), "well");  // in a new session
}

TEST_F(HttpClientHostile, a_lost_session_is_replaced_and_the_call_sent_again) {
    std::atomic<int> sessions = 0, refused = 0;
    const ScriptedServer server([&](Conn& c, int) {
        for (Request r; c.read(r);) {
            if (r.method != "POST")
                c.empty("405 No");
            else if (r.says("\"initialize\""))
                c.json(result(r, introduced), "Mcp-Session-Id: s" + std::to_string(++sessions) + "\r\n");
            else if (r.says("notifications/"))
                c.empty("202 Accepted");
            else if (r.field("Mcp-Session-Id") == "s1")
                ++refused, c.empty("404 Not Found");
            else
                c.json(said(r));
        }
    });
    Client c = client(server, Era::legacy);
    EXPECT_EQ(text_of(c), "well");
    EXPECT_EQ(sessions, 2);
    EXPECT_EQ(refused, 1);
}

TEST_F(HttpClientHostile, a_server_that_loses_every_session_is_an_error) {
    const ScriptedServer server(with_manners([&](Conn& c, const Request&) { return c.empty("404 Not Found"); }, "s"));
    Client c = client(server, Era::legacy);
    EXPECT_EQ(error_of(c).code, code::connection_closed);
}

TEST_F(HttpClientHostile, an_invalid_session_id_is_not_sent) {
    const ScriptedServer server(with_manners(
        [&](Conn& c, const Request& r) { return c.json(said(r, "<" + r.field("Mcp-Session-Id") + ">")); }, "a b"));
    Client c = client(server, Era::legacy);
    EXPECT_EQ(text_of(c), "<>");
}

TEST_F(HttpClientHostile, the_get_stream_of_a_session_is_reopened_with_its_last_event_id) {
    std::atomic<int> opened = 0;
    std::promise<std::string> last;
    const ScriptedServer server(with_manners([&](Conn& c, const Request& r) { return c.json(said(r)); }, "s",
                                             [&](Conn& c, const Request& r) {
                                                 c.begin_stream();
                                                 if (++opened < 3) {
                                                     c.send("id: n" + std::to_string(opened) + "\nretry: 1\ndata:\n\n");
                                                     return false;
                                                 }
                                                 if (opened == 3) last.set_value(r.field("Last-Event-ID"));
                                                 c.wait_for_close();
                                                 return false;
                                             }));
    Client c = client(server, Era::legacy);
    c.connect();
    EXPECT_EQ(last.get_future().get(), "n2");
}

// ---- the transport of 2024-11-05

/// A server with two endpoints: messages posted to the second are answered on the stream of the first.
class OldServer {
 public:
    explicit OldServer(std::string endpoint = "/messages?session=1")
        : server([this, endpoint](Conn& c, int) {
              for (Request r; c.read(r);) {
                  if (r.method == "GET") {
                      c.begin_stream();
                      {
                          const std::lock_guard lock(mutex);
                          stream = &c;
                          c.send("event: endpoint\ndata: " + endpoint + "\n\n");
                      }
                      c.wait_for_close();
                      const std::lock_guard lock(mutex);
                      stream = nullptr;
                      return;
                  }
                  if (r.target != "/messages?session=1") {
                      c.empty("405 No");
                      continue;
                  }
                  c.empty("202 Accepted");
                  const std::lock_guard lock(mutex);
                  if (!stream || r.says("notifications/")) continue;
                  if (r.says("\"die\"")) {
                      stream->shut_down();
                  } else {
                      stream->send("data: " + (r.says("\"initialize\"") ? result(r, introduced) : said(r)) + "\n\n");
                  }
              }
          }) {}

    std::mutex mutex;
    Conn* stream = nullptr;
    ScriptedServer server;
};

TEST_F(HttpClientHostile, a_server_with_only_the_2024_11_05_transport_is_supported) {
    for (const Era era : {Era::automatic, Era::legacy}) {
        const OldServer old;
        Client c = client(old.server, era);
        for (int i = 0; i < 5; ++i) EXPECT_EQ(text_of(c), "well");
        EXPECT_EQ(c.era(), Era::legacy);
    }
}

TEST_F(HttpClientHostile, the_end_of_the_old_transports_stream_fails_every_call) {
    const OldServer old;
    Client c = client(old.server, Era::legacy);
    EXPECT_EQ(text_of(c), "well");
    try {
        c.call_tool("die");
        ADD_FAILURE();
    } catch (const Exception& e) {
        EXPECT_EQ(e.error().code, code::connection_closed);
    }
}

TEST_F(HttpClientHostile, the_old_transports_endpoint_at_another_origin_is_not_used) {
    ScriptedServer elsewhere([](Conn& c, int) { c.read_head(); });
    const OldServer old(elsewhere.url());
    Client c = client(old.server, Era::legacy);
    EXPECT_EQ(error_of(c).code, code::connection_closed);
    EXPECT_EQ(elsewhere.connections(), 0);
}

TEST_F(HttpClientHostile, the_old_transport_is_not_tried_when_old_http_sse_is_off) {
    const OldServer old;
    Client c = client(old.server, Era::legacy, {.old_http_sse = false});
    EXPECT_NE(error_of(c).message.find("HTTP 405"), std::string::npos);
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
    ScriptedServer nobody([](Conn&, int) {});
    Client c = client(nobody, Era::modern, {.url = "http://no-such-host.invalid/"});
    EXPECT_EQ(error_of(c).code, code::connection_closed);
    EXPECT_EQ(nobody.connections(), 0);
}

}  // namespace
}  // namespace tenon::test
