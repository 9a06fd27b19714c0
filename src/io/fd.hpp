// An owned file descriptor.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::io {

class Fd {
 public:
    Fd() = default;
    explicit Fd(int fd) : fd_(fd) {}
    Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Fd& operator=(Fd&& other) noexcept {
        if (this != &other) {
            reset();
            fd_ = std::exchange(other.fd_, -1);
        }
        return *this;
    }
    ~Fd() { reset(); }

    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    void reset();
    /// Returns the descriptor without closing it. The caller owns it then.
    int release() { return std::exchange(fd_, -1); }

 private:
    int fd_ = -1;
};

/// Returns a copy with close-on-exec, numbered 3 or higher. Throws std::system_error.
Fd duplicate(int fd);

}  // namespace tenon::io

#pragma GCC visibility pop
