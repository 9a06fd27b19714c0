// A real process on its own terminal, as a person would use it. Every wait is limited by poll() and a generous
// deadline.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/argv.hpp"

namespace tenon::test {

class PtyChild {
 public:
    explicit PtyChild(std::vector<std::string> command, unsigned short columns = 80) {
        terminal_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (terminal_ < 0 || ::grantpt(terminal_) != 0 || ::unlockpt(terminal_) != 0)
            throw std::runtime_error("no terminal");
        std::array<char, 128> name{};
        if (::ptsname_r(terminal_, name.data(), name.size()) != 0) throw std::runtime_error("no name");
        const std::vector<char*> argv = argv_of(command);
        pid_ = ::fork();
        if (pid_ < 0) throw std::runtime_error("fork");
        if (pid_ == 0) {
            ::setsid();
            const int fd = ::open(name.data(), O_RDWR);
            ::ioctl(fd, TIOCSCTTY, 0);
            winsize size{};
            size.ws_col = columns, size.ws_row = 24;
            ::ioctl(fd, TIOCSWINSZ, &size);
            for (const int at : {0, 1, 2}) ::dup2(fd, at);
            ::execv(argv[0], argv.data());
            ::_exit(127);
        }
    }
    ~PtyChild() {
        if (!status_) {
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, nullptr, 0);
        }
        ::close(terminal_);
    }
    PtyChild(const PtyChild&) = delete;
    PtyChild& operator=(const PtyChild&) = delete;

    /// Waits until the text is shown after the previously awaited text. Returns false when it does not appear.
    bool shows(std::string_view text) {
        for (;;) {
            const std::size_t found = output_.find(text, seen_);
            if (found != std::string::npos) {
                seen_ = found + text.size();
                return true;
            }
            if (!read_some()) return false;
        }
    }
    void type(std::string_view text) {
        if (::write(terminal_, text.data(), text.size()) < 0) throw std::runtime_error("write");
    }
    void signal(int number) { ::kill(pid_, number); }
    /// Reads to the end. Returns the exit status, negative for a signal.
    int finish() {
        while (read_some()) {
        }
        int status = 0;
        while (!status_ && ::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        if (!status_) status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        return *status_;
    }
    const std::string& output() const { return output_; }

 private:
    bool read_some() {
        pollfd fd{terminal_, POLLIN, 0};
        const int n = ::poll(&fd, 1, std::chrono::milliseconds(std::chrono::seconds(60)).count());
        if (n <= 0) return false;
        std::array<char, 4096> buffer;
        const ssize_t got = ::read(terminal_, buffer.data(), buffer.size());
        if (got <= 0) return false;  // EIO: no process has the terminal open any more
        output_.append(buffer.data(), static_cast<std::size_t>(got));
        return true;
    }

    int terminal_ = -1;
    pid_t pid_ = -1;
    std::string output_;
    std::size_t seen_ = 0;
    std::optional<int> status_;
};

}  // namespace tenon::test
