// Runs work on a thread that blocks signals. So SIGPIPE from a dead server does not kill the checker.
#pragma once

#include <signal.h>

#include <exception>
#include <thread>

namespace tenon::check {

/// Runs `work` and waits for its end. Rethrows the exception that `work` throws.
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
