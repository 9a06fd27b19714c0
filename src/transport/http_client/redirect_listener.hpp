// Receives the browser after the user has signed in: listens on a port of this machine for one redirect.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include <tenon/error.hpp>

#include "transport/http/http_socket.hpp"

namespace tenon {

/// Listens on 127.0.0.1 only. Accepts only a request with the right host, port, path and `state`. Other requests, for
/// example from other web pages, are refused and do not end the wait. Not thread-safe: use it only on the thread of the
/// io_context.
class RedirectListener {
 public:
    using Done = std::function<void(std::string redirected_to)>;

    /// Opens the port. 0: any free port.
    static Result<std::unique_ptr<RedirectListener>> open(asio::io_context& context, std::uint16_t port);
    ~RedirectListener();
    RedirectListener(const RedirectListener&) = delete;
    RedirectListener& operator=(const RedirectListener&) = delete;

    const std::string& redirect_uri() const { return redirect_uri_; }
    /// Calls `done` once, with the URL of the redirect, when a request with this state has come and the page for the
    /// user was sent.
    void wait(std::string state, Done done);

 private:
    class Visitor;
    RedirectListener(asio::io_context& context, asio::ip::tcp::acceptor acceptor);
    void accept();
    /// Returns the response to a request, and whether it is the awaited request.
    std::pair<std::string, bool> answer_to(std::string_view method, std::string_view host, std::string_view target);

    asio::io_context& context_;
    const std::shared_ptr<asio::ip::tcp::acceptor> acceptor_;
    asio::steady_timer pause_;
    std::string authority_;
    std::string redirect_uri_;
    std::string state_;
    Done done_;
    std::set<std::shared_ptr<Visitor>> visitors_;
    const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace tenon
