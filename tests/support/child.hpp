// A real process with pipes to its standard streams. Every wait is limited by poll() and a generous deadline.
#pragma once

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <deque>
#include <fstream>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/argv.hpp"

namespace tenon::test {

inline constexpr std::chrono::seconds patience{60};

enum class Stream { pipe, socket, closed, file };

struct ChildOptions {
    Stream input = Stream::pipe;
    Stream output = Stream::pipe;
    Stream errors = Stream::pipe;
    std::string input_file = {}, output_file = {};
    bool nonblocking = false;        // the child inherits O_NONBLOCK on its input and output
    bool read_errors = true;         // false: its stderr is not read
    bool keep_their_output = false;  // their_output() returns the child's own end of its output
};

class Child {
 public:
    using Options = ChildOptions;

    explicit Child(std::vector<std::string> command, Options options = {}) : options_(std::move(options)) {
        auto input = open(options_.input, options_.input_file, O_RDONLY, false);
        auto output = open(options_.output, options_.output_file, O_WRONLY | O_CREAT | O_TRUNC, true);
        auto errors = open(options_.errors, {}, O_WRONLY, true);
        if (options_.nonblocking)
            for (const int fd : {input.theirs, output.theirs}) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
        const std::vector<char*> argv = argv_of(command);
        pid_ = ::fork();
        if (pid_ < 0) throw std::runtime_error("fork");
        if (pid_ == 0) {
            place(input.theirs, 0), place(output.theirs, 1), place(errors.theirs, 2);
            ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);  // inherit no descriptor of the test runner
            ::execv(argv[0], argv.data());
            ::_exit(127);
        }
        if (options_.keep_their_output) theirs_ = std::exchange(output.theirs, -1);
        for (const int fd : {output.theirs, errors.theirs, input.theirs})
            if (fd >= 0) ::close(fd);
        in_ = input.ours, out_ = output.ours, err_ = errors.ours;
        for (const int fd : {in_, out_, err_})
            if (fd >= 0) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    }
    ~Child() {
        for (const int fd : {in_, out_, err_, theirs_})
            if (fd >= 0) ::close(fd);
        if (pid_ > 0 && !status_) {
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, nullptr, 0);
        }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Queues bytes. They are sent during the next wait.
    void send(std::string_view bytes) { to_send_ += bytes; }
    void send_line(std::string_view line) { (to_send_ += line) += '\n'; }
    bool sent_all() const { return sent_ == to_send_.size() || in_ < 0; }
    std::size_t unsent() const { return to_send_.size() - sent_; }

