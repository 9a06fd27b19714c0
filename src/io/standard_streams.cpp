#include "io/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace tenon::io {
namespace {

Fd open_null(int flags) { return Fd(::open("/dev/null", flags | O_CLOEXEC)); }

}  // namespace

StandardStreams::StandardStreams() : input_(duplicate(0)), output_(duplicate(1)) {
    if (const Fd null = open_null(O_RDONLY)) ::dup2(null.get(), 0);
    if (::dup2(2, 1) < 0) {
        if (const Fd null = open_null(O_WRONLY)) ::dup2(null.get(), 1);
    }
    std::fflush(stdout);  // what was printed before, and is still in the buffer, must not get into the stream either
}

StandardStreams::~StandardStreams() {
    std::fflush(stdout);
    ::dup2(input_.get(), 0);
    ::dup2(output_.get(), 1);
}

}  // namespace tenon::io
