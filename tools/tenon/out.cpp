#include "out.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace tenon::program {
namespace {

constexpr std::size_t flush_above = 64 * 1024;
constexpr std::size_t narrowest = 20, widest_text = 120;

std::string_view escape_of(Look look) {
    switch (look) {
        case Look::bold: return "\x1b[1m";
        case Look::dim: return "\x1b[2m";
        case Look::red: return "\x1b[31m";
        case Look::green: return "\x1b[32m";
        case Look::yellow: return "\x1b[33m";
        case Look::cyan: return "\x1b[36m";
        case Look::plain: break;
    }
    return "";
}

bool wants_colours() {
    const char* no = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    return !(no && *no) && term && std::string_view(term) != "dumb";
}

}  // namespace

Out& Out::operator<<(const SafeText& text) {
    buffer_ += text.view();
    if (buffer_.size() > flush_above) flush();
    return *this;
}

Out& Out::operator<<(Literal text) {
    buffer_ += text.view();
    return *this;
}

Out& Out::operator<<(const Styled& text) {
    const std::string_view escape = facts_.colours && !text.text.empty() ? escape_of(text.look) : "";
    buffer_ += escape;
    *this << text.text;
    if (!escape.empty()) buffer_ += "\x1b[0m";
    return *this;
}

void Out::clear_screen() {
    if (facts_.terminal) buffer_ += "\x1b[H\x1b[2J";
}

void Out::erase_line() {
    if (facts_.terminal) buffer_ += "\r\x1b[K";
}

void Out::flush() {
    if (!buffer_.empty() && !sink_(buffer_)) failed_ = true;
    buffer_.clear();
}

OutFacts facts_of(int fd) {
    OutFacts facts;
    facts.terminal = ::isatty(fd) == 1;
    if (!facts.terminal) return facts;
    facts.colours = wants_colours();
    winsize size{};
    if (::ioctl(fd, TIOCGWINSZ, &size) != 0) return facts;
    if (size.ws_col > 0) facts.width = std::clamp<std::size_t>(size.ws_col, narrowest, widest_text);
    if (size.ws_row > 0) facts.height = size.ws_row;
    return facts;
}

Out::Sink sink_of(int fd) {
    return [fd](std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t n = ::write(fd, bytes.data(), bytes.size());
            if (n >= 0) {
                bytes.remove_prefix(static_cast<std::size_t>(n));
            } else if (errno == EAGAIN) {
                pollfd room{fd, POLLOUT, 0};
                ::poll(&room, 1, -1);
            } else if (errno != EINTR) {
                return false;
            }
        }
        return true;
    };
}

}  // namespace tenon::program
