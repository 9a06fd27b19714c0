// The output of a session without a transport, until its owner takes it: a queue with back pressure.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>

#include "base/memory_budget.hpp"
#include "runtime/session_outlet.hpp"

namespace tenon {

/// Queues messages as lines. Thread-safe.
class SessionOutput final : public SessionOutlet {
 public:
    /// Queues at most `max_queued` bytes, and at most the memory that the account allows.
    SessionOutput(const base::MemoryAccountPtr& account, std::size_t max_queued)
        : max_queued_(max_queued), charge_(account) {}

    void deliver(core::Action&& action) override;
    void wait_for_reader(core::ReplyTo, base::LateStop& stop) override { wait_before_call(stop); }
    void wait_before_call(base::LateStop& stop) override;

    /// Returns all output since the last call. Each message ends with a newline.
    std::string take();
    std::size_t size() const;

 private:
    const std::size_t max_queued_;
    mutable std::mutex mutex_;  // guards the members below; no other lock is taken under it
    std::condition_variable room_;
    std::string queue_;
    base::MemoryCharge charge_;
};

}  // namespace tenon
