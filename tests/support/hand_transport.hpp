// A client whose transport the test drives by hand.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>
#include <mutex>
#include <string>
#include <vector>

#include <tenon/client.hpp>

namespace tenon::test {

class HandTransport final : public ClientTransport {
 public:
    void start(Events e, Bounds) override { events = std::move(e); }
    Result<void> send(OutgoingMessage message) override {
        const std::lock_guard lock(mutex_);
        last_ = message.id;
        if (!wanted_.empty() && message.method == wanted_) {
            wanted_.clear();  // responses have no method
            sent_.set_value(message.id);
        }
        return {};
    }
    void close(TimePoint) override {}

    std::future<std::int64_t> expect(const std::string& method) {
        const std::lock_guard lock(mutex_);
        wanted_ = method;
        sent_ = {};
        return sent_.get_future();
    }
    std::int64_t last() {
        const std::lock_guard lock(mutex_);
        return last_;
    }
    Events events;

 private:
    std::mutex mutex_;
    std::string wanted_;
    std::promise<std::int64_t> sent_;
    std::int64_t last_ = 0;
};

/// A client whose server is played by the test.
class HandClientTest : public testing::Test {
 protected:
    Client connect(ClientOptions options) {
        options.era = Era::legacy;
        options.learn_tools = false;  // the test plays the server, and expects no other requests
        Client out(transport, std::move(options));
        transport->events.opened();
        answer(transport->last(), R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                                  R"("serverInfo":{"name":"s","version":"1"}})");
        return out;
    }
    void answer(std::int64_t id, const std::string& result) {
        transport->events.message(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":)" + result + "}");
    }
    void tell(const std::string& method, const std::string& params) {
        transport->events.message(R"({"jsonrpc":"2.0","method":")" + method + R"(","params":{)" + params + "}}");
    }
    LogSink to_log() {
        return [this](const LogRecord& r) {
            const std::lock_guard lock(mutex);
            log += std::string(r.message) + "\n";
        };
    }
    /// Sends 100 notifications with these parameters while the first handler waits. Returns how many were handled.
    int notifications_heard_of_100(ClientOptions options, const std::string& params) {
        std::latch go{1};
        std::atomic<int> heard{0};
        options.log = to_log();
        options.on_notification = [&](const std::string&, const json::object&) {
            go.wait();
            ++heard;
        };
        Client client = connect(std::move(options));
        for (int i = 0; i < 100; ++i) tell("notifications/x", params);
        go.count_down();
        client.close(std::chrono::seconds(60));
        return heard;
    }
    /// Sends 50 reports of progress, with these parameters too, while the handler of the first one waits. Returns the
    /// reports that were handled.
    std::vector<double> progress_heard_of_50(Client& client, const std::string& params) {
        std::latch entered{1}, go{1};
        std::vector<double> reported;
        CallOptions call;
        call.on_progress = [&](const Progress& p) {
            reported.push_back(p.progress);
            if (reported.size() > 1) return;
            entered.count_down();
            go.wait();
        };
        auto request = transport->expect("tools/call");
        auto result = std::async(std::launch::async, [&] { return client.call_tool("t", {}, call); });
        const std::int64_t id = request.get();
        const auto report = [&](int n) {
            tell("notifications/progress",
                 R"("progressToken":)" + std::to_string(id) + R"(,"progress":)" + std::to_string(n) + params);
        };
        report(1);
        entered.wait();
        for (int n = 2; n <= 50; ++n) report(n);
        answer(id, R"({"content":[]})");
        go.count_down();
        result.get();
        return reported;
    }

    const std::string megabyte = std::string(1'000'000, 'x');
    std::shared_ptr<HandTransport> transport = std::make_shared<HandTransport>();
    std::mutex mutex;
    std::string log;
};

}  // namespace tenon::test
