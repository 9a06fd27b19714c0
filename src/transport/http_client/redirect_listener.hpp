// Where the browser comes back to after the user has signed in: a port on this machine, for one answer.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include <tenon/error.hpp>

#include "transport/http_socket.hpp"

namespace tenon {

/// For the thread of the io_context. Listens on 127.0.0.1 only, and answers nobody who does not know its port, its path
/// and the `state`: what other pages send there is refused, and does not end the wait.
class RedirectListener {
 public:
    using Done = std::function<void(std::string redirected_to)>;

    /// At this port; 0: any free one.
    static Result<std::unique_ptr<RedirectListener>> open(asio::io_context& context, std::uint16_t port);
    ~RedirectListener();
    RedirectListener(const RedirectListener&) = delete;
    RedirectListener& operator=(const RedirectListener&) = delete;

    const std::string& redirect_uri() const { return redirect_uri_; }
    /// `done` once, when the browser has come with this state. The page that it is shown is on its way then.
    void wait(std::string state, Done done);

 private:
    class Visitor;
    RedirectListener(asio::io_context& context, asio::ip::tcp::acceptor acceptor);
    void accept();
    /// The page for a request, and whether it is the one that was waited for.
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
