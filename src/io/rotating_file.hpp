// A file that only grows, and is renamed when it is long: PATH becomes PATH.1, PATH.1 becomes PATH.2, and so on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/fd.hpp"

namespace tenon::io {

/// Not thread-safe. Blocks while the disk is slow.
class RotatingFile {
 public:
    struct Options {
        std::string path;
        std::uint64_t max_bytes;
        std::size_t kept;  // renamed files; older ones are deleted. 0: a long file is deleted itself
    };
    /// Opens the file, or creates it with mode 0600. Throws std::system_error, also if it is not a regular file.
    explicit RotatingFile(Options options);

    /// Appends whole lines, as many as fit, and at least one. Renames the file first if it has no room for the first
    /// line. Returns the number of bytes that were written; throws std::system_error if there is an error and none was.
    std::size_t append(std::string_view lines);

 private:
    void open();
    void rotate();
    std::size_t fitting(std::string_view lines) const;

    const Options options_;
    Fd fd_;
    std::uint64_t size_ = 0;
    bool in_line_ = false;  // the last write ended in the middle of a line
};

}  // namespace tenon::io
