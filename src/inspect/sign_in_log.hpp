// SignInLog: the HTTP exchanges of signing in, without secrets. Thread-safe.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include <tenon/auth/client.hpp>

#include "inspect/recorder.hpp"

namespace tenon::inspect {

/// A step of signing in that can be repeated. A code works once, so getting a token begins with the user again.
enum class SignInStep { metadata, registration, user, refresh };
/// Returns the step with this name of the API, or nullopt.
std::optional<SignInStep> sign_in_step_named(std::string_view name);
/// Returns what is stored about a server, without everything that this step and the steps after it give. Empty: nothing
/// is left. Throws Refusal when the step cannot be repeated.
std::string without_step(const std::string& stored, SignInStep from);

class SignInLog {
 public:
    explicit SignInLog(Recorder& recorder) : recorder_(recorder) {}
    void add(const auth::Exchange& exchange);
    /// Adds the page on which the user signs in.
    void add_page(const auth::Page& page);
    json::array steps() const;

 private:
    void add_step(json::object step);

    static constexpr std::size_t max_steps = 200;  // forgets the oldest

    Recorder& recorder_;
    mutable std::mutex mutex_;  // guards the member below
    std::deque<json::object> steps_;
};

/// Returns the step that an exchange belongs to: "metadata", "register", "token", "refresh" or "other".
std::string_view step_of(const auth::Exchange& exchange);

}  // namespace tenon::inspect
