// Takes standard input and output away from everybody else, and gives them back.
#pragma once

#include "io/fd.hpp"

namespace tenon::io {

/// While it lives, fd 0 is /dev/null and fd 1 is stderr: a library that prints, or a child process that reads, cannot
/// touch the protocol's streams, which only input() and output() lead to.
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
