// What a process takes, as the kernel counts it.
#pragma once

#include <sys/types.h>

#include <cstddef>

#include <tenon/limits.hpp>

namespace tenon::load {

struct Usage {
    Duration cpu = {};                ///< of all threads, and of the children
    Duration user = {}, system = {};  ///< in the steps of the kernel's clock
    std::size_t resident = 0, peak = 0;
};

/// Of a process and all that descend from it; nothing when there is no such process.
Usage usage_of(pid_t pid);
/// Of this process.
Duration own_cpu();

}  // namespace tenon::load
