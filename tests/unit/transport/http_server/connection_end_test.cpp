// The log has a line for each connection that was closed, with the reason.
#include <gtest/gtest.h>

#include <boost/asio/post.hpp>

#include <tenon/metrics.hpp>

#include "support/http_world.hpp"
#include "transport/http_server/connection.hpp"

namespace tenon::test {
namespace {

/// What the client of a ScriptedSocket does.
struct SocketScript {
    std::string input = {};
    std::optional<error_code> then = {};  ///< after the input; nullopt: it is silent
    error_code handshake = {};
    std::size_t reads = SIZE_MAX;  ///< bytes of output, before it stops to read
    error_code writing = {};       ///< the error of each write
};

class ScriptedSocket final : public HttpSocket {
 public:
    ScriptedSocket(asio::io_context& context, SocketScript script) : context_(context), script_(std::move(script)) {}

    void handshake(std::function<void(error_code)> done) override {
        asio::post(context_, [done = std::move(done), error = script_.handshake] { done(error); });
    }
    void read(std::shared_ptr<Reader> reader) override {
        if (script_.input.empty() && !script_.then) return;
        asio::post(context_, [this, reader = std::move(reader)] {
            const std::string bytes = std::exchange(script_.input, {});
            bytes.empty() ? reader->on_read(*std::exchange(script_.then, {}), {}) : reader->on_read({}, bytes);
        });
    }
    void read_into(std::span<char>, std::shared_ptr<Reader>) override {}
    std::optional<std::size_t> try_write(Pieces bytes, error_code& error) override {
        error = script_.writing;
        const std::size_t n = std::min(script_.reads, bytes.first.size() + bytes.second.size());
        script_.reads -= n;
        return n;
    }
    void write(Pieces, std::function<void(error_code, std::size_t)>) override {}
    void wait_for_reset(std::function<void()>) override {}
    bool can_be_half_closed() const override { return true; }
    void end_output() override {}
    void close() override {}

