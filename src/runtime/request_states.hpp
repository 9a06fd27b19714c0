// Stores the states of calls that wait for the client's input: in a table of this process, or sealed at the client.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include <tenon/state_seal.hpp>

#include "core/server/state_table.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon {

/// The request states of one server. Thread-safe. May be called under the lock of a session.
class RequestStates {
 public:
    /// Without a seal, states stay in this process.
    RequestStates(const Limits& limits, std::shared_ptr<const StateSeal> seal, std::function<WallTime()> clock);

    /// Uses a seal from now on, unless there is one. States in the table stay valid.
    void default_seal(const std::function<std::shared_ptr<const StateSeal>()>& make);

    /// Returns the text that the client sends back.
    Result<std::string> close(std::string state, std::string_view binding, const base::MemoryAccountPtr& account);
    /// Returns the state of a call.
    Result<std::string> open(std::string_view sealed, std::string_view binding);

 private:
    const std::chrono::seconds lifetime_;
    const std::function<WallTime()> clock_;
    std::mutex mutex_;  // guards the members below; takes no other lock
    std::shared_ptr<const StateSeal> seal_;
    core::StateTable table_;
};

}  // namespace tenon

#pragma GCC visibility pop
