// StateSeal: protects the state of calls that wait for the client's input (2026-07-28).
#pragma once

#include <string>
#include <string_view>

#include <tenon/error.hpp>
#include <tenon/protocol/tasks.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// Turns the state of a call into a text that the client keeps for the server and sends back with its answers. The
/// state has the client's earlier answers and the results of Context::once(). encrypt_states() makes the usual seal;
/// implement this interface to use your own keys or your own storage.
///
/// The functions are called on any thread, several at once, and under a lock: they must not call Tenon, and should be
/// quick.
class StateSeal {
 public:
    virtual ~StateSeal() = default;

    /// Returns a text that open() accepts until `expires`, and only with the same `binding`. The binding names the
    /// principal, the method and the parameters of the call. An error fails the call.
    virtual Result<std::string> close(std::string_view state, std::string_view binding, WallTime expires) const = 0;
    /// Returns the state. An error refuses the request; its message goes to the log only.
    virtual Result<std::string> open(std::string_view sealed, std::string_view binding, WallTime now) const = 0;
};

}  // namespace tenon

#pragma GCC visibility pop
