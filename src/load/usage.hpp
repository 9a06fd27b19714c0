// CPU and memory of a process, as the kernel counts them.
#pragma once

#include <sys/types.h>

#include <cstddef>

#include <tenon/limits.hpp>

namespace tenon::load {

struct Usage {
    Duration cpu = {};                ///< of all threads and children
    Duration user = {}, system = {};  ///< in ticks of the kernel's clock
    std::size_t resident = 0, peak = 0;
};

/// Returns the usage of a process and its descendants, or nothing when it does not exist.
Usage usage_of(pid_t pid);
/// Returns the CPU time of this process.
Duration own_cpu();

}  // namespace tenon::load
