// Sessions and streams that break, of the Streamable HTTP transport and of the one before it.
// rules: HTTP-4, HTTP-10
#include "integration/http_client_hostile.hpp"

namespace tenon::test {
namespace {

using namespace scripted;

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

}  // namespace
}  // namespace tenon::test
