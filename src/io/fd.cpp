#include "io/fd.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace tenon::io {

void Fd::reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

Fd duplicate(int fd) {
    const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (copy < 0)
        throw std::system_error(errno, std::generic_category(), "cannot use file descriptor " + std::to_string(fd));
    return Fd(copy);
}

}  // namespace tenon::io