    /// Moves bytes until `done` returns true or the time is over. Returns whether `done` was true.
    bool pump(const std::function<bool()>& done, std::chrono::milliseconds time = patience) {
        const auto deadline = std::chrono::steady_clock::now() + time;
        while (!done()) {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now())
                    .count();
            if (left <= 0 || !move_bytes(static_cast<int>(left))) return done();
        }
        return true;
    }
    /// Sends all queued bytes. Meanwhile it reads, unless reading is paused.
    bool flush() {
        return pump([this] { return sent_all(); });
    }

    /// Returns the next line of the output without its newline. Returns nothing at the end of the output or after a
    /// timeout.
    std::optional<std::string> line(std::chrono::milliseconds time = patience) {
        pump([this] { return !lines_.empty() || out_ < 0; }, time);
        if (lines_.empty()) return std::nullopt;
        std::string first = std::move(lines_.front());
        lines_.pop_front();
        return first;
    }
    std::deque<std::string>& lines() { return lines_; }
    /// Bytes after the last newline of the output.
    const std::string& partial() const { return partial_; }
    const std::string& errors() const { return errors_; }
    bool output_ended() const { return out_ < 0; }

    void pause_reading(bool pause = true) { reading_ = !pause; }
    void close_input() { close(in_); }
    void close_output() { close(out_); }
    void signal(int number) { ::kill(pid_, number); }
    pid_t pid() const { return pid_; }
    /// Returns the names of its input and output pipes as /proc shows them.
    std::vector<std::string> streams() const {
        std::vector<std::string> out;
        for (const int fd : {in_, out_}) {
            struct stat st {};
            if (::fstat(fd, &st) == 0) out.push_back("pipe:[" + std::to_string(st.st_ino) + "]");
        }
        return out;
    }
    int their_output() const { return theirs_; }

    /// Sends all queued bytes, closes the input and reads to the end. Returns the exit status: negative for a signal,
    /// nothing after a timeout.
    std::optional<int> finish(std::chrono::milliseconds time = patience) {
        if (in_ >= 0) {
            pump([this] { return sent_all(); }, time);
            close_input();
        }
        return exit_status(time);
    }
    std::optional<int> exit_status(std::chrono::milliseconds time = patience) {
        const auto deadline = std::chrono::steady_clock::now() + time;
        pump([this] { return (out_ < 0 || !reading_) && (err_ < 0 || !options_.read_errors); }, time);
        while (!status_) {
            int status = 0;
            const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
            if (ended == pid_) status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
            if (status_ || std::chrono::steady_clock::now() >= deadline) break;
            ::poll(nullptr, 0, 2);  // its streams have ended, so it is about to exit
        }
        return status_;
    }

    /// Returns a number of /proc/<pid>/status in kB, for example VmRSS or VmHWM.
    long status_kb(const std::string& name) const {
        std::ifstream file("/proc/" + std::to_string(pid_) + "/status");
        for (std::string line; std::getline(file, line);)
            if (line.starts_with(name + ":")) return std::strtol(line.c_str() + name.size() + 1, nullptr, 10);
        return -1;
    }

 private:
    struct Ends {
        int ours = -1, theirs = -1;
    };
    Ends open(Stream kind, const std::string& file, int flags, bool from_child) {
        Ends ends;
        std::array<int, 2> pair = {-1, -1};
        if (kind == Stream::pipe) {
            if (::pipe2(pair.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
            ends = from_child ? Ends{pair[0], pair[1]} : Ends{pair[1], pair[0]};
        } else if (kind == Stream::socket) {
            if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
                throw std::runtime_error("socketpair");
            ends = {pair[0], pair[1]};
        } else if (kind == Stream::file) {
            ends.theirs = ::open(file.c_str(), flags | O_CLOEXEC, 0600);
            if (ends.theirs < 0) throw std::runtime_error("open " + file);
        }
        return ends;
    }
    static void place(int fd, int at) {
        if (fd < 0) {
            ::close(at);
        } else {
            ::dup2(fd, at);
        }
    }
    static void close(int& fd) {
        if (fd >= 0) ::close(fd);
        fd = -1;
    }
    bool move_bytes(int milliseconds) {
        std::array<pollfd, 3> fds = {pollfd{sent_ < to_send_.size() ? in_ : -1, POLLOUT, 0},
                                     pollfd{reading_ ? out_ : -1, POLLIN, 0},
                                     pollfd{options_.read_errors ? err_ : -1, POLLIN, 0}};
        const int n = ::poll(fds.data(), fds.size(), milliseconds);
        if (n < 0) return errno == EINTR;
        if (n == 0) return false;
        if (fds[0].revents) write_some();
        if (fds[1].revents) read_some(out_, [this](std::string_view bytes) { take(bytes); });
        if (fds[2].revents) read_some(err_, [this](std::string_view bytes) { errors_ += bytes; });
        return true;
    }
    void write_some() {
        const std::string_view rest = std::string_view(to_send_).substr(sent_, 1 << 20);
        // Writing to a dead child must not end the test process.
        struct sigaction ignore {
        }, before{};
        ignore.sa_handler = SIG_IGN;
        ::sigaction(SIGPIPE, &ignore, &before);
        const ssize_t n = ::write(in_, rest.data(), rest.size());
        const int error = errno;
        ::sigaction(SIGPIPE, &before, nullptr);
        if (n < 0 && error != EAGAIN && error != EINTR) return close(in_);
        if (n > 0) sent_ += static_cast<std::size_t>(n);
        if (sent_ == to_send_.size()) to_send_.clear(), sent_ = 0;
    }
    template <class F>
    void read_some(int& fd, F take_bytes) {
        std::array<char, 65536> buffer;
        const ssize_t n = ::read(fd, buffer.data(), buffer.size());
        if (n > 0) return take_bytes(std::string_view(buffer.data(), static_cast<std::size_t>(n)));
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
        close(fd);
    }
    void take(std::string_view bytes) {
        for (std::size_t newline; (newline = bytes.find('\n')) != bytes.npos; bytes.remove_prefix(newline + 1)) {
            lines_.push_back(partial_.append(bytes.substr(0, newline)));
            partial_.clear();
        }
        partial_ += bytes;
    }

    Options options_;
    pid_t pid_ = -1;
    int in_ = -1, out_ = -1, err_ = -1, theirs_ = -1;
    bool reading_ = true;
    std::string to_send_;
    std::size_t sent_ = 0;
    std::deque<std::string> lines_;
    std::string partial_, errors_;
    std::optional<int> status_;
};

}  // namespace tenon::test
