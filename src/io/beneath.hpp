// Opens a path beneath a folder, without following a link out of it.
#pragma once

#include <string>
#include <string_view>

#include "io/fd.hpp"

namespace tenon::io {

/// How the parts of a path are followed.
enum class Resolve {
    kernel,  ///< openat2: symbolic links that stay inside are followed. Walks when the kernel has no openat2
    walk,    ///< part by part, on any kernel: no symbolic link is followed
};

/// Returns whether `path` may be tried: relative, not empty, not too long, without NUL and ".." segments.
bool is_beneath(std::string_view path);

/// Returns whether the kernel has openat2 and lets this process use it.
bool has_openat2();

/// Opens `path` for reading, and never waits (O_NONBLOCK). Empty with errno set when that fails. `path` must be one
/// that is_beneath() accepts.
Fd open_beneath(int root, const std::string& path, Resolve how = Resolve::kernel);

}  // namespace tenon::io
