// Resolves host names without blocking. The resolver of the system cannot be interrupted, so each lookup runs on a
// detached thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::io {

struct Resolved {
    std::vector<std::string> addresses;  ///< numeric, in the system's order of preference
    std::string error;                   ///< the reason when there are none
};

/// Calls `done` once, from another thread. The caller may be gone by then, so `done` must own what it uses. Throws
/// std::system_error when no thread can be started.
void resolve(std::string host, std::function<void(Resolved)> done);

}  // namespace tenon::io

#pragma GCC visibility pop
