#include "transport/http_server/acceptor.hpp"

#include <sys/socket.h>

#include <boost/asio/post.hpp>
#include <future>

#include "io/last_resort.hpp"
#include "io/sockets.hpp"
#include "transport/http/tcp.hpp"

namespace tenon {
namespace {

using Tcp = asio::ip::tcp;
constexpr int backlog = 1024;  // connections that wait to be accepted
constexpr auto pause_time = std::chrono::milliseconds(100);

bool is_out_of_descriptors(error_code error) {
    return error == boost::system::errc::too_many_files_open ||
           error == boost::system::errc::too_many_files_open_in_system;
}

}  // namespace

HttpAcceptor::HttpAcceptor(const Threads& threads, const Tcp::endpoint& at, LogNote note)
    : threads_(threads),
      note_(std::move(note)),
      acceptor_(std::make_shared<Tcp::acceptor>(threads.front()->context())),
      pause_timer_(threads.front()->context()) {
    error_code error;
    listen_tcp(*acceptor_, at, backlog, error);
    if (error)
        throw Exception({code::internal_error, "cannot serve on " + at.address().to_string() + ":" +
                                                   std::to_string(at.port()) + ": " + error.message()});
    port_ = acceptor_->local_endpoint(error).port();
}

void HttpAcceptor::start() {
    asio::post(acceptor_->get_executor(), [this] { accept(); });
}

// Waits, because a connection that is accepted after the threads were told to stop would be lost in their queues.
// A handler that runs in place can keep the thread busy, and then the wait ends at the deadline.
void HttpAcceptor::close(TimePoint deadline) {
    io::insist(
        [this, deadline] {
            const auto closed = std::make_shared<std::promise<void>>();
            auto over = closed->get_future();
            asio::post(acceptor_->get_executor(), [acceptor = acceptor_, closed] {
                error_code ignored;
                acceptor->close(ignored);
                closed->set_value();
            });
            over.wait_until(deadline);
        },
        deadline);
}

void HttpAcceptor::resume() {
    if (!waits_ && acceptor_->is_open()) accept();
}

void HttpAcceptor::accept() {
    HttpIoThread& thread = *threads_[next_++ % threads_.size()];
    accept_tcp(acceptor_, thread.context(), [this, &thread](error_code error, Tcp::socket socket) {
        waits_ = false;
        if (error == asio::error::operation_aborted || !acceptor_->is_open()) return;
        HttpConnection::enter_none();
        if (error) return on_error(error);
        accept();  // first, so that an exception in serve() does not end accepting
        thread.serve(std::move(socket));
    });
    waits_ = true;
}

// An error can mean that the client left before it was accepted: then only a pause is needed. Without free descriptors,
// refuses one connection and closes one that is not needed, so that others can be served.
void HttpAcceptor::on_error(error_code error) {
    pause();
    if (!is_out_of_descriptors(error)) return;
    if (out_of_descriptors_.begins(Clock::now()))
        note_(LogLevel::error, "no new connection can be accepted: " + error.message() +
                                   ". Raise the limit on open files (ulimit -n, or LimitNOFILE of systemd), or lower "
                                   "Limits::max_connections");
    refuse_one();
    for (const auto& thread : threads_) thread->make_room();
}

// Refuses the connection that has waited the longest. Closes it even if the response cannot be sent, because otherwise
// its client would wait for nothing.
void HttpAcceptor::refuse_one() {
    static constexpr std::string_view answer =
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    spare_.lend([this] {
        const io::Fd client = io::accept_connection(acceptor_->native_handle());
        if (!client) return;
        [[maybe_unused]] const auto sent = ::send(client.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
        ::shutdown(client.get(), SHUT_WR);
    });
}

void HttpAcceptor::pause() {
    pause_timer_.expires_after(pause_time);
    pause_timer_.async_wait([this](error_code error) {
        waits_ = false;
        if (!error && acceptor_->is_open()) accept();
    });
    waits_ = true;
}

}  // namespace tenon
