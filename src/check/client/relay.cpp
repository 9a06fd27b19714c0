// The relay: the program that a client starts as its server. It forwards all input to the checker, and reports the end
// of its input and SIGTERM.
#include "check/client/relay.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include <tenon/check.hpp>

#include "io/fd.hpp"

namespace tenon::check {
namespace client {
namespace {

constexpr std::size_t head_bytes = 5;

class Relay {
 public:
    explicit Relay(const std::string& path) : signals_(open_signals()), checker_(connect_to(path)) {}

    int run() {
        if (!checker_) return 1;
        while (turn()) {
        }
        return 0;
    }

 private:
    static io::Fd open_signals() {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
        return io::Fd(::signalfd(-1, &set, SFD_CLOEXEC));
    }
    static io::Fd connect_to(const std::string& path) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        if (path.size() >= sizeof address.sun_path) return {};
        path.copy(address.sun_path, path.size());
        io::Fd out(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (::connect(out.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) out.reset();
        return out;
    }

    bool turn() {
        std::array<pollfd, 3> fds = {pollfd{input_ended_ ? -1 : STDIN_FILENO, POLLIN, 0},
                                     pollfd{checker_.get(), POLLIN, 0}, pollfd{signals_.get(), POLLIN, 0}};
        if (::poll(fds.data(), fds.size(), -1) < 0) return errno == EINTR;
        if (fds[0].revents != 0) pass_input();
        if (fds[2].revents != 0) {
            tell(write_frame(Signal::terminated));
            return false;
        }
        return fds[1].revents == 0 || pass_output();
    }

    void pass_input() {
        const ssize_t n = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
        if (n < 0 && errno == EINTR) return;
        input_ended_ = n <= 0;
        tell(input_ended_ ? write_frame(Signal::end)
                          : write_frame(Signal::data, {buffer_.data(), static_cast<std::size_t>(n)}));
    }
    bool pass_output() {
        const ssize_t n = ::read(checker_.get(), buffer_.data(), buffer_.size());
        if (n < 0 && errno == EINTR) return true;
        return n > 0 && write_all(STDOUT_FILENO, {buffer_.data(), static_cast<std::size_t>(n)});
    }
    void tell(const std::string& frame) const { write_all(checker_.get(), frame); }
    static bool write_all(int fd, std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t n = ::write(fd, bytes.data(), bytes.size());
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
        return true;
    }

    io::Fd signals_, checker_;
    bool input_ended_ = false;
    std::array<char, 64 * 1024> buffer_;
};

}  // namespace

std::string write_frame(Signal signal, std::string_view bytes) {
    std::string out(1, static_cast<char>(signal));
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((bytes.size() >> shift) & 0xFF);
    return out.append(bytes);
}

std::optional<Frame> take_frame(std::string& buffer) {
    if (buffer.size() < head_bytes) return std::nullopt;
    std::size_t size = 0;
    for (std::size_t i = 1; i < head_bytes; ++i) size = size << 8 | static_cast<unsigned char>(buffer[i]);
    if (buffer.size() < head_bytes + size) return std::nullopt;
    Frame out{static_cast<Signal>(buffer.front()), buffer.substr(head_bytes, size)};
    buffer.erase(0, head_bytes + size);
    return out;
}

}  // namespace client

int relay(const std::string& socket) {
    ::signal(SIGPIPE, SIG_IGN);
    return client::Relay(socket).run();
}

}  // namespace tenon::check
