// An owned file descriptor, and the few things that are done to one.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

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
    /// Gives the descriptor away: the caller closes it.
    int release() { return std::exchange(fd_, -1); }

 private:
    int fd_ = -1;
};

/// A copy that children do not inherit. Throws std::system_error.
Fd duplicate(int fd);

}  // namespace tenon::io
