// Recorder: keeps the events and the messages of a session, and judges the messages of the server. Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

#include "check/server/live_judge.hpp"
#include "inspect/event_ring.hpp"
#include "inspect/history.hpp"

namespace tenon::inspect {

/// Returns the milliseconds since 1970.
double wall_clock();

class Recorder {
 public:
    /// `news` is called after each event, without a lock. It must not block.
    explicit Recorder(std::function<void()> news) : news_(std::move(news)) {}

    /// Adds an event with the current time.
    void tell(std::string_view type, json::object data);
    /// Adds a message of a connection: to the history, and as an event. `sent`: by the client.
    /// Returns its method; of a response, the method of its request.
    std::string message(std::uint64_t connection, bool sent, bool stdio, std::string_view text);

    std::uint64_t last_event() const;
    /// Returns the next events of a stream: see EventRing::after().
    std::string events_after(std::uint64_t& cursor, std::size_t max_bytes) const;
    /// Calls `use(History&)` under the lock. It must not call the recorder.
    template <class Use>
    auto with_history(Use use) {
        const std::lock_guard lock(mutex_);
        return use(history_);
    }

 private:
    json::array verdicts_of(const Message& message, const check::Reading& reading, bool stdio);

    static constexpr std::size_t max_judges = 64;  // connections that are judged; the oldest is forgotten

    const std::function<void()> news_;
    mutable std::mutex mutex_;  // guards the members below
    EventRing ring_;
    History history_;
    std::map<std::uint64_t, check::LiveJudge> judges_;  // by connection
};

}  // namespace tenon::inspect
