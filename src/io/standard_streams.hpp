// Reserves standard input and output for the protocol.
#pragma once

#include "io/fd.hpp"

namespace tenon::io {

/// Moves the streams of the protocol to input() and output(). While this object lives, fd 0 is /dev/null and fd 1 is
/// stderr. So a library that prints, or a child process that reads, cannot disturb the protocol. The destructor
/// restores the streams.
class StandardStreams {
 public:
    StandardStreams();
    ~StandardStreams();
    StandardStreams(const StandardStreams&) = delete;
    StandardStreams& operator=(const StandardStreams&) = delete;

    int input() const { return input_.get(); }
    int output() const { return output_.get(); }

 private:
    Fd input_, output_;
};

}  // namespace tenon::io
