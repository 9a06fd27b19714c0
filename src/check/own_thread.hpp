// A thread of its own, for which signals are nobody's business: a server that dies while it is written to must not take
// its checker with it.
#pragma once

#include <signal.h>

#include <thread>

namespace tenon::check {

/// Waits for its end. `work` must not throw.
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
