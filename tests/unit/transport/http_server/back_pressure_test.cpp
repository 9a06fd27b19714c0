// A handler that writes faster than its client reads must wait, and must not keep the I/O thread from other
// connections.
#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <future>

#include "support/http_world.hpp"
#include "transport/http_server/connection.hpp"
#include "transport/http_server/queued_response.hpp"

namespace tenon::test {
namespace {

constexpr std::size_t more_than_a_reader_may_be_behind = 100 * 1024;

struct BackPressure : testing::Test {
    BackPressure() {
        response->begin_stream({});
        response->write(std::string(more_than_a_reader_may_be_behind, 'x'));
    }
    ~BackPressure() override { stop.request_stop(); }

    /// Starts a thread that waits for the reader.
    std::future<void> wait() {
        return std::async(std::launch::async, [this] { response->wait_for_reader(stop); });
    }
    static bool waits(std::future<void>& waiter) {
        return waiter.wait_for(std::chrono::milliseconds(20)) == std::future_status::timeout;
    }
    void take() const {
        std::string out, body;
        base::MemoryCharge charge;
        response->take(out, body, charge);
    }

    base::LateStop stop;
    std::shared_ptr<QueuedResponse> response =
        std::make_shared<QueuedResponse>(QueuedResponse::Options{}, std::weak_ptr<QueuedResponse::Taker>());
};

TEST_F(BackPressure, a_writer_waits_until_the_output_is_taken) {
    auto waiter = wait();
    EXPECT_TRUE(waits(waiter));
    take();
    waiter.get();
}

TEST_F(BackPressure, a_writer_does_not_wait_for_a_reader_that_is_nearly_up_to_date) {
    take();
    response->write("a little");
    response->wait_for_reader(stop);
}

TEST_F(BackPressure, a_stopped_call_does_not_wait) {
    auto waiter = wait();
    EXPECT_TRUE(waits(waiter));
    stop.request_stop();
    waiter.get();
    response->wait_for_reader(stop);
}

TEST_F(BackPressure, a_writer_does_not_wait_for_a_client_that_has_left) {
    auto waiter = wait();
    EXPECT_TRUE(waits(waiter));
    response->abandon();
    waiter.get();
}

TEST_F(BackPressure, a_writer_does_not_wait_after_the_end_of_the_stream) {
    auto waiter = wait();
    EXPECT_TRUE(waits(waiter));
    response->end();
    waiter.get();
}

TEST_F(BackPressure, a_writer_does_not_wait_after_an_overflow) {
    const auto budget = std::make_shared<base::MemoryBudget>(1'000'000, 200'000);
    response = std::make_shared<QueuedResponse>(QueuedResponse::Options{}, std::weak_ptr<QueuedResponse::Taker>(),
                                                std::string(),
                                                base::MemoryCharge(std::make_shared<base::MemoryAccount>(budget)));
    response->begin_stream({});
    response->write(std::string(more_than_a_reader_may_be_behind, 'x'));
    auto waiter = wait();
    EXPECT_TRUE(waits(waiter));
    response->write(std::string(more_than_a_reader_may_be_behind, 'x'));
    ASSERT_TRUE(response->overflowed());
    waiter.get();
}

// A handler that reports progress twice, in every era and transport of HTTP.
struct HandlerBackPressure : testing::Test {
    HandlerBackPressure() {
        const auto report = [](Context& ctx) { return ctx.progress(1), ctx.progress(2), "done"; };
        server.tool("talk", "Reports progress", report);
        server.tool("talk_inline", "The same, on the I/O thread", report, {.placement = Placement::inline_});
    }
    static json::object call(std::string_view tool, json::object meta = {}) {
        meta["progressToken"] = 1;
        return tool_request(1, tool, {}, std::move(meta));
    }

    Server server{"test", "1"};
    HttpWorld world{server};
};

TEST_F(HandlerBackPressure, a_stateless_request_waits_for_its_reader_after_each_notification) {
    const Sent sent = world.post_alone(call("talk", modern_meta()));
    world.run_all();
    EXPECT_EQ(sent.writer->messages().size(), 3U);
    EXPECT_EQ(sent.writer->waits, 2);
}

TEST_F(HandlerBackPressure, a_request_of_a_session_waits_for_its_reader_after_each_notification) {
    const Sent sent = world.post(call("talk"), world.in_session(world.begin("2025-11-25")));
    world.run_all();
    EXPECT_GE(sent.writer->messages().size(), 3U);
    EXPECT_EQ(sent.writer->waits, 2);
}

TEST_F(HandlerBackPressure, a_handler_on_the_io_thread_never_waits) {
    const Sent sent = world.post_alone(call("talk_inline", modern_meta()));
    EXPECT_EQ(sent.writer->messages().size(), 3U);
    EXPECT_EQ(sent.writer->waits, 0);
}

/// A socket whose client sends one request and reads everything at once.
class EagerSocket final : public HttpSocket {
 public:
    EagerSocket(asio::io_context& context, std::string input, std::function<void()> on_write)
        : context_(context), input_(std::move(input)), on_write_(std::move(on_write)) {}

    void handshake(std::function<void(error_code)> done) override {
        asio::post(context_, [done = std::move(done)] { done({}); });
    }
    void read(std::shared_ptr<Reader> reader) override {
        if (input_.empty()) return;
        asio::post(context_, [this, reader = std::move(reader)] {
            const std::string bytes = std::exchange(input_, {});
            reader->on_read({}, bytes);
        });
    }
    void read_into(std::span<char>, std::shared_ptr<Reader>) override {}
    std::optional<std::size_t> try_write(Pieces bytes, error_code&) override {
        on_write_();
        return bytes.first.size() + bytes.second.size();
    }
    void write(Pieces, std::function<void(error_code, std::size_t)>) override {}
    void wait_for_reset(std::function<void()>) override {}
    bool can_be_half_closed() const override { return true; }
    void end_output() override {}
    void close() override {}

 private:
    asio::io_context& context_;
    std::string input_;
    std::function<void()> on_write_;
};

std::string call_with_progress() {
    json::object meta = modern_meta();
    meta["progressToken"] = 1;
    const std::string body = json::write(tool_request(1, "talk", {}, std::move(meta)));
    return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
           "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
           "Mcp-Method: tools/call\r\nMcp-Name: talk\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
}

// Each write makes the handler report progress again, as a handler does that runs on another processor.
TEST(HttpConnection, one_turn_of_the_event_loop_writes_one_piece_of_an_endless_stream) {
    Server server("test", "1");
    std::optional<Context> talking;
    std::optional<Reply<std::string>> reply;
    server.tool("talk", "Reports progress for ever", [&](Context& ctx, Reply<std::string> r) {
        talking = ctx;
        reply = std::move(r);
    });
    asio::io_context context;
    HttpTurns turns(context);
    int writes = 0;
    const auto report_again = [&] {
        if (++writes < 100) talking->progress(writes);
    };
    const auto shared = std::make_shared<HttpConnection::Shared>();
    shared->endpoint = std::make_shared<HttpEndpoint>(server, EndpointOptions{});
    const auto connection =
        std::make_shared<HttpConnection>(std::make_unique<EagerSocket>(context, call_with_progress(), report_again), "",
                                         context, turns, shared, [](HttpConnection*) {});
    connection->start();
    context.poll();
    ASSERT_TRUE(talking);
    context.restart();
    talking->progress(0);
    for (int turn = 1; turn <= 10; ++turn) {
        ASSERT_EQ(context.poll_one(), 1U);
        EXPECT_EQ(writes, turn);
    }
    connection->close(connection_ends::server_stops);
    std::move(*reply).send(std::string("over"));
}

}  // namespace
}  // namespace tenon::test
