// The log says why a connection ended, over real pipes and sockets.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <mutex>

#include <tenon/tenon.hpp>

#include "support/http_client.hpp"

namespace tenon::test {
namespace {

class ConnectionLog : public testing::Test {
 protected:
    ServerOptions logged() {
        ServerOptions out;
        out.log = [this](const LogRecord& r) {
            const std::lock_guard lock(mutex_);
            lines_ += std::string(to_string(r.level)) + ": " + std::string(r.message) + "\n";
        };
        return out;
    }
    bool has(const std::string& line) {
        const std::lock_guard lock(mutex_);
        return lines_.find(line + "\n") != std::string::npos;
    }

    std::mutex mutex_;
    std::string lines_;
};

struct StdioLog : ConnectionLog {
    StdioLog() {
        EXPECT_EQ(::pipe(in), 0);
        EXPECT_EQ(::pipe(out), 0);
    }
    ~StdioLog() override {
        for (const int fd : {in[0], in[1], out[0], out[1]})
            if (fd >= 0) ::close(fd);
    }
    void serve(int input) {
        Server server("test", "1", logged());
        EXPECT_EQ(
            serve_stdio(server, {.input = input, .output = out[1], .protect_streams = false, .handle_signals = false}),
            0);
    }
    int in[2] = {-1, -1}, out[2] = {-1, -1};
};

TEST_F(StdioLog, the_end_of_the_input) {
    ::close(std::exchange(in[1], -1));
    serve(in[0]);
    EXPECT_TRUE(has("info: the connection ends: the client closed the input")) << lines_;
}

TEST_F(StdioLog, an_input_that_cannot_be_read) {
    const int folder = ::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    serve(folder);
    ::close(folder);
    EXPECT_TRUE(has("error: the connection ends: the input cannot be read: Is a directory")) << lines_;
}

TEST_F(StdioLog, a_client_that_does_not_read) {
    ::signal(SIGPIPE, SIG_IGN);  // as every host must that keeps its own signals
    ::close(std::exchange(out[0], -1));
    const std::string_view ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    ASSERT_EQ(::write(in[1], ping.data(), ping.size()), static_cast<ssize_t>(ping.size()));
    serve(in[0]);
    EXPECT_TRUE(has("warning: the client closed the server's output; stopping")) << lines_;
}

TEST_F(ConnectionLog, a_connection_that_makes_room_for_another) {
    ServerOptions options = logged();
    options.limits.max_connections = 1;
    options.metrics = std::make_shared<Metrics>();
    Server server("test", "1", options);
    HttpServer http(server, {.port = 0, .threads = 1});
    const std::string request = "GET /elsewhere HTTP/1.1\r\nHost: localhost\r\n\r\n";
    HttpClient first(http.port());
    first.send(request);
    EXPECT_EQ(first.reply().status, 404);
    HttpClient second(http.port());
    second.send(request);
    EXPECT_EQ(second.reply().status, 404);
    EXPECT_TRUE(has("warning: a connection was closed: there are too many connections (Limits::max_connections)"))
        << lines_;
    http.stop();
    EXPECT_TRUE(has("info: a connection was closed: the server is shutting down")) << lines_;
    const std::string text = write_metrics(options.metrics->snapshot(), MetricsFormat::prometheus);
    EXPECT_NE(text.find("tenon_limits_hit_total{limit=\"max_connections\"} 1"), std::string::npos) << text;
}

}  // namespace
}  // namespace tenon::test
