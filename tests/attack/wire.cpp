#include "attack/wire.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace attack {
namespace {

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

}  // namespace

std::string Answer::field(std::string_view name) const {
    const std::string key = "\r\n" + std::string(name) + ": ";
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
    const auto at = std::search(head.begin(), head.end(), key.begin(), key.end(), same);
    if (at == head.end()) return {};
    const auto begin = at + static_cast<std::ptrdiff_t>(key.size());
    return {begin, std::find(begin, head.end(), '\r')};
}

Wire::Wire(std::uint16_t port, TimePoint until, int receive_buffer, const std::string& source) {
    fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd_ < 0) return;
    const int on = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (receive_buffer > 0) ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in from = loopback(0);
    if (!source.empty() && (::inet_pton(AF_INET, source.c_str(), &from.sin_addr) != 1 ||
                            ::bind(fd_, reinterpret_cast<const sockaddr*>(&from), sizeof from) != 0)) {
        close();
        return;
    }
    const sockaddr_in address = loopback(port);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
    int error = errno;
    socklen_t size = sizeof error;
    if (error != EINPROGRESS || !wait(POLLOUT, until) || ::getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &size) != 0 ||
        error != 0)
        close();
}

Wire::Wire(Wire&& other) noexcept : fd_(std::exchange(other.fd_, -1)), in_(std::move(other.in_)) {}

Wire& Wire::operator=(Wire&& other) noexcept {
    close();
    fd_ = std::exchange(other.fd_, -1);
    in_ = std::move(other.in_);
    return *this;
}

void Wire::close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
    in_.clear();
}

void Wire::reset() {
    const linger now{1, 0};
    if (fd_ >= 0) ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
}

bool Wire::wait(short events, TimePoint until) const {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
    pollfd fd{fd_, events, 0};
    return left > 0 && ::poll(&fd, 1, static_cast<int>(left)) == 1;
}

long Wire::send_some(std::string_view bytes) {
    const ssize_t n = fd_ < 0 ? -1 : ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n >= 0) return n;
    if (fd_ >= 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    close();
    return -1;
}

bool Wire::send(std::string_view bytes, TimePoint until) {
    while (!bytes.empty()) {
        const long n = send_some(bytes);
        if (n < 0) return false;
        if (n == 0 && !wait(POLLOUT, until)) return close(), false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return is_open();
}

bool Wire::receive(TimePoint until) {
    std::array<char, 65536> buffer;
    while (fd_ >= 0) {
        const ssize_t n = ::recv(fd_, buffer.data(), buffer.size(), 0);
        if (n > 0) return in_.append(buffer.data(), static_cast<std::size_t>(n)), true;
        if (n == 0 || (errno != EAGAIN && errno != EINTR) || !wait(POLLIN, until)) close();
    }
    return false;
}

bool Wire::fill(std::size_t size, TimePoint until) {
    while (in_.size() < size)
        if (!receive(until)) return false;
    return true;
}

bool Wire::discard() {
    std::array<char, 65536> buffer;
    while (fd_ >= 0) {
        const ssize_t n = ::recv(fd_, buffer.data(), buffer.size(), 0);
        if (n > 0) continue;
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return true;
        close();
    }
    return false;
}

bool Wire::wait_for_bytes(TimePoint until) const { return wait(POLLIN, until); }

bool Wire::wait_for_bytes(const std::vector<Wire>& wires, TimePoint until) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
    std::vector<pollfd> fds;
    for (const Wire& wire : wires) fds.push_back({wire.fd_, POLLIN, 0});
    return left > 0 && ::poll(fds.data(), fds.size(), static_cast<int>(left)) > 0;
}

bool Wire::read_chunks(std::string& body, TimePoint until) {
    for (;;) {
        std::size_t line = 0;
        while ((line = in_.find("\r\n")) == std::string::npos)
            if (!receive(until)) return false;
        const std::size_t size = std::strtoul(in_.c_str(), nullptr, 16);
        if (!fill(line + 2 + size + 2, until)) return false;
        body.append(in_, line + 2, size);
        in_.erase(0, line + 2 + size + 2);
        if (size == 0) return true;
    }
}

Answer Wire::read(TimePoint until) {
    Answer out;
    std::size_t end = 0;
    while ((end = in_.find("\r\n\r\n")) == std::string::npos)
        if (!receive(until)) return {};
    out.head = in_.substr(0, end + 2);
    in_.erase(0, end + 4);
    if (out.field("transfer-encoding") == "chunked") {
        if (!read_chunks(out.body, until)) return {};
    } else {
        const std::size_t length = std::strtoul(out.field("content-length").c_str(), nullptr, 10);
        if (!fill(length, until)) return {};
        out.body = in_.substr(0, length);
        in_.erase(0, length);
    }
    out.status = std::atoi(out.head.c_str() + std::min<std::size_t>(9, out.head.size()));
    return out;
}

std::uint16_t free_port() {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    const bool ok = ::bind(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
                    ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    ::close(fd);
    if (!ok) throw std::runtime_error("there is no free port");
    return ntohs(address.sin_port);
}

}  // namespace attack
