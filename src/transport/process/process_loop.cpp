#include "transport/process/process_loop.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/printable.hpp"

namespace tenon {
namespace {

using std::chrono::milliseconds;

// How often the child is checked for its end, where the kernel has no pidfd to wait for it.
constexpr int look_again_ms = 50;
constexpr std::size_t max_stderr_shown = 300;

}  // namespace

io::ChildCommand child_command(const ProcessOptions& options) {
    io::ChildCommand out;
    out.words = options.command;
    out.directory = options.directory;
    std::map<std::string, std::string> environment;
    for (const std::string& name : options.inherit)
        if (const char* value = std::getenv(name.c_str())) environment[name] = value;
    for (const auto& [name, value] : options.environment) environment[name] = value;
    for (const auto& [name, value] : environment)
        out.environment.push_back(std::string(name).append("=").append(value));
    const auto path = environment.find("PATH");
    out.path = path == environment.end() ? "/usr/local/bin:/usr/bin:/bin" : path->second;
    out.own_stderr = options.stderr_to == ChildStderr::capture || options.on_stderr;
    out.silent = options.stderr_to == ChildStderr::ignore;
    return out;
}

ProcessLoop::ProcessLoop(const ProcessOptions& options, const ClientTransport::Events& events,
                         ClientTransport::Bounds bounds, ProcessShared& shared)
    : options_(options),
      events_(events),
      shared_(shared),
      child_(child_command(options)),
      messages_(events, bounds.max_message_bytes),
      error_lines_(options.max_stderr_bytes) {
    const std::lock_guard lock(shared_.mutex);
    shared_.pid = child_.pid();
    shared_.stderr_tail.clear();
}

Error ProcessLoop::run() {
    events_.opened();
    while (!over_) turn();
    const int status = child_.reap();
    while (child_.errors()) {  // reads the rest of stderr; this ends, because the whole process group is dead
        const ssize_t n = ::read(child_.errors().get(), buffer_.data(), buffer_.size());
        if (n == 0 || (n < 0 && errno != EINTR)) break;  // at the end of the file, errno is an old one
        if (n > 0) take_errors({buffer_.data(), static_cast<std::size_t>(n)});
    }
    const std::lock_guard lock(shared_.mutex);
    shared_.pid = 0;
    return exit_error(status);
}

void ProcessLoop::turn() {
    {
        const std::lock_guard lock(shared_.mutex);
        if (sent_ == sending_.size() && !shared_.to_send.empty()) {
            sending_ = std::exchange(shared_.to_send, {});
            sent_ = 0;
        }
    }
    const bool writing = sent_ < sending_.size();
    std::array<pollfd, 5> fds = {pollfd{shared_.wake.fd(), POLLIN, 0}, pollfd{child_.output().get(), POLLIN, 0},
                                 pollfd{child_.errors().get(), POLLIN, 0}, pollfd{child_.exit_fd(), POLLIN, 0},
                                 pollfd{writing ? child_.input().get() : -1, POLLOUT, 0}};
    if (::poll(fds.data(), fds.size(), wait_time()) < 0) return;  // EINTR: the next turn polls again
    if (fds[0].revents != 0) shared_.wake.clear();
    if (fds[1].revents != 0) read_output();
    if (fds[2].revents != 0) read_errors();
    if (fds[4].revents != 0) write_some();
    may_have_ended_ = fds[3].revents != 0 || child_.exit_fd() < 0;
    advance();
}

int ProcessLoop::wait_time() {
    const bool must_look = child_.exit_fd() < 0 && (stage_ != Stage::talking || !child_.output());
    if (!until_) return must_look ? look_again_ms : -1;
    const auto left = std::chrono::ceil<milliseconds>(*until_ - Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(left, 0, must_look ? look_again_ms : 60'000));
}

void ProcessLoop::write_some() {
    const ssize_t n = ::write(child_.input().get(), sending_.data() + sent_, sending_.size() - sent_);
    if (n > 0) sent_ += static_cast<std::size_t>(n);
    if (n >= 0 || errno == EAGAIN || errno == EINTR) return;
    child_.input().reset();  // the child reads nothing more; its output is still read
    sending_.clear();
    sent_ = 0;
}

void ProcessLoop::read_output() {
    const ssize_t n = ::read(child_.output().get(), buffer_.data(), buffer_.size());
    if (n > 0) return messages_.feed({buffer_.data(), static_cast<std::size_t>(n)});
    if (n < 0 && errno == EINTR) return;
    if (n < 0 && errno == EAGAIN && !child_.has_ended()) return;
    if (messages_.end() == framing::LineFramer::End::cut)
        events_.note(LogLevel::warning, "the server's output ended in the middle of a message");
    child_.output().reset();
}

void ProcessLoop::read_errors() {
    const ssize_t n = ::read(child_.errors().get(), buffer_.data(), buffer_.size());
    if (n > 0) return take_errors({buffer_.data(), static_cast<std::size_t>(n)});
    if (n == 0 || (errno != EINTR && errno != EAGAIN)) child_.errors().reset();
}

void ProcessLoop::take_errors(std::string_view bytes) {
    struct Sink {
        const std::function<void(std::string_view)>& tell;
        void line(std::string_view text) { tell(text); }
        void too_long(std::size_t) {}
    };
    if (options_.on_stderr) error_lines_.feed(bytes, Sink{options_.on_stderr});
    const std::lock_guard lock(shared_.mutex);
    std::string& tail = shared_.stderr_tail;
    tail += bytes;
    if (tail.size() > options_.max_stderr_bytes) tail.erase(0, tail.size() - options_.max_stderr_bytes);
}

Error ProcessLoop::exit_error(int status) const {
    std::string text = "the server " + io::describe_exit(status);
    std::string_view tail = shared_.stderr_tail;
    while (!tail.empty() && tail.back() <= ' ' && tail.back() >= 0) tail.remove_suffix(1);
    tail.remove_prefix(std::min(tail.size(), tail.rfind('\n') + 1));
    if (!tail.empty()) text += "; last line of stderr: " + base::printable(tail, max_stderr_shown);
    return {code::connection_closed, std::move(text)};
}

}  // namespace tenon
