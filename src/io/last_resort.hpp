// What a thread does with an exception that nothing else has caught: it must not end the process.
#pragma once

#include <chrono>
#include <exception>
#include <thread>
#include <utility>

namespace tenon::io {

/// Runs `body`. An exception is told to `tell(const char* what)`; what that throws is dropped. True: there was none.
template <class Body, class Tell>
bool survives(Body&& body, Tell&& tell) noexcept {
    const auto told = [&](const char* what) noexcept {
        try {
            tell(what);
        } catch (...) {  // there is nothing left to do
        }
        return false;
    };
    try {
        std::forward<Body>(body)();
        return true;
    } catch (const std::exception& e) {
        return told(e.what());
    } catch (...) {
        return told("an exception of an unknown type");
    }
}

/// The body of a thread that serves others: runs `body` until it returns without an exception. An exception ends one
/// turn and is told to `tell(const char* what)`; after a pause, so that lasting trouble does not take the processor,
/// the next turn begins.
template <class Body, class Tell>
void run_thread(Body&& body, Tell&& tell) noexcept {
    while (!survives(body, tell)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

}  // namespace tenon::io
