#include "transport/http/tcp.hpp"

#include <cerrno>

#include "io/sockets.hpp"

namespace tenon {
namespace {

using Tcp = asio::ip::tcp;

error_code last_error() { return {errno, boost::system::system_category()}; }

template <class Socket>
void assign(Socket& socket, const Tcp& protocol, io::Fd fd, error_code& error) {
    if (fd)
        socket.assign(protocol, fd.get(), error);
    else
        error = last_error();
    if (!error) fd.release();
}

}  // namespace

template <class Socket>
void open_tcp(Socket& socket, const Tcp::endpoint& at, error_code& error) {
    assign(socket, at.protocol(), io::tcp_socket(at.protocol().family()), error);
}
template void open_tcp(Tcp::socket&, const Tcp::endpoint&, error_code&);
template void open_tcp(Tcp::acceptor&, const Tcp::endpoint&, error_code&);

void listen_tcp(Tcp::acceptor& acceptor, const Tcp::endpoint& at, int backlog, error_code& error) {
    open_tcp(acceptor, at, error);
    if (!error) acceptor.set_option(Tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(at, error);
    if (!error) acceptor.listen(backlog, error);
    if (!error) acceptor.native_non_blocking(true, error);  // accept must not block if the client has already left
}

void accept_tcp(const std::shared_ptr<Tcp::acceptor>& acceptor, asio::io_context& context,
                std::function<void(error_code, Tcp::socket)> done) {
    acceptor->async_wait(Tcp::acceptor::wait_read, [acceptor, &context, done = std::move(done)](error_code error) {
        Tcp::socket socket(context);
        if (error) return done(error, std::move(socket));
        try {
            io::Fd fd = io::accept_connection(acceptor->native_handle());
            if (!fd && (errno == EAGAIN || errno == ECONNABORTED)) return accept_tcp(acceptor, context, done);
            const Tcp protocol = acceptor->local_endpoint(error).protocol();
            assign(socket, protocol, std::move(fd), error);
        } catch (const std::bad_alloc&) {
            error = make_error_code(boost::system::errc::not_enough_memory);
        }
        done(error, std::move(socket));
    });
}

}  // namespace tenon
