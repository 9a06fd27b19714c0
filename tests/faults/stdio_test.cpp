// A server over pipes, with a fault at each allocation and at each system call.
#include <signal.h>
#include <unistd.h>

#include <array>
#include <thread>

#include <tenon/transport/stdio.hpp>

#include "faults/conversation.hpp"
#include "faults/inject.hpp"

namespace tenon::test {
namespace {

/// Serves its other end on a thread that is a subject.
class PipeLink final : public Link {
 public:
    explicit PipeLink(Server& server) {
        EXPECT_EQ(::pipe(to_server_.data()), 0);
        EXPECT_EQ(::pipe(from_server_.data()), 0);
        thread_ = std::thread([&server, input = to_server_[0], output = from_server_[1]] {
            const Subject subject;
            try {
                serve_stdio(server,
                            {.input = input, .output = output, .protect_streams = false, .handle_signals = false});
            } catch (const std::exception&) {  // it could not even begin
            }
            ::close(input);
            ::close(output);
        });
    }
    ~PipeLink() override {
        ::close(to_server_[1]);
        std::array<char, 4096> rest;
        while (::read(from_server_[0], rest.data(), rest.size()) > 0) {
        }
        thread_.join();
        ::close(from_server_[0]);
    }

    bool send(const json::object& message) override {
        const std::string line = boost::json::serialize(message) + "\n";
        return ::write(to_server_[1], line.data(), line.size()) == static_cast<ssize_t>(line.size());
    }
    std::optional<json::object> next() override {
        for (;;) {
            if (const std::size_t end = in_.find('\n'); end != in_.npos) {
                const auto message = json::parse(in_.substr(0, end), {1000});
                in_.erase(0, end + 1);
                EXPECT_TRUE(message && message->is_object());
                return message->as_object();
            }
            std::array<char, 4096> bytes;
            const ssize_t n = ::read(from_server_[0], bytes.data(), bytes.size());
            if (n <= 0) return std::nullopt;
            in_.append(bytes.data(), static_cast<std::size_t>(n));
        }
    }
    void cancel(std::int64_t id) override {
        send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", json::object{{"requestId", id}}}});
    }

 private:
    std::array<int, 2> to_server_{}, from_server_{};
    std::string in_;
    std::thread thread_;
};

class StdioFaults : public testing::TestWithParam<bool> {
 protected:
    StdioFaults() {
        ::signal(SIGPIPE, SIG_IGN);
        add_tools(server_);
    }
    static bool talk(Server& server) {
        PipeLink link(server);
        return Conversation(link, GetParam()).run();
    }
    void try_all(Fault fault, long count, std::size_t most) {
        inject(fault, count, most, {[this] { talk(server_); }, [this] { return talk(server_); }});
    }

 private:
    Server server_{"t", "1", {.limits = quick_end(), .log = [](const LogRecord&) {}}};
};
INSTANTIATE_TEST_SUITE_P(, StdioFaults, testing::Bool(),
                         [](const auto& modern) { return modern.param ? "modern" : "legacy"; });

TEST_P(StdioFaults, one_failed_allocation) { try_all(Fault::allocation, 1, 150); }
TEST_P(StdioFaults, many_failed_allocations) { try_all(Fault::allocation, 50, 50); }
TEST_P(StdioFaults, failed_thread_creation) { try_all(Fault::thread, 1, 50); }
TEST_P(StdioFaults, no_descriptors) {
    try_all(Fault::emfile, 1, 50);
    try_all(Fault::enfile, 100, 5);
}
TEST_P(StdioFaults, interrupted_calls) {
    try_all(Fault::eintr, 1, 50);
    try_all(Fault::eintr, 20, 10);
}
TEST_P(StdioFaults, calls_that_must_be_repeated) {
    try_all(Fault::eagain, 1, 50);
    try_all(Fault::eagain, 5, 10);
}
TEST_P(StdioFaults, short_reads_and_writes) {
    try_all(Fault::short_io, 1, 20);
    try_all(Fault::short_io, 1'000'000, 1);
}
TEST_P(StdioFaults, broken_connections) {
    for (const Fault fault : {Fault::epipe, Fault::econnreset, Fault::enospc}) try_all(fault, 1, 30);
}
TEST_P(StdioFaults, clocks_that_jump) {
    Limits limits;
    limits.drain_time = std::chrono::hours(10);  // serve_stdio() exits the process after this time
    Server server("t", "1", {.limits = limits, .log = [](const LogRecord&) {}});
    add_tools(server);
    inject(Fault::clock_jump, 1, 30, {[&] { talk(server); }, [&] { return talk(server); }});
    try_all(Fault::clock_back, 1, 10);
}

}  // namespace
}  // namespace tenon::test
