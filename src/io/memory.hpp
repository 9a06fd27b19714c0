// How much memory this process may use.
#pragma once

#include <cstddef>
#include <string>

namespace tenon::io {

/// Where the kernel says so; tests have files of their own.
struct MemoryFiles {
    std::string proc = "/proc";
    std::string cgroups = "/sys/fs/cgroup";
};

/// Returns the least of the machine's memory and the limits of this process: its control groups (version 2 and 1, with
/// all groups around them) and RLIMIT_AS. SIZE_MAX when nothing is known.
std::size_t usable_memory(const MemoryFiles& files = {});

}  // namespace tenon::io
