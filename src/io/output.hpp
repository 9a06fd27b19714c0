// Writing to a pipe, socket, file or terminal without ever blocking on a slow reader.
#pragma once

#include <cstddef>
#include <string_view>

#include "io/fd.hpp"

namespace tenon::io {

/// Writes what fits now. Other holders of the same pipe or terminal are not affected: the descriptor's own flags,
/// which are shared with them, stay as they were.
class Output {
 public:
    explicit Output(int fd);

    enum class Status { ok, would_block, closed };
    struct Written {
        std::size_t bytes = 0;
        Status status = Status::ok;
    };
    /// As much as the other end takes now. `closed`: nobody reads any more.
    Written write(std::string_view bytes);

    /// To wait on with poll(POLLOUT).
    int fd() const { return fd_.get(); }

 private:
    enum class Kind { nonblocking, socket, small_pieces };
    Written write_once(std::string_view bytes);

    Fd fd_;
    Kind kind_ = Kind::small_pieces;
};

}  // namespace tenon::io