 private:
    asio::io_context& context_;
    SocketScript script_;
};

std::string modern_request(const std::string& fields = "") {
    const std::string body = json::write(request(1, "server/discover", {{"_meta", modern_meta()}}));
    return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
           "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: "
           "server/discover\r\n" +
           fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

struct LogLine {
    LogLevel level;
    std::string message;
    std::map<std::string, std::string> fields;
};

struct ConnectionEnds : testing::Test {
    ServerOptions logged() {
        ServerOptions out;
        out.metrics = metrics;
        out.wall_clock = [] { return WallTime(); };
        out.log = [this](const LogRecord& record) {
            LogLine line{record.level, std::string(record.message), {}};
            for (const LogField& field : record.fields) line.fields.emplace(field.name, field.value);
            lines.push_back(std::move(line));
        };
        return out;
    }
    void open(SocketScript script) {
        if (!shared->endpoint) {
            EndpointOptions options;
            options.authenticate = authenticate;
            shared->endpoint = std::make_shared<HttpEndpoint>(server, options);
        }
        connection = std::make_shared<HttpConnection>(std::make_unique<ScriptedSocket>(context, std::move(script)),
                                                      "192.0.2.7", context, turns, shared, [](HttpConnection*) {});
        connection->start();
        run();
    }
    void run() {
        context.restart();
        context.poll();
    }
    /// Lets the current wait of the connection end.
    void wait() const {
        connection->check_time(TimePoint());
        connection->check_time(TimePoint() + std::chrono::hours(24));
    }
    void expect_one_line(LogLevel level, std::string_view reason, LimitName limit = LimitName::none) {
        ASSERT_EQ(lines.size(), 1U);
        EXPECT_EQ(lines[0].level, level);
        EXPECT_EQ(lines[0].message, "a connection was closed: " + std::string(reason));
        EXPECT_EQ(lines[0].fields["address"], "192.0.2.7");
        EXPECT_EQ(lines[0].fields["limit"], to_string(limit));
        EXPECT_EQ(limits_hit(), to_string(limit));
    }
    /// Returns the names of the limits that the metrics have counted.
    std::string limits_hit() const {
        std::string out;
        const MetricsSnapshot snapshot = metrics->snapshot();
        for (const auto& series : snapshot.find("tenon_limits_hit")->series)
            if (series.value > 0) out += series.label("limit");
        return out;
    }

    std::vector<LogLine> lines;
    std::shared_ptr<Metrics> metrics = std::make_shared<Metrics>();
    Server server{"test", "1", logged()};
    std::function<std::optional<std::string>(std::string_view)> authenticate;
    asio::io_context context;
    HttpTurns turns{context};
    std::shared_ptr<HttpConnection::Shared> shared = std::make_shared<HttpConnection::Shared>();
    std::shared_ptr<HttpConnection> connection;
};

TEST_F(ConnectionEnds, a_client_that_sends_nothing) {
    open({});
    wait();
    expect_one_line(LogLevel::info, "its first request did not come in time (Limits::head_time)", LimitName::head_time);
}

TEST_F(ConnectionEnds, an_idle_connection) {
    open({.input = modern_request()});
    wait();
    expect_one_line(LogLevel::info, "it was idle for too long (Limits::connection_idle_time)");
}

TEST_F(ConnectionEnds, a_failed_handshake) {
    open({.handshake = asio::error::connection_aborted});
    expect_one_line(LogLevel::info, "the TLS handshake failed");
}

TEST_F(ConnectionEnds, a_client_that_closes_between_two_requests) {
    open({.input = modern_request(), .then = asio::error::eof});
    expect_one_line(LogLevel::info, "the client closed it between two requests");
}

TEST_F(ConnectionEnds, a_client_that_leaves_in_the_middle_of_a_request) {
    open({.input = "POST /mcp HTTP/1.1\r\n", .then = asio::error::connection_reset});
    expect_one_line(LogLevel::info, "the client left in the middle of a request or response");
}

TEST_F(ConnectionEnds, a_client_that_resets_the_connection_before_its_response) {
    open({.input = modern_request(), .writing = asio::error::broken_pipe});
    expect_one_line(LogLevel::info, "the client left in the middle of a request or response");
}

TEST_F(ConnectionEnds, a_client_that_asks_for_one_response) {
    open({.input = modern_request("Connection: close\r\n"), .then = asio::error::eof});
    expect_one_line(LogLevel::info, "its last response was sent");
}

TEST_F(ConnectionEnds, the_end_of_the_server) {
    open({});
    connection->finish();
    expect_one_line(LogLevel::info, "the server is shutting down");
}

TEST_F(ConnectionEnds, a_client_that_does_not_read_its_response) {
    open({.input = modern_request(), .reads = 10});
    wait();
    expect_one_line(LogLevel::warning, "the client did not read its response in time (Limits::write_time)",
                    LimitName::write_time);
}

// A stream whose client has stopped to read.
struct SlowReaderEnds : ConnectionEnds {
    void stream() {
        std::optional<Context> talking;
        server.tool("talk", "Reports progress", [&](Context& ctx, Reply<std::string> reply) {
            talking = ctx;
            kept = std::move(reply);
        });
        json::object meta = modern_meta();
        meta["progressToken"] = 1;
        const std::string body = json::write(tool_request(1, "talk", {}, std::move(meta)));
        open({.input = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: "
                       "application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: "
                       "tools/call\r\nMcp-Name: talk\r\nContent-Length: " +
                       std::to_string(body.size()) + "\r\n\r\n" + body,
              .reads = 10});
        ASSERT_TRUE(talking);
        for (int i = 0; i < 5; ++i) {
            talking->progress(i, std::nullopt, std::string(1000, 'x'));
            run();
        }
    }
    ~SlowReaderEnds() override {
        if (kept) std::move(*kept).send(std::string("over"));
    }
    std::optional<Reply<std::string>> kept;
};

TEST_F(SlowReaderEnds, output_above_its_limit) {
    shared->limits.max_queued_output_bytes = 2000;
    stream();
    ASSERT_FALSE(lines.empty());
    lines.resize(1);  // the call was cancelled, too
    expect_one_line(LogLevel::warning, "the client is too slow for its output (Limits::max_queued_output_bytes)",
                    LimitName::max_queued_output_bytes);
}

TEST_F(ConnectionEnds, a_refused_request_has_a_line_of_its_own) {
    open({.input = "nonsense\r\n\r\n", .then = asio::error::eof});
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].fields["status"], "400");
    EXPECT_EQ(lines[1].message, "a connection was closed: its last response was sent");
}

// The limit PeerLines::max_lines.
TEST_F(ConnectionEnds, a_flood_of_connections_does_not_fill_the_log) {
    for (int i = 0; i < 200; ++i) open({.handshake = asio::error::connection_aborted});
    EXPECT_EQ(lines.size(), PeerLines::max_lines);
    EXPECT_EQ(lines.back().fields["note"], "further lines of this peer are not logged for a minute");
}

// rules: SEC-6
TEST_F(ConnectionEnds, a_line_names_the_principal_escaped_and_no_credential) {
    authenticate = [](std::string_view) { return std::optional<std::string>("ann\x1b[31m\u202e"); };
    open({.input = modern_request("Authorization: Bearer canary\r\n"), .then = asio::error::eof});
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].fields["principal"], "ann [31m<U+202E>");
    for (const auto& [name, value] : lines[0].fields) EXPECT_EQ(value.find("canary"), std::string::npos) << name;
}

/// Sessions, by the clock of the test.
struct SessionEnds : ConnectionEnds {
    const LogLine* line_of(std::string_view text) const {
        const auto it =
            std::ranges::find_if(lines, [&](const LogLine& l) { return l.message.find(text) != l.message.npos; });
        return it == lines.end() ? nullptr : &*it;
    }
    Server small{"test", "1", [this] {
                     ServerOptions out = logged();
                     out.limits.max_sessions = 1;
                     return out;
                 }()};
    HttpWorld world{small};
};

TEST_F(SessionEnds, a_session_that_is_not_used) {
    world.begin();
    world.advance(std::chrono::hours(24 * 365));
    const LogLine* line = line_of("a session ended: the session was not used for too long");
    ASSERT_TRUE(line);
    EXPECT_EQ(line->level, LogLevel::info);
}

TEST_F(SessionEnds, a_session_that_makes_room_for_another) {
    world.begin();
    world.advance(std::chrono::seconds(1));  // now it is idle
    world.begin();
    const LogLine* line = line_of("a session ended: the session was not in use, and there are too many");
    ASSERT_TRUE(line);
    EXPECT_EQ(line->level, LogLevel::warning);
    EXPECT_EQ(line->fields.at("limit"), "max_sessions");
}

TEST_F(SessionEnds, a_session_that_its_client_ends) {
    world.end(world.begin());
    EXPECT_TRUE(line_of("a session ended: the session was ended by its client"));
}

}  // namespace
}  // namespace tenon::test
