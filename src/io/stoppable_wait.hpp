// Waits for a condition of other threads, until a handler is told to stop.
#pragma once

#include <condition_variable>
#include <mutex>

#include "base/late_stop.hpp"

namespace tenon::io {

/// Waits until `ready()`, which is called under the mutex, or until `stop`. Threads that may make it ready notify
/// `changed`. Call it without the mutex.
template <class Ready>
void wait_or_stop(std::mutex& mutex, std::condition_variable& changed, base::LateStop& stop, Ready ready) {
    {
        const std::lock_guard lock(mutex);
        if (ready()) return;
    }
    const std::stop_callback when_stopped(stop.get_token(), [&] {
        const std::lock_guard lock(mutex);
        changed.notify_all();
    });
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ready() || stop.stop_requested(); });
    lock.unlock();  // the stop callback may be waiting for the lock
}

}  // namespace tenon::io
