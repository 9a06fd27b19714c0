// A client whose transport the test drives by hand.
#pragma once

#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <mutex>
#include <string>

#include <tenon/client.hpp>

namespace tenon::test {

class HandTransport final : public ClientTransport {
 public:
    void start(Events e, Bounds) override { events = std::move(e); }
    Result<void> send(OutgoingMessage message) override {
        const std::lock_guard lock(mutex_);
        last_ = message.id;
        if (message.method == wanted_) sent_.set_value(message.id);
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
        return [this](LogLevel, std::string_view line) {
            const std::lock_guard lock(mutex);
            log += std::string(line) + "\n";
        };
    }
    const std::string megabyte = std::string(1'000'000, 'x');
    std::shared_ptr<HandTransport> transport = std::make_shared<HandTransport>();
    std::mutex mutex;
    std::string log;
};

}  // namespace tenon::test
