// The clock of a simulated world, and everything that will happen in it. Time passes only from one event to the next.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include <tenon/limits.hpp>

namespace tenon::test {

using namespace std::chrono_literals;

/// Runs events in the order of their times. Events run inside the io_context, because connections require it.
class Agenda {
 public:
    using Work = std::function<void()>;

    TimePoint now() const { return now_; }
    const std::shared_ptr<boost::asio::io_context>& context() const { return context_; }

    void at(TimePoint when, Work work) { events_.emplace(std::pair(std::max(when, now_), ++last_), std::move(work)); }
    void after(Duration wait, Work work) { at(later(now_, wait), std::move(work)); }

    /// Runs the next event, if it is due at `until` at the latest.
    bool step(TimePoint until) {
        if (events_.empty() || events_.begin()->first.first > until) return false;
        now_ = events_.begin()->first.first;
        boost::asio::post(*context_, std::move(events_.extract(events_.begin()).mapped()));
        run_posted();
        return true;
    }
    void advance_to(TimePoint when) { now_ = std::max(now_, when); }
    /// Runs the work that was posted to the io_context.
    void run_posted() {
        context_->restart();
        context_->poll();
    }
    /// Drops all events, and everything that they keep alive.
    void clear() {
        while (!events_.empty()) {
            const auto dropped = std::exchange(events_, {});
        }
    }

 private:
    TimePoint now_ = TimePoint() + 24h;
    std::uint64_t last_ = 0;
    std::map<std::pair<TimePoint, std::uint64_t>, Work> events_;
    std::shared_ptr<boost::asio::io_context> context_ = std::make_shared<boost::asio::io_context>(1);
};

}  // namespace tenon::test
