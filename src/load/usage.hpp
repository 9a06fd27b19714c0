// CPU time and memory of a process, as the kernel reports them.
#pragma once

#include <sys/types.h>

#include <cstddef>

#include <tenon/limits.hpp>

namespace tenon::load {

struct Usage {
    Duration cpu = {};                ///< of all threads and children
    Duration user = {}, system = {};  ///< with the resolution of kernel ticks
    std::size_t resident = 0, peak = 0;
};

/// Returns the usage of a process and its descendants. All values are zero when the process does not exist.
Usage usage_of(pid_t pid);
/// Returns the CPU time of this process.
Duration own_cpu();

}  // namespace tenon::load
