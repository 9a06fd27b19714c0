// A tap over stdio: this process takes the place of a server, starts the server, and passes all messages on.
#pragma once

#include <stop_token>

#include <tenon/inspect.hpp>

#include "inspect/tap_gate.hpp"

namespace tenon::inspect {

/// Passes messages between the standard streams of this process and the server, until the server ends, or `stop`.
/// The server gets the whole environment of this process, because the client chose it. Returns the exit status for
/// main(): that of the server. `started` is called when the server runs. Throws std::system_error when it cannot start.
int run_stdio_tap(const Target& target, TapGate& gate, Recorder& recorder, const std::function<void(int pid)>& started,
                  const std::stop_token& stop);

}  // namespace tenon::inspect
