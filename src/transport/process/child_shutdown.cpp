// Ends a child process: closes its stdin, then sends SIGTERM, then SIGKILL.
#include <signal.h>

#include <algorithm>

#include "transport/process/process_loop.hpp"

namespace tenon {

// Ends the child in three steps: closes its stdin, sends SIGTERM, sends SIGKILL. A child that closed its stdout is
// ended in the same way.
void ProcessLoop::advance() {
    if (may_have_ended_ && child_.has_ended()) {
        child_.signal_group(SIGKILL);           // also ends the child's own children, which may hold the pipes
        while (child_.output()) read_output();  // reads the output from before its end
        over_ = true;
        return;
    }
    {
        const std::lock_guard lock(shared_.mutex);
        if (shared_.close_by && !close_by_) {
            close_by_ = shared_.close_by;
            if (until_) until_ = std::min(*until_, later(Clock::now(), share_of_time()));
        }
    }
    if (stage_ == Stage::talking && close_by_ && has_unsent()) step(Stage::finishing, options_.exit_time);
    const bool said_all = stage_ == Stage::finishing ? !has_unsent() || Clock::now() >= *until_ : close_by_.has_value();
    if (stage_ <= Stage::finishing && (said_all || !child_.output())) {
        child_.input().reset();
        step(Stage::closing, options_.exit_time);
    } else if (stage_ == Stage::closing && Clock::now() >= *until_) {
        child_.signal_group(SIGTERM);
        step(Stage::terminating, options_.term_time);
    } else if (stage_ == Stage::terminating && Clock::now() >= *until_) {
        over_ = true;  // reap() sends SIGKILL
    }
}

// Returns whether messages still wait to be sent, for example a cancellation just before close().
bool ProcessLoop::has_unsent() {
    const std::lock_guard lock(shared_.mutex);
    return child_.input() && (sent_ < sending_.size() || !shared_.to_send.empty());
}

void ProcessLoop::step(Stage stage, Duration time) {
    stage_ = stage;
    until_ = later(Clock::now(), std::min(time, share_of_time()));
}

// Returns how much of the time until close_by_ the current stage may use. Each stage may use half of the rest. The last
// stage, after SIGTERM, may use all of it.
Duration ProcessLoop::share_of_time() const {
    if (!close_by_) return Duration::max();
    const Duration left = std::max(*close_by_ - Clock::now(), Duration::zero());
    return stage_ == Stage::terminating ? left : left / 2;
}

}  // namespace tenon
