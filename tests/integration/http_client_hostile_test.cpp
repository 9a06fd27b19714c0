// The client against servers that break the protocol or the connection. Each call ends soon with one error.
// rules: HTTP-1, SEC-5
#include "integration/http_client_hostile.hpp"

namespace tenon::test {
namespace {

using namespace scripted;

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

}  // namespace
}  // namespace tenon::test
