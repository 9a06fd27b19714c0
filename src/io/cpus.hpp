// How many threads can run at once.
#pragma once

namespace tenon::io {

/// The processors that this process may use: fewer than the machine has under taskset or in many containers. At
/// least 1.
unsigned usable_cpus();

}  // namespace tenon::io
