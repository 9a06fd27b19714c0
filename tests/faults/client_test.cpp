// A client, with a fault at each of its allocations and system calls. Each call must end, with one result or one error,
// which is not a timeout.
#include <signal.h>

#include <atomic>

#include <tenon/client.hpp>
#include <tenon/transport/http_client.hpp>
#include <tenon/transport/http_server.hpp>
#include <tenon/transport/process.hpp>

#include "faults/conversation.hpp"
#include "faults/inject.hpp"
#include "support/certificates.hpp"
#include "support/folders.hpp"

namespace tenon::test {
namespace {

enum class ClientWay { process, legacy, modern, tls };

std::string text_of(const ToolResult& result) {
    const auto* const text = result.content.empty() ? nullptr : std::get_if<TextContent>(&result.content.front());
    return text ? text->text : "";
}

class ClientTransportFaults : public testing::TestWithParam<ClientWay> {
 protected:
    ClientTransportFaults() {
        ::signal(SIGPIPE, SIG_IGN);
        if (GetParam() == ClientWay::process) return;
        add_tools(server_);
        HttpOptions options;
        options.port = 0;
        options.threads = 1;
        if (GetParam() == ClientWay::tls) options.tls = TlsOptions{files_.certificate, files_.key};
        http_.emplace(server_, std::move(options));
    }
    void try_all(Fault fault, long count, std::size_t most) {
        clock_jumps_ = fault == Fault::clock_jump;
        inject(fault, count, most, {[this] { talk(); }, [this] { return talk(); }});
    }

 private:
    std::shared_ptr<ClientTransport> transport() const {
        if (GetParam() == ClientWay::process) {
            ProcessOptions options{.command = {test_folders::bin() + "/fault_child"}};
            options.exit_time = options.term_time = std::chrono::milliseconds(500);
            return process(std::move(options));
        }
        HttpClientOptions options;
        options.url = http_->url();
        options.ca_file = certificates_.ca_file;
        options.reconnect_time = std::chrono::milliseconds(10);
        return tenon::http(std::move(options));
    }
    ClientOptions client_options() const {
        ClientOptions options;
        options.era = GetParam() == ClientWay::modern || GetParam() == ClientWay::tls ? Era::modern : Era::legacy;
        options.on_elicit = [](const ElicitRequest&, std::stop_token) {
            ElicitResult yes;
            yes.action = ElicitAction::accept;
            return yes;
        };
        options.log = [](const LogRecord&) {};
        return options;
    }

    // Returns whether everything had the right result.
    bool talk() {
        const Subject subject;
        bool right = true;
        const auto step = [this, &right](auto what) {
            try {
                right &= what();
            } catch (const Exception& e) {
                EXPECT_TRUE(clock_jumps_ || e.error().code != code::request_timeout) << e.what();
                right = false;
            } catch (const std::bad_alloc&) {
                right = false;
            } catch (const std::runtime_error&) {  // of the constructor: no thread, or no descriptor
                right = false;
            }
        };
        int async_calls = 0;
        std::atomic<int> async_answers = 0;
        step([&] {
            Client client(transport(), client_options());
            CallOptions options;
            options.timeout = std::chrono::hours(10);  // a lost answer must not look like a slow one
            step([&] { return client.connect(options).info.name != ""; });
            step([&] {
                std::size_t tools = 0;
                for ([[maybe_unused]] const Tool& tool : client.list_tools(options)) ++tools;
                return tools > 0;
            });
            step([&] { return text_of(client.call_tool("echo", {{"message", "a"}}, options)) == "a"; });
            int reports = 0;
            CallOptions reporting = options;
            reporting.on_progress = [&](const Progress&) { ++reports; };
            step([&] { return text_of(client.call_tool("ask", {}, reporting)) == "yes" && reports > 0; });
            std::stop_source stop;
            CallOptions stopping = options;
            stopping.stop = stop.get_token();
            step([&] {
                auto count = make_reply<ToolResult>([&async_answers](const Result<ToolResult>&) { ++async_answers; });
                std::string tool = "wait";
                CallOptions copy = stopping;
                ++async_calls;  // nothing throws from here on
                client.async_call_tool(std::move(tool), {}, std::move(count), std::move(copy));
                return true;
            });
            stop.request_stop();
            step([&] { return text_of(client.call_tool("echo", {{"message", "a"}}, options)) == "a"; });
            return true;
        });
        EXPECT_EQ(async_answers, async_calls);
        return right;
    }

    Certificates certificates_;
    const Certificates::Files files_ = certificates_.sign("DNS:localhost,IP:127.0.0.1");
    Server server_{"t", "1", {.limits = quick_end(), .log = [](const LogRecord&) {}}};
    std::optional<HttpServer> http_;
    bool clock_jumps_ = false;  // then all time is over at once, and timeouts are right
};
INSTANTIATE_TEST_SUITE_P(, ClientTransportFaults,
                         testing::Values(ClientWay::process, ClientWay::legacy, ClientWay::modern, ClientWay::tls),
                         [](const auto& way) -> std::string {
                             switch (way.param) {
                                 case ClientWay::process: return "process";
                                 case ClientWay::legacy: return "legacy";
                                 case ClientWay::modern: return "modern";
                                 case ClientWay::tls: return "tls";
                             }
                             return "";
                         });

TEST_P(ClientTransportFaults, one_failed_allocation) { try_all(Fault::allocation, 1, 60); }
TEST_P(ClientTransportFaults, many_failed_allocations) { try_all(Fault::allocation, 50, 20); }
TEST_P(ClientTransportFaults, failed_thread_creation) {
    try_all(Fault::thread, 1, 10);
    try_all(Fault::thread, 1000, 10);
}
TEST_P(ClientTransportFaults, no_descriptors) {
    try_all(Fault::emfile, 1, 20);
    try_all(Fault::enfile, 3, 5);
}
TEST_P(ClientTransportFaults, interrupted_calls) { try_all(Fault::eintr, 1, 20); }
TEST_P(ClientTransportFaults, incomplete_reads_and_writes) {
    try_all(Fault::eagain, 1, 20);
    try_all(Fault::eagain, 20, 3);
    try_all(Fault::short_io, 1, 10);
    try_all(Fault::short_io, 200, 3);
}
TEST_P(ClientTransportFaults, broken_connections) {
    for (const Fault fault : {Fault::epipe, Fault::econnreset, Fault::enospc}) try_all(fault, 1, 5);
}
TEST_P(ClientTransportFaults, clocks_that_jump) {
    try_all(Fault::clock_jump, 1, 10);
    try_all(Fault::clock_back, 1, 5);
}

}  // namespace
}  // namespace tenon::test
