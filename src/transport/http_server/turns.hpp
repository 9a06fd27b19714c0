// The order in which one I/O thread handles complete requests, so that no peer keeps others waiting.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <map>
#include <memory>

#include "base/thread_debt.hpp"

namespace tenon {

/// Requests of a peer that has used much of the I/O threads wait here, while requests of others are handled at once.
/// Peers with less debt come first. In each turn of the event loop some of them are handled, so none waits for ever.
/// Not thread-safe: use it only on the thread of the io_context.
class HttpTurns {
 public:
    using TimePoint = base::ThreadDebt::TimePoint;

    explicit HttpTurns(boost::asio::io_context& context) : context_(context) {}
    HttpTurns(const HttpTurns&) = delete;
    HttpTurns& operator=(const HttpTurns&) = delete;

    class Waiter {
     public:
        virtual ~Waiter() = default;
        virtual void on_turn() = 0;
    };
    /// Calls on_turn() later, in a later turn of the event loop.
    void wait(const base::ThreadDebt& debt, std::weak_ptr<Waiter> waiter);
    std::size_t waiting() const { return waiting_.size(); }
    /// Goes on after an exception.
    void resume() {
        if (!waiting_.empty()) schedule();
    }

 private:
    void schedule();
    void serve_some();
    void serve_first();

    boost::asio::io_context& context_;
    std::multimap<TimePoint, std::weak_ptr<Waiter>> waiting_;  // by the time when the debt is paid
    bool scheduled_ = false;
};

}  // namespace tenon
