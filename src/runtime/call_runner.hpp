// Runs the handler of a call, or its middleware.
#pragma once

#include <memory>

#include "core/server/action.hpp"

namespace tenon {

class LiveCall;

/// The work that a session posts for a call. The answer goes to `reply`, which belongs to the middleware, or, when it
/// is empty, to the session.
class CallRunner {
 public:
    CallRunner(std::shared_ptr<LiveCall> live, core::Job job, Reply<core::HandlerResult> reply);
    /// Runs the job, on this thread. Call it once.
    void operator()();

 private:
    void run();

    std::shared_ptr<LiveCall> live_;
    core::Job job_;
    std::shared_ptr<Reply<core::HandlerResult>> reply_;  // shared, because a std::function must be copyable
};

}  // namespace tenon
