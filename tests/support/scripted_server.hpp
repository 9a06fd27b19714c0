// A server on plain sockets that does what a test tells it, right or wrong. Every wait has a generous time limit.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "framing/http_request.hpp"

namespace tenon::test {

struct ScriptedRequest {
    std::string method = {}, target = {}, body = {};
    std::vector<std::pair<std::string, std::string>> fields = {};

    std::string field(std::string_view name) const {
        for (const auto& [n, v] : fields)
            if (framing::equal_ignoring_case(n, name)) return v;
        return "";
    }
    bool says(std::string_view text) const { return body.find(text) != std::string::npos; }
    /// Returns the id of the message as it is written.
    std::string id() const {
        const std::size_t at = body.find("\"id\":");
        return at == std::string::npos ? "" : body.substr(at + 5, body.find_first_of(",}", at) - at - 5);
    }
};

class ScriptedConnection {
 public:
    explicit ScriptedConnection(int fd) : fd_(fd), parser_({1 << 20, 1000, 1 << 16, 1 << 26}) {
        const timeval time{60, 0};
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
        ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
    }
    ~ScriptedConnection() { ::close(fd_); }
    ScriptedConnection(const ScriptedConnection&) = delete;
    ScriptedConnection& operator=(const ScriptedConnection&) = delete;

    /// Reads a request. Returns false when the client has closed.
    bool read(ScriptedRequest& out) {
        using Event = framing::HttpRequestParser::Event;
        out = {};
        for (;;) {
            std::string_view input = in_;
            const Event event = parser_.next(input);
            if (event == Event::head) {
                out.method = parser_.request().method;
                out.target = parser_.request().target;
                for (const auto& f : parser_.request().fields.all()) out.fields.emplace_back(f.name, f.value);
            }
            if (event == Event::piece) out.body += parser_.piece();
            in_.erase(0, in_.size() - input.size());
            if (event == Event::end) return true;
            if (event == Event::refused) return false;
            if (event == Event::more && !receive()) return false;
        }
    }
    /// Reads the head of a request with any target, as a proxy gets it.
    std::string read_head() {
        while (in_.find("\r\n\r\n") == std::string::npos)
            if (!receive()) return in_;
        const std::string head = in_.substr(0, in_.find("\r\n\r\n") + 4);
        in_.erase(0, head.size());
        return head;
    }
    /// Sends bytes. Returns false when the client has closed.
    bool send(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (n <= 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
        return true;
    }
    bool json(const std::string& body, const std::string& fields = "", const std::string& status = "200 OK") {
        return send("HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\n" + fields +
                    "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    }
    bool empty(const std::string& status, const std::string& fields = "") {
        return send("HTTP/1.1 " + status + "\r\n" + fields + "Content-Length: 0\r\n\r\n");
    }
    bool begin_stream(const std::string& fields = "") {
        return send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + fields + "\r\n");
    }
    /// Waits until the client closes.
    void wait_for_close() {
        while (receive()) {
        }
    }
    /// Makes the next close a reset.
    void reset() {
        const linger now{1, 0};
        ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    /// Passes bytes in both directions until either side closes.
    void tunnel_to(std::uint16_t port);
    void shut_down() const { ::shutdown(fd_, SHUT_RDWR); }

 private:
    bool receive() {
        char buffer[65536];
        const ssize_t n = ::recv(fd_, buffer, sizeof buffer, 0);
        if (n <= 0) return false;
        in_.append(buffer, static_cast<std::size_t>(n));
        return true;
    }

    int fd_;
    std::string in_;
    framing::HttpRequestParser parser_;
};

inline void ScriptedConnection::tunnel_to(std::uint16_t port) {
    const int other = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(other, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
        pollfd fds[2] = {{fd_, POLLIN, 0}, {other, POLLIN, 0}};
        char buffer[65536];
        for (bool open = true; open && ::poll(fds, 2, 60'000) > 0;)
            for (int i = 0; i < 2 && open; ++i) {
                if (fds[i].revents == 0) continue;
                const ssize_t n = ::recv(fds[i].fd, buffer, sizeof buffer, 0);
                open = n > 0 && ::send(fds[1 - i].fd, buffer, static_cast<std::size_t>(n), MSG_NOSIGNAL) == n;
            }
    }
    ::close(other);
}

/// Calls the script for each connection on its own thread. `number` counts the connections from 1.
class ScriptedServer {
 public:
    using Script = std::function<void(ScriptedConnection&, int number)>;
    explicit ScriptedServer(Script script) : script_(std::move(script)) {
        fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (::bind(fd_, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(fd_, 100) != 0 ||
            ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
            throw std::runtime_error("no socket to listen at");
        port_ = ntohs(address.sin_port);
        acceptor_ = std::thread([this] { accept(); });
    }
    ~ScriptedServer() {
        ::shutdown(fd_, SHUT_RDWR);
        acceptor_.join();
        ::close(fd_);
        {
            const std::lock_guard lock(mutex_);
            for (const auto& c : connections_) c->shut_down();
        }
        for (std::thread& t : threads_) t.join();
    }
    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;

    std::uint16_t port() const { return port_; }
    std::string url(const std::string& path = "/mcp") const {
        return "http://127.0.0.1:" + std::to_string(port_) + path;
    }
    int connections() {
        const std::lock_guard lock(mutex_);
        return count_;
    }

 private:
    void accept() {
        for (int fd = ::accept(fd_, nullptr, nullptr); fd >= 0; fd = ::accept(fd_, nullptr, nullptr)) {
            const std::lock_guard lock(mutex_);
            const auto it = connections_.insert(connections_.end(), std::make_shared<ScriptedConnection>(fd));
            threads_.emplace_back([this, it, number = ++count_] {
                script_(**it, number);
                const std::lock_guard over(mutex_);
                connections_.erase(it);  // closes the connection
            });
        }
    }

    Script script_;
    int fd_;
    std::uint16_t port_ = 0;
    std::mutex mutex_;
    std::list<std::shared_ptr<ScriptedConnection>> connections_;
    std::list<std::thread> threads_;
    int count_ = 0;
    std::thread acceptor_;
};

}  // namespace tenon::test
