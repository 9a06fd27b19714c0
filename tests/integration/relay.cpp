// relay OUT IN command...: passes bytes between its own streams and those of a server. After the server wrote OUT bytes
// or received IN bytes, it kills the server and itself. -1 means no limit. It reports the end of each message on
// stderr, for example "out 120" or "in 80".
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace {

pid_t server = -1;

[[noreturn]] void die() {
    ::kill(server, SIGKILL);
    ::waitpid(server, nullptr, 0);
    ::kill(::getpid(), SIGKILL);
    ::_exit(1);
}

void write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n <= 0) return;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

struct Direction {
    const char* name;
    int from, to;
    long limit;
    long passed = 0;
    bool open = true;

    void pass() {
        static std::array<char, 64 * 1024> buffer;
        const ssize_t n = ::read(from, buffer.data(), buffer.size());
        if (n <= 0) {
            open = false;
            ::close(to);
            return;
        }
        std::string_view bytes(buffer.data(), static_cast<std::size_t>(n));
        const bool last = limit >= 0 && passed + n >= limit;
        if (last) bytes = bytes.substr(0, static_cast<std::size_t>(limit - passed));
        write_all(to, bytes);
        for (const char c : bytes) {
            ++passed;
            if (c == '\n') std::cerr << name << " " << passed << std::endl;
        }
        if (last) die();
    }
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) return 2;
    ::signal(SIGPIPE, SIG_IGN);
    int in[2], out[2];
    if (::pipe(in) != 0 || ::pipe(out) != 0) return 2;
    server = ::fork();
    if (server == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::dup2(in[0], 0), ::dup2(out[1], 1);
        for (const int fd : {in[0], in[1], out[0], out[1]}) ::close(fd);
        ::execv(argv[3], argv + 3);
        ::_exit(127);
    }
    ::close(in[0]), ::close(out[1]);
    Direction inwards{"in", 0, in[1], std::atol(argv[2])}, outwards{"out", out[0], 1, std::atol(argv[1])};
    if (inwards.limit == 0 || outwards.limit == 0) die();
    while (outwards.open) {
        std::array<pollfd, 2> fds = {pollfd{inwards.open ? 0 : -1, POLLIN, 0}, pollfd{out[0], POLLIN, 0}};
        if (::poll(fds.data(), fds.size(), -1) < 0) continue;
        if (fds[0].revents != 0) inwards.pass();
        if (fds[1].revents != 0) outwards.pass();
    }
    ::waitpid(server, nullptr, 0);
    return 0;
}
