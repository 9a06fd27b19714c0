// Handles exceptions that reach the top of a thread, so that they do not end the process.
#pragma once

#include <chrono>
#include <exception>
#include <thread>
#include <utility>

namespace tenon::io {

/// Runs `body` and returns true. When it throws, calls `tell(const char* what)` and returns false. Exceptions of `tell`
/// are ignored.
template <class Body, class Tell>
bool survives(Body&& body, Tell&& tell) noexcept {
    const auto told = [&](const char* what) noexcept {
        try {
            tell(what);
        } catch (...) {  // nothing more can be done
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

/// Runs `body` until it returns without an exception. For threads that must continue after errors. After an exception,
/// calls `tell(const char* what)`, pauses so that a repeated error does not use the whole processor, and runs `body`
/// again.
template <class Body, class Tell>
void run_thread(Body&& body, Tell&& tell) noexcept {
    while (!survives(body, tell)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

/// How long a step that must not be left out waits for memory to become free.
inline constexpr std::chrono::seconds last_chance{10};

/// Runs `body` until it returns without an exception, at least once, and not after the deadline. For steps that must
/// not be left out because memory is short for a moment. Returns whether it succeeded.
template <class Body>
bool insist(Body&& body, std::chrono::steady_clock::time_point deadline) noexcept {
    while (!survives(body, [](const char*) {})) {
        if (std::chrono::steady_clock::now() >= deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
}

}  // namespace tenon::io
