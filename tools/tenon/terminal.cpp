#include "terminal.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "interrupt.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t longest_line = 64 * 1024;
std::mutex one_conversation;  // there is one terminal

}  // namespace

bool has_terminal() { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1; }

Terminal::Terminal(Console& console, std::stop_token stop)
    : console_(console), stop_(std::move(stop)), alone_(one_conversation) {
    console_.pause_bar(true);
}

Terminal::~Terminal() { console_.pause_bar(false); }

void Terminal::say(const std::vector<Styled>& line) {
    console_.note([&](Out& out) {
        for (const Styled& part : line) out << part;
        out << "\n";
    });
}

std::optional<std::string> Terminal::ask(const std::vector<Styled>& question) {
    if (stop_.stop_requested()) return std::nullopt;
    console_.note([&](Out& out) {
        for (const Styled& part : question) out << part;
    });
    auto answer = read_line();
    if (!answer) console_.note([](Out& out) { out << "\n"; });
    return answer;
}

// A read() from a terminal returns one line, or nothing at Ctrl-D.
std::optional<std::string> Terminal::read_line() {
    const StopFd stopped(stop_);
    std::string line;
    while (!line.ends_with('\n') && line.size() < longest_line) {
        std::array<pollfd, 2> fds = {pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{stopped.fd(), POLLIN, 0}};
        if (::poll(fds.data(), fds.size(), -1) < 0) continue;
        if (fds[1].revents != 0) return std::nullopt;
        std::array<char, 4096> buffer;
        const ssize_t n = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return std::nullopt;
        line.append(buffer.data(), static_cast<std::size_t>(n));
    }
    if (line.ends_with('\n')) line.pop_back();
    return line;
}

}  // namespace tenon::program
