#include "transport/http/accept_loop.hpp"

#include <chrono>

namespace tenon {
namespace {

constexpr std::chrono::milliseconds accept_loop_pause{100};  // after a connection could not be accepted

}  // namespace

void AcceptLoop::listen(const asio::ip::tcp::endpoint& at, std::size_t backlog, error_code& error) {
    listen_tcp(*acceptor_, at, static_cast<int>(backlog), error);
}

void AcceptLoop::start(std::function<void(asio::ip::tcp::socket)> use) {
    use_ = std::move(use);
    accept();
}

void AcceptLoop::close() {
    error_code ignored;
    acceptor_->close(ignored);
}

void AcceptLoop::accept() {
    accept_tcp(acceptor_, context_, [this](error_code error, asio::ip::tcp::socket socket) {
        if (error == asio::error::operation_aborted || !acceptor_->is_open()) return;
        if (error) {
            pause_.expires_after(accept_loop_pause);
            return pause_.async_wait([this](error_code cancelled) {
                if (!cancelled) accept();
            });
        }
        use_(std::move(socket));
        accept();
    });
}

}  // namespace tenon
