// Runs the handler of a call, behind the middleware.
#pragma once

#include <memory>

#include "core/server/action.hpp"

namespace tenon {

class LiveCall;

/// The work that a session posts for a call. Its answer goes to the session.
class CallRunner {
 public:
    CallRunner(std::shared_ptr<LiveCall> live, core::Job job) : live_(std::move(live)), job_(std::move(job)) {}
    /// Runs the handler, on this thread. Call it once.
    void operator()();

 private:
    std::shared_ptr<LiveCall> live_;
    core::Job job_;
};

/// Turns a call into a task before its handler runs. Middleware may refuse the call, so with middleware this changes
/// the job: the call becomes a task when the job begins.
Result<void> begin_as_task(const std::shared_ptr<LiveCall>& live, core::Job& job);

}  // namespace tenon
