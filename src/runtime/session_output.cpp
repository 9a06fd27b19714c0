#include "runtime/session_output.hpp"

#include <utility>

#include "io/stoppable_wait.hpp"

namespace tenon {

void SessionOutput::deliver(core::Action&& action) {
    auto* const send = std::get_if<core::Send>(&action);
    if (!send) return;  // the owner has one stream for all messages
    std::string line = std::move(send->message.json);
    line += '\n';
    const std::lock_guard lock(mutex_);
    queue_.empty() ? queue_ = std::move(line) : queue_ += line;
    charge_.cover(queue_.size());  // after a refusal handlers wait
}

void SessionOutput::wait_before_call(base::LateStop& stop) {
    io::wait_or_stop(mutex_, room_, stop,
                     [this] { return queue_.size() <= max_queued_ && queue_.size() <= charge_.bytes(); });
}

std::string SessionOutput::take() {
    constexpr std::size_t kept = 64 * 1024;  // of the charge, for the next output
    const std::lock_guard lock(mutex_);
    room_.notify_all();
    charge_.keep_at_most(kept);
    return std::exchange(queue_, {});
}

std::size_t SessionOutput::size() const {
    const std::lock_guard lock(mutex_);
    return queue_.size();
}

}  // namespace tenon
