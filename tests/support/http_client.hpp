// A blocking HTTP client that sends any given bytes. Every wait has a generous time limit.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "framing/sse.hpp"

namespace tenon::test {

inline constexpr std::chrono::seconds http_patience{60};

struct HttpReply {
    int status = 0;                                  // 0: the connection ended before a response
    std::map<std::string, std::string> fields = {};  // names in lower case
    std::string body = {};

    std::string field(const std::string& name) const {
        const auto it = fields.find(name);
        return it == fields.end() ? "" : it->second;
    }
    bool is_stream() const { return field("content-type") == "text/event-stream"; }
    /// Returns the JSON in the body, or in the last event when the body is a stream.
    std::string message() const {
        if (!is_stream()) return body;
        std::string last;
        framing::SseReader reader(64 * 1024 * 1024);
        reader.feed(body, [&](const auto& event) {
            if (!event.data.empty()) last = event.data;
        });
        return last;
    }
};

class HttpClient {
 public:
    /// How a connection ended. `late` means that the wait timed out.
    enum class End { open, orderly, reset, late };

    /// Connects from `source`, an address of this machine: every 127.x.y.z is one. Null: the system chooses.
    explicit HttpClient(std::uint16_t port, int receive_buffer = 0, const char* source = nullptr) {
        fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd_ < 0) throw std::runtime_error("socket");
        const timeval time{http_patience.count(), 0};
        const int on = 1;
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
        ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
        ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (receive_buffer > 0) ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
        sockaddr_in address{}, from{};
        address.sin_family = from.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const bool bound = !source || (::inet_pton(AF_INET, source, &from.sin_addr) == 1 &&
                                       ::bind(fd_, reinterpret_cast<const sockaddr*>(&from), sizeof from) == 0);
        if (!bound || ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
            ::close(fd_);
            throw std::runtime_error("connect");
        }
    }
    ~HttpClient() {
        ssl_.reset();
        if (fd_ >= 0) ::close(fd_);
    }
    HttpClient(HttpClient&& other) noexcept
        : fd_(std::exchange(other.fd_, -1)),
          context_(std::move(other.context_)),
          ssl_(std::move(other.ssl_)),
          in_(std::move(other.in_)),
          end_(other.end_) {}
    HttpClient& operator=(HttpClient&&) = delete;

    /// Switches the connection to TLS. The certificate is not verified.
    bool use_tls() {
        ::signal(SIGPIPE, SIG_IGN);  // OpenSSL may write to a closed connection
        context_.reset(::SSL_CTX_new(::TLS_client_method()));
        ssl_.reset(::SSL_new(context_.get()));
        ::SSL_set_fd(ssl_.get(), fd_);
        return ::SSL_connect(ssl_.get()) == 1;
    }

    /// Returns false when the peer accepts no more bytes.
    bool send(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t n = ssl_ ? ::SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size()))
                                   : ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (n <= 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
        return true;
    }
    /// Reads the next response with its whole body.
    HttpReply reply() {
        HttpReply out = head();
        if (out.status == 0 || out.status == 100 || out.status == 204) return out;
        if (out.field("transfer-encoding") == "chunked") {
            while (const auto piece = chunk()) out.body += *piece;
        } else {
            const std::size_t length = std::strtoul(out.field("content-length").c_str(), nullptr, 10);
            if (fill(length)) out.body = take(length);
        }
        return out;
    }
    /// Reads the head of the next response. Its body can be read with chunk().
    HttpReply head() {
        HttpReply out;
        std::size_t end = 0;
        while ((end = in_.find("\r\n\r\n")) == in_.npos)
            if (!receive()) return out;
        const std::string text = take(end + 4);
        if (!text.starts_with("HTTP/1.1 ")) return out;
        out.status = std::atoi(text.c_str() + 9);
        for (std::size_t at = text.find("\r\n") + 2; at < end;) {
            const std::size_t line_end = text.find("\r\n", at), colon = text.find(": ", at);
            if (colon < line_end) {
                std::string name = text.substr(at, colon - at);
                std::ranges::transform(name, name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
                out.fields[name] = text.substr(colon + 2, line_end - colon - 2);
            }
            at = line_end + 2;
        }
        return out;
    }
    /// Reads the body of a response whose head has this Content-Length. Returns nothing when the connection ends first.
    std::optional<std::string> body(const std::string& content_length) {
        const std::size_t length = std::strtoul(content_length.c_str(), nullptr, 10);
        if (!fill(length)) return std::nullopt;
        return take(length);
    }
    /// Returns the next chunk of a stream, or nothing when the stream or the connection ends.
    std::optional<std::string> chunk() {
        std::size_t line = 0;
        while ((line = in_.find("\r\n")) == in_.npos)
            if (!receive()) return std::nullopt;
        const std::size_t size = std::strtoul(in_.c_str(), nullptr, 16);
        if (!fill(line + 2 + size + 2)) return std::nullopt;
        take(line + 2);
        std::string piece = take(size);
        take(2);
        if (size == 0) return std::nullopt;
        return piece;
    }
    /// Returns the data of the next event that has data, or nothing at the end of the stream.
    std::optional<std::string> event() {
        while (true) {
            const auto piece = chunk();
            if (!piece) return std::nullopt;
            const std::size_t at = piece->find("data: {");
            if (at != piece->npos) return piece->substr(at + 6, piece->find('\n', at) - at - 6);
        }
    }
    /// Reads until the peer closes the connection.
    End wait_for_end() {
        while (receive()) {
        }
        return end_;
    }
    const std::string& unread() const { return in_; }
    /// Returns the next bytes, as they come; nothing at the end of the connection.
    std::string some() {
        if (in_.empty()) receive();
        return std::exchange(in_, {});
    }

    void end_output() { ::shutdown(fd_, SHUT_WR); }
    /// Closes the connection like a process that is killed with unread bytes. The peer gets a reset.
    void reset() {
        const linger now{1, 0};
        ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        ::close(std::exchange(fd_, -1));
    }

 private:
    bool fill(std::size_t size) {
        while (in_.size() < size)
            if (!receive()) return false;
        return true;
    }
    std::string take(std::size_t size) {
        std::string out = in_.substr(0, size);
        in_.erase(0, size);
        return out;
    }
    bool receive() {
        std::array<char, 65536> buffer;
        const ssize_t n = ssl_ ? ::SSL_read(ssl_.get(), buffer.data(), static_cast<int>(buffer.size()))
                               : ::recv(fd_, buffer.data(), buffer.size(), 0);
        if (n > 0) {
            in_.append(buffer.data(), static_cast<std::size_t>(n));
            return true;
        }
        if (ssl_) {
            end_ =
                ::SSL_get_error(ssl_.get(), static_cast<int>(n)) == SSL_ERROR_ZERO_RETURN ? End::orderly : End::reset;
        } else {
            end_ = n == 0 ? End::orderly : errno == EAGAIN ? End::late : End::reset;
        }
        return false;
    }

    struct Free {
        void operator()(SSL* ssl) const { ::SSL_free(ssl); }
        void operator()(SSL_CTX* context) const { ::SSL_CTX_free(context); }
    };
    int fd_ = -1;
    std::unique_ptr<SSL_CTX, Free> context_;
    std::unique_ptr<SSL, Free> ssl_;
    std::string in_;
    End end_ = End::open;
};

/// Returns the bytes of a POST.
inline std::string post_bytes(std::string_view body, std::string_view fields = {}) {
    return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, "
           "text/event-stream\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n" + std::string(fields) + "\r\n" + std::string(body);
}

}  // namespace tenon::test
