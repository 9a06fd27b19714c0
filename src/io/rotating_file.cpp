#include "io/rotating_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace tenon::io {
namespace {

[[noreturn]] void fail(int error, const std::string& what) {
    throw std::system_error(error, std::generic_category(), what);
}

}  // namespace

RotatingFile::RotatingFile(Options options) : options_(std::move(options)) { open(); }

void RotatingFile::open() {
    // O_NONBLOCK: opening a FIFO must not wait. It has no effect on a regular file.
    constexpr int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    Fd fd(::open(options_.path.c_str(), flags, S_IRUSR | S_IWUSR));
    if (fd.get() < 0) fail(errno, "cannot open " + options_.path);
    struct stat about {};
    if (::fstat(fd.get(), &about) != 0) fail(errno, "cannot look at " + options_.path);
    if (!S_ISREG(about.st_mode)) fail(EINVAL, options_.path + " is not a regular file");
    fd_ = std::move(fd);
    size_ = static_cast<std::uint64_t>(about.st_size);
}

void RotatingFile::rotate() {
    const auto numbered = [this](std::size_t n) { return options_.path + "." + std::to_string(n); };
    // rename() replaces the oldest file. A missing file is not an error: there were fewer so far.
    for (std::size_t n = options_.kept; n > 1; --n)
        if (std::rename(numbered(n - 1).c_str(), numbered(n).c_str()) != 0 && errno != ENOENT)
            fail(errno, "cannot rename " + numbered(n - 1));
    const bool gone = options_.kept > 0 ? std::rename(options_.path.c_str(), numbered(1).c_str()) == 0
                                        : ::unlink(options_.path.c_str()) == 0;
    if (!gone && errno != ENOENT) fail(errno, "cannot rename " + options_.path);
    open();
}

// Returns the number of bytes, up to the end of a line, for which the file has room; 0: none.
std::size_t RotatingFile::fitting(std::string_view lines) const {
    const std::uint64_t room = options_.max_bytes > size_ ? options_.max_bytes - size_ : 0;
    if (lines.size() <= room) return lines.size();
    const std::size_t end = lines.substr(0, static_cast<std::size_t>(room)).rfind('\n');
    return end == std::string_view::npos ? 0 : end + 1;
}

std::size_t RotatingFile::append(std::string_view lines) {
    if (lines.empty()) return 0;
    std::size_t n = fitting(lines);
    if (n == 0 && size_ > 0 && !in_line_) {
        rotate();
        n = fitting(lines);
    }
    if (n == 0) n = std::min(lines.size(), lines.find('\n') + 1);  // a line that is longer than the limit, or its rest
    for (;;) {
        const ssize_t written = ::write(fd_.get(), lines.data(), n);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(errno, "cannot write to " + options_.path);
        size_ += static_cast<std::uint64_t>(written);
        const auto bytes = static_cast<std::size_t>(written);
        if (bytes > 0) in_line_ = lines[bytes - 1] != '\n';
        return bytes;
    }
}

}  // namespace tenon::io
