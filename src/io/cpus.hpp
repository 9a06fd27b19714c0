// Counts the processors that this process may use.
#pragma once

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::io {

/// Returns the number of processors that this process may use, at least 1. It may be smaller than the machine's, for
/// example under taskset and in many containers.
unsigned usable_cpus();

}  // namespace tenon::io

#pragma GCC visibility pop
