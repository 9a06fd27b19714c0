#include "inspect/tap_stdio.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "inspect/tap_flow.hpp"
#include "io/child_process.hpp"
#include "io/wake_pipe.hpp"

extern char** environ;

namespace tenon::inspect {
namespace {

constexpr std::size_t max_tap_line = 16 * 1024 * 1024;
constexpr int end_time_ms = 5000;  // for the server to end after its input has ended
constexpr int failed_status = 1;

io::ChildCommand child_command(const Target& target) {
    io::ChildCommand out;
    out.words = target.command;
    for (char** variable = environ; *variable; ++variable) out.environment.emplace_back(*variable);
    for (const auto& [name, value] : target.environment) out.environment.push_back(name + "=" + value);
    const char* path = std::getenv("PATH");
    out.path = path ? path : "/usr/local/bin:/usr/bin:/bin";
    out.directory = target.directory;
    return out;
}

class StdioTap {
 public:
    StdioTap(const Target& target, TapGate& gate, Recorder& recorder)
        : gate_(gate), recorder_(recorder), child_(child_command(target)) {
        gate_.on_decision([this] { wake_.wake(); });
    }
    ~StdioTap() {
        gate_.on_decision({});
        gate_.end();
    }
    int pid() const { return child_.pid(); }

    int run(const std::stop_token& stop) {
        const std::stop_callback woken(stop, [this] { wake_.wake(); });
        while (!stop.stop_requested() && turn()) {
        }
        const int status = child_.reap();
        return WIFEXITED(status) ? WEXITSTATUS(status) : failed_status;
    }

 private:
    // Waits for any of the streams once. Returns false when the session is over.
    bool turn() {
        apply_decisions();
        if (to_server_.is_done()) child_.input().reset();
        if (from_server_.is_done()) return false;
        const auto when = [](bool wanted, int fd) { return wanted ? fd : -1; };
        std::array<pollfd, 6> fds = {
            pollfd{when(to_server_.wants_input(), STDIN_FILENO), POLLIN, 0},
            pollfd{when(from_server_.wants_input(), child_.output().get()), POLLIN, 0},
            pollfd{child_.errors() ? child_.errors().get() : -1, POLLIN, 0},
            pollfd{when(child_.input() && !to_server_.output().empty(), child_.input().get()), POLLOUT, 0},
            pollfd{when(!from_server_.output().empty(), STDOUT_FILENO), POLLOUT, 0},
            pollfd{wake_.fd(), POLLIN, 0}};
        const int ready = ::poll(fds.data(), fds.size(), child_.input() ? -1 : end_time_ms);
        if (ready < 0) return errno == EINTR;
        if (ready == 0 && !gate_waits()) return false;  // the server does not end by itself
        if (fds[0].revents != 0) read_into(to_server_, STDIN_FILENO);
        if (fds[1].revents != 0) read_into(from_server_, child_.output().get());
        if (fds[2].revents != 0) read_errors();
        if (fds[3].revents != 0 && !write_from(to_server_, child_.input().get())) child_.input().reset();
        if (fds[4].revents != 0 && !write_from(from_server_, STDOUT_FILENO)) return false;  // the client is gone
        if (fds[5].revents != 0) wake_.clear();
        return true;
    }
    bool gate_waits() const { return to_server_.waits() || from_server_.waits(); }

    void apply_decisions() {
        for (const bool sent : {false, true}) {
            TapFlow& flow = sent ? to_server_ : from_server_;
            while (const auto decision = gate_.take_decision(held_[sent]))
                decision->drop ? flow.drop() : flow.release(decision->text);
        }
    }
    // At most one message of each direction waits.
    bool must_wait(bool sent, std::string_view line) {
        held_[sent] = gate_.hold({sent}, line);
        return !held_[sent].empty();
    }
    void read_into(TapFlow& flow, int fd) {
        const ssize_t n = ::read(fd, buffer_.data(), buffer_.size());
        if (n > 0) return flow.feed({buffer_.data(), static_cast<std::size_t>(n)});
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
        flow.end();
    }
    static bool write_from(TapFlow& flow, int fd) {
        const ssize_t n = ::write(fd, flow.output().data(), flow.output().size());
        if (n > 0) flow.written(static_cast<std::size_t>(n));
        return n > 0 || errno == EINTR || errno == EAGAIN;
    }
    // The client sees the server's stderr as if there was no tap.
    void read_errors() {
        const ssize_t n = ::read(child_.errors().get(), buffer_.data(), buffer_.size());
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
        if (n <= 0) return child_.errors().reset();
        const std::string_view text(buffer_.data(), static_cast<std::size_t>(n));
        if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;  // the client does not read it
        errors_.feed(text);
        errors_.written(errors_.output().size());
    }

    TapGate& gate_;
    Recorder& recorder_;
    io::WakePipe wake_;
    io::ChildProcess child_;
    std::array<std::string, 2> held_;  // ids of the messages that wait: received, sent
    TapFlow to_server_{max_tap_line, [this](std::string_view line) { return must_wait(true, line); }};
    TapFlow from_server_{max_tap_line, [this](std::string_view line) { return must_wait(false, line); }};
    TapFlow errors_{64 * 1024, [this](std::string_view line) {
                        recorder_.tell("stderr", {{"text", line}, {"connection", 1}});
                        return false;
                    }};
    std::array<char, 64 * 1024> buffer_;
};

}  // namespace

int run_stdio_tap(const Target& target, TapGate& gate, Recorder& recorder, const std::function<void(int pid)>& started,
                  const std::stop_token& stop) {
    ::signal(SIGPIPE, SIG_IGN);  // a client that ends is noticed when writing
    const auto tap = std::make_unique<StdioTap>(target, gate, recorder);
    started(tap->pid());
    return tap->run(stop);
}

}  // namespace tenon::inspect
