// Opens a path beneath a folder, without following a link out of it.
#pragma once

#include <string>
#include <string_view>

#include "io/fd.hpp"

namespace tenon::io {

/// How the parts of a path are resolved.
enum class Resolve {
    kernel,  ///< by openat2: follows symbolic links that stay inside; uses `walk` when the kernel has no openat2
    walk,    ///< part by part, on any kernel: follows no symbolic link
};

/// Returns whether `path` is relative, not empty, not too long, and without NUL and ".." segments.
bool is_beneath(std::string_view path);

/// Returns whether the kernel has openat2 and lets this process use it.
bool has_openat2();

/// Opens `path` for reading, without blocking (O_NONBLOCK). Returns an empty Fd, and sets errno, on failure.
/// is_beneath() must accept `path`.
Fd open_beneath(int root, const std::string& path, Resolve how = Resolve::kernel);

}  // namespace tenon::io
