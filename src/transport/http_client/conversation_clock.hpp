// The clock and the timer of an HttpConversation. The simulation has its own.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <functional>

#include <tenon/limits.hpp>

#include "transport/http/http_socket.hpp"

namespace tenon {

class ConversationClock {
 public:
    virtual ~ConversationClock() = default;
    virtual TimePoint now() const = 0;
    /// Calls `due` at this time. Replaces the last call.
    virtual void wake_at(TimePoint at, std::function<void()> due) = 0;
    virtual void cancel() = 0;
};

/// The time of the system. Not thread-safe: use it only on the thread of the io_context.
class SystemConversationClock final : public ConversationClock {
 public:
    explicit SystemConversationClock(asio::io_context& context) : timer_(context) {}

    TimePoint now() const override { return Clock::now(); }
    void wake_at(TimePoint at, std::function<void()> due) override {
        timer_.expires_at(at);
        timer_.async_wait([due = std::move(due)](error_code error) {
            if (!error) due();
        });
    }
    void cancel() override { timer_.cancel(); }

 private:
    asio::steady_timer timer_;
};

}  // namespace tenon
