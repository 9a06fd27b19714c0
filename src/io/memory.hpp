// Finds out how much memory this process may use.
#pragma once

#include <cstddef>
#include <string>

namespace tenon::io {

/// The folders with the kernel's data. Tests use folders of their own.
struct MemoryFiles {
    std::string proc = "/proc";
    std::string cgroups = "/sys/fs/cgroup";
};

/// Returns the smallest of the machine's memory and the limits of this process: its control groups (versions 1 and 2,
/// including parent groups) and RLIMIT_AS. Returns SIZE_MAX when nothing is known.
std::size_t usable_memory(const MemoryFiles& files = {});

}  // namespace tenon::io
