#include "load/channel.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <future>

#include "io/resolve.hpp"

namespace tenon::load {
namespace {

using Moved = Channel::Moved;
using State = Channel::State;

Moved result_of(ssize_t n) {
    if (n > 0) return {State::moved, static_cast<std::size_t>(n)};
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return {State::would_wait};
    return {State::closed};
}

struct AddressFreed {
    void operator()(addrinfo* p) const { ::freeaddrinfo(p); }
};

io::Fd begin_connection(const std::string& address, std::uint16_t port) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    if (::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) return {};
    const std::unique_ptr<addrinfo, AddressFreed> guard(found);
    io::Fd fd(::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int yes = 1;
    ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (::connect(fd.get(), found->ai_addr, found->ai_addrlen) != 0 && errno != EINPROGRESS) return {};
    return fd;
}

int error_of(const io::Fd& fd) {
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &size);
    return error;
}

Result<std::shared_ptr<SSL_CTX>> tls_context(const std::string& ca_file) {
    std::shared_ptr<SSL_CTX> out(::SSL_CTX_new(::TLS_client_method()), Freed());
    ::SSL_CTX_set_min_proto_version(out.get(), TLS1_2_VERSION);
    ::SSL_CTX_set_verify(out.get(), SSL_VERIFY_PEER, nullptr);
    ::SSL_CTX_set_mode(out.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    const bool trusted = ca_file.empty() ? ::SSL_CTX_set_default_verify_paths(out.get()) == 1
                                         : ::SSL_CTX_load_verify_file(out.get(), ca_file.c_str()) == 1;
    if (!trusted)
        return Error{code::invalid_params,
                     "cannot use the certificates " + (ca_file.empty() ? "of the system" : "in " + ca_file)};
    return out;
}

io::Resolved look_up(const std::string& host, TimePoint deadline) {
    const auto promise = std::make_shared<std::promise<io::Resolved>>();
    auto found = promise->get_future();
    io::resolve(host, [promise](io::Resolved r) { promise->set_value(std::move(r)); });
    if (found.wait_until(deadline) != std::future_status::ready) return {{}, "its name was not found in time"};
    return found.get();
}

}  // namespace

Moved Channel::result_of_tls(int n) const {
    if (n > 0) return {State::moved, static_cast<std::size_t>(n)};
    const int error = ::SSL_get_error(tls_.get(), n);
    return {error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? State::would_wait : State::closed};
}

Moved Channel::read(std::span<char> into) {
    if (!tls_) return result_of(::recv(fd_.get(), into.data(), into.size(), 0));
    ::ERR_clear_error();
    return result_of_tls(::SSL_read(tls_.get(), into.data(), static_cast<int>(into.size())));
}

Moved Channel::write(std::string_view head, std::string_view body) {
    if (!tls_) {
        std::array<iovec, 2> parts = {iovec{const_cast<char*>(head.data()), head.size()},   // NOLINT: not written to
                                      iovec{const_cast<char*>(body.data()), body.size()}};  // NOLINT
        msghdr message{};
        message.msg_iov = parts.data();
        message.msg_iovlen = parts.size();
        return result_of(::sendmsg(fd_.get(), &message, MSG_NOSIGNAL));
    }
    ::ERR_clear_error();
    if (head.empty()) return result_of_tls(::SSL_write(tls_.get(), body.data(), static_cast<int>(body.size())));
    const std::string both = std::string(head).append(body);  // one TLS record, if it fits
    return result_of_tls(::SSL_write(tls_.get(), both.data(), static_cast<int>(both.size())));
}

void Channel::close() {
    tls_.reset();
    fd_.reset();
}

bool wait_for(int fd, short events, TimePoint deadline) {
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) return false;
        pollfd what{fd, events, 0};
        const int n = ::poll(&what, 1, static_cast<int>(std::min<long long>(left, 60'000)));
        if (n > 0) return true;
        if (n < 0 && errno != EINTR) return false;
    }
}

Result<Dialer> Dialer::to(const web::Url& url, const std::string& ca_file, TimePoint deadline) {
    Dialer out;
    out.url_ = url;
    const io::Resolved found = look_up(url.host, deadline);
    if (found.addresses.empty()) return out.failure(found.error);
    out.addresses_ = found.addresses;
    if (url.tls) {
        auto tls = tls_context(ca_file);
        if (!tls) return tls.error();
        out.tls_ = *std::move(tls);
    }
    return out;
}

Error Dialer::failure(const std::string& why) const {
    return {code::connection_closed,
            "cannot connect to " + url_.host + " port " + std::to_string(url_.port) + ": " + why};
}

Result<io::Fd> Dialer::connect(TimePoint deadline) const {
    std::string why = "no address";
    for (const std::string& address : addresses_) {
        io::Fd fd = begin_connection(address, url_.port);
        if (!fd) {
            why = ::strerror(errno);
        } else if (!wait_for(fd.get(), POLLOUT, deadline)) {
            why = "the connection timed out";
        } else if (const int error = error_of(fd)) {
            why = ::strerror(error);
        } else {
            return fd;
        }
    }
    return failure(why);
}

Result<Channel> Dialer::encrypt(io::Fd fd, TimePoint deadline) const {
    std::unique_ptr<SSL, Freed> tls(::SSL_new(tls_.get()));
    ::SSL_set_fd(tls.get(), fd.get());
    ::SSL_ctrl(tls.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
               const_cast<char*>(url_.host.c_str()));  // NOLINT: the macro does the same but causes a compiler warning
    const bool numeric = ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(tls.get()), url_.host.c_str()) == 1;
    if (!numeric) ::SSL_set1_host(tls.get(), url_.host.c_str());
    while (true) {
        ::ERR_clear_error();
        const int n = ::SSL_connect(tls.get());
        if (n == 1) return Channel(std::move(fd), std::move(tls));
        const int error = ::SSL_get_error(tls.get(), n);
        const short events = error == SSL_ERROR_WANT_READ ? POLLIN : error == SSL_ERROR_WANT_WRITE ? POLLOUT : 0;
        if (events == 0) {
            const long verdict = ::SSL_get_verify_result(tls.get());
            return failure(verdict == X509_V_OK ? "the TLS handshake failed"
                                                : ::X509_verify_cert_error_string(verdict));
        }
        if (!wait_for(fd.get(), events, deadline)) return failure("the TLS handshake timed out");
    }
}

Result<Channel> Dialer::dial(TimePoint deadline) const {
    auto fd = connect(deadline);
    if (!fd) return fd.error();
    if (!tls_) return Channel(*std::move(fd), nullptr);
    return encrypt(*std::move(fd), deadline);
}

}  // namespace tenon::load
