// A thread of its own, for which signals are nobody's business: a server that dies while it is written to must not take
// its checker with it.
#pragma once

#include <signal.h>

#include <exception>
#include <thread>

namespace tenon::check {

/// Waits for its end. What `work` throws is thrown here.
template <class Work>
void on_own_thread(Work&& work) {
    std::exception_ptr trouble;
    std::thread([&] {
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
        try {
            work();
        } catch (...) {
            trouble = std::current_exception();
        }
    }).join();
    if (trouble) std::rethrow_exception(trouble);
}

}  // namespace tenon::check
