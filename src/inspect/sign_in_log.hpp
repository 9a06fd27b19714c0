// SignInLog: the HTTP exchanges of signing in, without secrets. Thread-safe.
#pragma once

#include <deque>
#include <mutex>

#include <tenon/auth/client.hpp>

#include "inspect/recorder.hpp"

namespace tenon::inspect {

class SignInLog {
 public:
    explicit SignInLog(Recorder& recorder) : recorder_(recorder) {}
    void add(const auth::Exchange& exchange);
    json::array steps() const;

 private:
    static constexpr std::size_t max_steps = 200;  // forgets the oldest

    Recorder& recorder_;
    mutable std::mutex mutex_;  // guards the member below
    std::deque<json::object> steps_;
};

/// Returns the step that an exchange belongs to: "metadata", "register", "token", "refresh" or "other".
std::string_view step_of(const auth::Exchange& exchange);

}  // namespace tenon::inspect
