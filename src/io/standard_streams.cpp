#include "io/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <system_error>

namespace tenon::io {
namespace {

Fd open_null(int flags) { return Fd(::open("/dev/null", flags | O_CLOEXEC)); }

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

Fd take(int fd, const char* name) {
    if (!is_open(fd))
        throw std::system_error(std::make_error_code(std::errc::bad_file_descriptor),
                                std::string(name) + " is not open");
    return duplicate(fd);
}

// Writes buffered output to the current fd 1.
void flush_buffers() {
    std::cout.flush();
    std::fflush(stdout);
}

}  // namespace

StandardStreams::StandardStreams() : input_(take(0, "standard input")), output_(take(1, "standard output")) {
    // If stderr is closed, the next file to be opened would get its number, and all error output.
    if (!is_open(2)) (void)::open("/dev/null", O_WRONLY);  // 0 and 1 are open, so it becomes 2
    if (const Fd null = open_null(O_RDONLY)) ::dup2(null.get(), 0);
    ::dup2(2, 1);
    flush_buffers();  // text printed earlier must not get into the protocol either
}

StandardStreams::~StandardStreams() {
    flush_buffers();
    ::dup2(input_.get(), 0);
    ::dup2(output_.get(), 1);
}

}  // namespace tenon::io
