#include "io/output.hpp"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace tenon::io {
namespace {

// Opens the pipe a second time, to get flags of its own. O_NONBLOCK on the old description would also affect the parent
// process.
Fd reopen_nonblocking(int fd) {
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    return Fd(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
}

bool writable_now(int fd) {
    pollfd p{fd, POLLOUT, 0};
    return ::poll(&p, 1, 0) == 1 && (p.revents & (POLLOUT | POLLERR | POLLHUP)) != 0;
}

}  // namespace

Output::Output(int fd) : fd_(duplicate(fd)) {
    struct stat st {};
    if (::fstat(fd, &st) != 0) return;
    if (S_ISSOCK(st.st_mode)) {
        kind_ = Kind::socket;
    } else if (S_ISFIFO(st.st_mode)) {
        if (Fd own = reopen_nonblocking(fd)) {
            fd_ = std::move(own);
            kind_ = Kind::nonblocking;
        }
    } else if (S_ISREG(st.st_mode)) {
        kind_ = Kind::nonblocking;  // writing to a file never blocks on a reader
    }
}

Output::Written Output::write_once(std::string_view bytes) {
    ssize_t n = -1;
    if (kind_ == Kind::socket) {
        n = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    } else if (kind_ == Kind::nonblocking) {
        n = ::write(fd_.get(), bytes.data(), bytes.size());
    } else {
        // When poll() says writable, PIPE_BUF bytes can be written without blocking.
        if (!writable_now(fd_.get())) return {0, Status::would_block};
        n = ::write(fd_.get(), bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
    }
    if (n >= 0) return {static_cast<std::size_t>(n), Status::ok};
    if (errno == EINTR) return {0, Status::ok};
    if (errno == EAGAIN || errno == EWOULDBLOCK) return {0, Status::would_block};
    return {0, Status::closed};
}

Output::Written Output::write(std::string_view bytes) {
    Written total;
    while (!bytes.empty()) {
        const Written once = write_once(bytes);
        total.bytes += once.bytes;
        bytes.remove_prefix(once.bytes);
        if (once.status != Status::ok) {
            total.status = once.status;
            break;
        }
    }
    return total;
}

}  // namespace tenon::io
