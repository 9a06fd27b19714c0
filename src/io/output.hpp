// Writes to a pipe, socket, file or terminal without blocking on a slow reader.
#pragma once

#include <cstddef>
#include <string_view>

#include "io/fd.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::io {

/// A nonblocking output. Does not change the flags of the given descriptor, because other processes may share them.
class Output {
 public:
    explicit Output(int fd);

    enum class Status { ok, would_block, closed };
    struct Written {
        std::size_t bytes = 0;
        Status status = Status::ok;
    };
    /// Writes as much as the reader takes now. `closed` means that the other end is closed or writing failed.
    Written write(std::string_view bytes);

    /// Returns the descriptor to wait on with poll(POLLOUT).
    int fd() const { return fd_.get(); }

 private:
    enum class Kind { nonblocking, socket, small_pieces };
    Written write_once(std::string_view bytes);

    Fd fd_;
    Kind kind_ = Kind::small_pieces;
};

}  // namespace tenon::io

#pragma GCC visibility pop
