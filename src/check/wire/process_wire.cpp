#include "check/wire/process_wire.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include <tenon/transport/process.hpp>

#include "transport/process/process_loop.hpp"

namespace tenon::check {
namespace {

// A longer line is passed on in pieces. None of the pieces will be a valid message.
constexpr std::size_t max_line_bytes = 64 * 1024 * 1024;
constexpr std::size_t max_error_bytes = 8 * 1024;
constexpr Duration exit_time = std::chrono::seconds(1);          // from the end of the output to the exit
constexpr Duration piece_time = std::chrono::milliseconds(500);  // how long the server may take to read a piece
constexpr int look_again_ms = 50;                                // for kernels that cannot report the exit of a child

io::ChildCommand command_of(const Target& target) {
    return child_command({.command = target.command, .directory = target.directory, .environment = target.environment});
}

}  // namespace

ProcessWire::ProcessWire(const Target& target, Transcript& transcript)
    : transcript_(transcript), child_(command_of(target)) {}

void ProcessWire::send(std::string_view bytes) {
    transcript_.sent(bytes);
    if (child_.input()) sending_ += bytes;
}

void ProcessWire::send_now(std::string_view bytes) {
    send(bytes);
    if (child_.input()) write_some();
    const TimePoint until = Clock::now() + piece_time;
    int unread = 1;
    while (child_.input() && ::ioctl(child_.input().get(), FIONREAD, &unread) == 0 && unread > 0 &&
           Clock::now() < until)
        turn(Clock::now() + std::chrono::milliseconds(1));
}

void ProcessWire::end_input() {
    transcript_.note("(end of input)");
    end_input_ = true;
    if (!has_unsent()) child_.input().reset();
}

ProcessWire::Event ProcessWire::next(TimePoint until) {
    for (;;) {
        if (take_line()) return Event::line;
        if (!child_.output()) {
            wait_for_end(std::min(until, Clock::now() + exit_time));
            line_ = std::exchange(received_, {});
            searched_ = 0;
            return Event::end;
        }
        if (Clock::now() >= until) return Event::late;
        turn(until);
    }
}

bool ProcessWire::wait_for_end(TimePoint until) {
    while ((child_.output() || !child_.has_ended()) && Clock::now() < until) turn(until);
    if (child_.has_ended()) reap();
    return ended_;
}

bool ProcessWire::stop(Duration patience) {
    if (ended_) return true;
    stopping_ = true;
    forget_unsent();
    child_.input().reset();
    if (wait_for_end(Clock::now() + patience)) return true;
    child_.signal_group(SIGTERM);
    if (!wait_for_end(Clock::now() + patience)) reap();
    return false;
}

bool ProcessWire::take_line() {
    const std::size_t newline = received_.find('\n', searched_);
    searched_ = newline == std::string::npos ? received_.size() : 0;
    if (newline == std::string::npos && received_.size() < max_line_bytes) return false;
    line_ = received_.substr(0, newline);
    received_.erase(0, newline == std::string::npos ? newline : newline + 1);
    searched_ = 0;
    transcript_.received(line_ + "\n");
    return true;
}

void ProcessWire::turn(TimePoint until) {
    std::array<pollfd, 4> fds = {pollfd{child_.output().get(), POLLIN, 0}, pollfd{child_.errors().get(), POLLIN, 0},
                                 pollfd{has_unsent() ? child_.input().get() : -1, POLLOUT, 0},
                                 pollfd{child_.output() ? -1 : child_.exit_fd(), POLLIN, 0}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    const bool must_look = !child_.output() && child_.exit_fd() < 0;
    if (::poll(fds.data(), fds.size(),
               static_cast<int>(std::clamp<long long>(left, 0, must_look ? look_again_ms : 60'000))) < 0)
        return;
    if (fds[0].revents != 0) read_output();
    if (fds[1].revents != 0) read_errors();
    if (fds[2].revents != 0) write_some();
}

void ProcessWire::write_some() {
    const ssize_t n = ::write(child_.input().get(), sending_.data() + written_, sending_.size() - written_);
    if (n > 0) written_ += static_cast<std::size_t>(n);
    const bool deaf = n < 0 && errno != EAGAIN && errno != EINTR;
    if (deaf || !has_unsent()) forget_unsent();  // a deaf server reads no more, but its output is still read
    if (deaf || (end_input_ && !has_unsent())) child_.input().reset();
}

void ProcessWire::read_output() {
    const ssize_t n = ::read(child_.output().get(), buffer_.data(), buffer_.size());
    // While the process is stopped, its output is read only so that it is not stuck.
    if (n > 0 && !stopping_) received_.append(buffer_.data(), static_cast<std::size_t>(n));
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) child_.output().reset();
}

void ProcessWire::read_errors() {
    const ssize_t n = ::read(child_.errors().get(), buffer_.data(), buffer_.size());
    if (n > 0) errors_.append(buffer_.data(), static_cast<std::size_t>(n));
    if (errors_.size() > max_error_bytes) errors_.erase(0, errors_.size() - max_error_bytes);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) child_.errors().reset();
}

void ProcessWire::reap() {
    if (ended_) return;
    status_ = child_.reap();
    ended_ = true;
    how_ = io::describe_exit(*status_);
    while (child_.errors()) {
        const auto before = errors_.size();
        read_errors();
        if (errors_.size() == before) break;
    }
    if (stopping_) return;
    if (!received_.empty()) transcript_.received(received_);
    transcript_.note("the server " + how_ + (errors_.empty() ? "" : "; the end of its standard error: " + errors_));
}

}  // namespace tenon::check
