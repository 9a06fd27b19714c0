#include "io/beneath.hpp"

#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#endif

namespace tenon::io {
namespace {

constexpr int file_flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

#if defined(SYS_openat2) && defined(RESOLVE_BENEATH)
// The kernel returns EAGAIN when a rename elsewhere could have changed the path.
constexpr int most_tries = 16;

int open_by_kernel(int root, const std::string& path) {
    struct open_how how {};
    how.flags = file_flags;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    long fd = -1;
    for (int i = 0; i < most_tries; ++i) {
        fd = ::syscall(SYS_openat2, root, path.c_str(), &how, sizeof(how));
        if (fd >= 0 || (errno != EAGAIN && errno != EINTR)) break;
    }
    return static_cast<int>(fd);
}
#else
int open_by_kernel(int, const std::string&) {
    errno = ENOSYS;
    return -1;
}
#endif

// Opens one folder after the other. A descriptor holds each folder, so renaming a folder that was passed has no effect.
int open_by_walk(int root, const std::string& path) {
    Fd folder;
    std::size_t begin = 0;
    for (std::size_t end; (end = path.find('/', begin)) != std::string::npos; begin = end + 1) {
        if (end == begin) continue;  // "a//b" is "a/b"
        const std::string name = path.substr(begin, end - begin);
        const int from = folder ? folder.get() : root;
        folder = Fd(::openat(from, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!folder) return -1;
    }
    const std::string name = begin == path.size() ? "." : path.substr(begin);
    return ::openat(folder ? folder.get() : root, name.c_str(), file_flags | O_NOFOLLOW);
}

// Some sandboxes refuse unknown system calls with EPERM.
bool lacks_openat2(int error) { return error == ENOSYS || error == EPERM; }

}  // namespace

bool is_beneath(std::string_view path) {
    if (path.empty() || path.size() >= PATH_MAX || path[0] == '/') return false;
    if (path.find('\0') != std::string_view::npos) return false;
    for (;;) {
        const std::size_t end = path.find('/');
        if (path.substr(0, end) == "..") return false;
        if (end == std::string_view::npos) return true;
        path.remove_prefix(end + 1);
    }
}

bool has_openat2() {
    const Fd root(open_by_kernel(AT_FDCWD, "."));
    return root || !lacks_openat2(errno);
}

Fd open_beneath(int root, const std::string& path, Resolve how) {
    if (how == Resolve::kernel) {
        Fd fd(open_by_kernel(root, path));
        if (fd || !lacks_openat2(errno)) return fd;
    }
    return Fd(open_by_walk(root, path));
}

}  // namespace tenon::io
