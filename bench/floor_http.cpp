// The floor (see floor.hpp) over HTTP: one thread, epoll, one send for each response.
// usage: floor_http PORT [TOOLS]
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "floor.hpp"

namespace {

using floor_server::position;
using std::string_view;

struct Connection {
    int fd;
    std::string in = std::string(2048, '\0');
    std::size_t held = 0;
    std::string out = {};
    std::size_t sent = 0;
    bool waits = false;
};

constexpr string_view accepted = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
constexpr string_view stream =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nTransfer-Encoding: "
    "chunked\r\n\r\n";

class HttpFloor {
 public:
    HttpFloor(int port, std::size_t tools)
        : floor_(tools), listener_(listen_on(port)), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
        watch(listener_, nullptr, EPOLLIN, EPOLL_CTL_ADD);
    }

    [[noreturn]] void run() {
        std::array<epoll_event, 256> events;
        while (true) {
            const int n = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
            for (int i = 0; i < n; ++i) {
                const epoll_event& event = events[static_cast<std::size_t>(i)];
                auto* c = static_cast<Connection*>(event.data.ptr);
                if (!c) {
                    accept_all();
                } else if (!serve(*c, event.events)) {
                    ::close(c->fd);
                    delete c;
                }
            }
        }
    }

 private:
    static int listen_on(int port) {
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), yes = 1;
        ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(fd, 4096) != 0) {
            std::perror("floor_http");
            std::exit(1);
        }
        return fd;
    }

    void watch(int fd, Connection* c, std::uint32_t what, int operation) const {
        epoll_event event{};
        event.events = what;
        event.data.ptr = c;
        ::epoll_ctl(epoll_, operation, fd, &event);
    }

    void accept_all() const {
        while (true) {
            const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC), yes = 1;
            if (fd < 0) return;
            ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            watch(fd, new Connection{fd}, EPOLLIN, EPOLL_CTL_ADD);
        }
    }

    // Returns false when the connection is over.
    bool serve(Connection& c, std::uint32_t events) {
        if ((events & EPOLLOUT) != 0 && !flush(c)) return false;
        if ((events & ~static_cast<std::uint32_t>(EPOLLOUT)) == 0) return true;
        if (c.in.size() - c.held < 1024) c.in.resize(c.in.size() * 2);
        const ssize_t n = ::recv(c.fd, c.in.data() + c.held, c.in.size() - c.held, 0);
        if (n <= 0) return n < 0 && errno == EAGAIN;
        c.held += static_cast<std::size_t>(n);
        std::size_t begin = 0;
        while (const std::size_t used = answer(c, string_view(c.in).substr(begin, c.held - begin))) begin += used;
        if (begin > 0) {
            std::memmove(c.in.data(), c.in.data() + begin, c.held - begin);
            c.held -= begin;
        }
        return flush(c);
    }

    // Answers the first request in `bytes`. Returns its size, or 0 when the request is not complete.
    std::size_t answer(Connection& c, string_view bytes) {
        const std::size_t head = position(bytes, "\r\n\r\n");
        if (head == string_view::npos) return 0;
        const string_view length = floor_server::after(bytes.substr(0, head + 4), "Content-Length: ", "\r");
        const std::size_t body = length.empty() ? 0 : std::strtoul(length.data(), nullptr, 10);
        const std::size_t whole = head + 4 + body;
        if (bytes.size() < whole) {
            if (c.in.size() < whole) c.in.resize(whole + 1024);
            return 0;
        }
        const string_view request = bytes.substr(head + 4, body);
        if (bytes.front() == 'G' || position(request.substr(0, 200), "subscriptions/listen") != string_view::npos)
            c.out += stream;
        else
            answer_post(c, request);
        return whole;
    }

    // Sends one message as a body, several messages as a stream.
    void answer_post(Connection& c, string_view request) {
        std::size_t messages = 0;
        floor_.answer(request, [&](string_view message) {
            if (++messages == 1) {
                first_ = message;
                return;
            }
            if (messages == 2) {
                c.out += stream;
                add_event(c.out, first_);
            }
            add_event(c.out, message);
        });
        if (messages == 0) c.out += accepted;
        if (messages == 1) add_body(c.out, first_);
        if (messages > 1) c.out += "0\r\n\r\n";
    }

    static void add_body(std::string& out, string_view body) {
        out.append("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id: floor\r\nContent-Length: ")
            .append(std::to_string(body.size()))
            .append("\r\n\r\n")
            .append(body);
    }

    static void add_event(std::string& out, string_view message) {
        std::array<char, 24> size;
        std::snprintf(size.data(), size.size(), "%zx\r\n", message.size() + 8);
        out.append(size.data()).append("data: ").append(message).append("\n\n\r\n");
    }

    bool flush(Connection& c) {
        while (c.sent < c.out.size()) {
            const ssize_t n = ::send(c.fd, c.out.data() + c.sent, c.out.size() - c.sent, MSG_NOSIGNAL);
            if (n < 0 && errno != EAGAIN) return false;
            if (n < 0) {
                if (!c.waits) watch(c.fd, &c, EPOLLIN | EPOLLOUT, EPOLL_CTL_MOD);
                return c.waits = true;
            }
            c.sent += static_cast<std::size_t>(n);
        }
        c.out.clear();
        c.sent = 0;
        if (c.waits) watch(c.fd, &c, EPOLLIN, EPOLL_CTL_MOD);
        c.waits = false;
        return true;
    }

    floor_server::Floor floor_;
    const int listener_, epoll_;
    std::string first_;
};

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);
    HttpFloor(argc > 1 ? std::atoi(argv[1]) : 0, argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 2).run();
}
