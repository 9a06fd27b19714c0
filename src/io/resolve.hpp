// Names into addresses, without waiting. The system's resolver cannot be interrupted, so that each question has a
// thread of its own, which nobody waits for.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tenon::io {

struct Resolved {
    std::vector<std::string> addresses;  ///< numeric, in the system's order of preference
    std::string error;                   ///< why there are none
};

/// Calls `done` from another thread, once, possibly after whoever asked is gone. Throws std::system_error when there
/// can be no more threads.
void resolve(std::string host, std::function<void(Resolved)> done);

}  // namespace tenon::io
