// Runs work on a thread that blocks signals, so that SIGPIPE from a dead server does not kill
// the checker.
#pragma once

#include <signal.h>

#include <thread>

namespace tenon::check {

/// Runs `work` and waits for its end. `work` must not throw.
template <class Work>
void on_own_thread(Work&& work) {
    std::thread([&] {
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
        work();
    }).join();
}

}  // namespace tenon::check
