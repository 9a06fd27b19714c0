// A connection to an HTTP server: nonblocking bytes, with or without TLS.
#pragma once

#include <openssl/ssl.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/error.hpp>
#include <tenon/limits.hpp>

#include "io/fd.hpp"
#include "web/url.hpp"

namespace tenon::load {

struct Freed {
    void operator()(SSL* p) const { ::SSL_free(p); }
    void operator()(SSL_CTX* p) const { ::SSL_CTX_free(p); }
};

/// One connection. Use it from one thread only.
class Channel {
 public:
    Channel() = default;
    Channel(io::Fd fd, std::unique_ptr<SSL, Freed> tls) : fd_(std::move(fd)), tls_(std::move(tls)) {}

    enum class State { moved, would_wait, closed };
    struct Moved {
        State state;
        std::size_t bytes = 0;
    };
    Moved read(std::span<char> into);
    /// Writes `head` followed by `body`, as many bytes as the kernel accepts now.
    Moved write(std::string_view head, std::string_view body);

    int fd() const { return fd_.get(); }
    bool open() const { return static_cast<bool>(fd_); }
    void close();
    /// Returns whether there may be bytes in TLS buffers, which poll() does not see.
    bool buffers() const { return tls_ != nullptr; }

 private:
    Moved result_of_tls(int n) const;

    io::Fd fd_;
    std::unique_ptr<SSL, Freed> tls_;
};

/// Waits until the descriptor is ready. Returns false at the deadline.
bool wait_for(int fd, short events, TimePoint deadline);

/// Opens channels to one server. Resolves the host name only once.
class Dialer {
 public:
    static Result<Dialer> to(const web::Url& url, const std::string& ca_file, TimePoint deadline);
    Result<Channel> dial(TimePoint deadline) const;

 private:
    Result<io::Fd> connect(TimePoint deadline) const;
    Result<Channel> encrypt(io::Fd fd, TimePoint deadline) const;
    Error failure(const std::string& why) const;

    web::Url url_;
    std::vector<std::string> addresses_;
    std::shared_ptr<SSL_CTX> tls_;
};

}  // namespace tenon::load
