#include "transport/http_client/redirect_listener.hpp"

#include <boost/asio/post.hpp>

#include <tenon/auth/error.hpp>
#include <tenon/limits.hpp>

#include "auth/form.hpp"
#include "framing/http_request.hpp"
#include "jose/digest.hpp"
#include "transport/http/tcp.hpp"
#include "web/response.hpp"

namespace tenon {
namespace {

using Tcp = asio::ip::tcp;

constexpr std::string_view path = "/callback";
constexpr std::size_t max_visitors = 8;                            // concurrent connections; more are closed
constexpr Duration visit_time = std::chrono::seconds(10);          // to receive a request and send the response
constexpr Duration accept_pause = std::chrono::milliseconds(100);  // after a connection could not be accepted

// Large, because browsers also send the cookies of other servers on this machine.
constexpr framing::HttpLimits request_limits = {64 * 1024, 200, 16 * 1024, 0};

std::string page(int status, std::string_view title, std::string_view text) {
    web::Response response;
    response.status = status;
    response.content_type = "text/html; charset=utf-8";
    response.fields = {{"Cache-Control", "no-store"},
                       {"Referrer-Policy", "no-referrer"},
                       {"X-Content-Type-Options", "nosniff"},
                       {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"}};
    response.body = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>" + std::string(title) +
                    "</title><style>body{font:1.1em system-ui,sans-serif;max-width:32em;margin:20vh auto;padding:0 "
                    "1em;color-scheme:light dark}</style><h1>" +
                    std::string(title) + "</h1><p>" + std::string(text) + "</p></html>\n";
    std::string out;
    web::append_head(out, response, {false, false, false});
    return out + response.body;
}

}  // namespace

// One connection: reads one request, sends one page, and closes.
class RedirectListener::Visitor final : private HttpSocket::Reader, public std::enable_shared_from_this<Visitor> {
 public:
    Visitor(RedirectListener& owner, Tcp::socket socket)
        : owner_(owner), socket_(plain_socket(std::move(socket))), timer_(owner.context_), parser_(request_limits) {}

    void start() {
        timer_.expires_after(visit_time);
        timer_.async_wait([weak = weak_from_this()](error_code error) {
            const auto self = weak.lock();
            if (self && !error) self->close();
        });
        read();
    }
    void close() {
        if (std::exchange(closed_, true)) return;
        const auto self = shared_from_this();
        timer_.cancel();
        socket_->close();
        owner_.visitors_.erase(self);
    }

 private:
    void read() { socket_->read({shared_from_this(), this}); }
    void on_read(error_code error, std::string_view bytes) override {
        if (closed_) return;
        error ? close() : on_bytes(bytes);
    }
    void on_bytes(std::string_view bytes) {
        using Event = framing::HttpRequestParser::Event;
        switch (parser_.next(bytes)) {
            case Event::more: return read();
            case Event::head: break;
            default: return close();
        }
        const auto& head = parser_.request();
        auto [text, was_it] = owner_.answer_to(head.method, head.host, head.target);
        const std::string url = was_it ? "http://" + owner_.authority_ + std::string(head.target) : std::string();
        output_ = std::move(text);
        write(0, url);
    }
    void write(std::size_t from, const std::string& url) {
        socket_->write(std::string_view(output_).substr(from),
                       [weak = weak_from_this(), from, url](error_code error, std::size_t n) {
                           const auto self = weak.lock();
                           if (!self || self->closed_) return;
                           if (!error && from + n < self->output_.size()) return self->write(from + n, url);
                           self->wrote(url);
                       });
    }
    // After the expected request, the browser or the timer closes the connection. Closing it here could lose the page.
    void wrote(const std::string& url) {
        socket_->end_output();
        if (!url.empty())
            if (const Done done = std::exchange(owner_.done_, {})) return done(url);
        close();
    }

    RedirectListener& owner_;
    std::unique_ptr<HttpSocket> socket_;
    asio::steady_timer timer_;
    framing::HttpRequestParser parser_;
    std::string output_;
    bool closed_ = false;
};

RedirectListener::RedirectListener(asio::io_context& context, Tcp::acceptor acceptor)
    : context_(context), acceptor_(std::make_shared<Tcp::acceptor>(std::move(acceptor))), pause_(context) {
    authority_ = "127.0.0.1:" + std::to_string(acceptor_->local_endpoint().port());
    redirect_uri_ = "http://" + authority_ + std::string(path);
}

RedirectListener::~RedirectListener() {
    error_code ignored;
    acceptor_->close(ignored);
    for (const auto& visitor : std::set(visitors_)) visitor->close();
}

Result<std::unique_ptr<RedirectListener>> RedirectListener::open(asio::io_context& context, std::uint16_t port) {
    error_code error;
    Tcp::acceptor acceptor(context);
    const Tcp::endpoint at(asio::ip::address_v4::loopback(), port);
    listen_tcp(acceptor, at, static_cast<int>(max_visitors), error);
    if (error)
        return Error{code::not_authorised, "cannot listen at 127.0.0.1 port " + std::to_string(port) +
                                               " for the redirect of the browser: " + error.message()};
    return std::unique_ptr<RedirectListener>(new RedirectListener(context, std::move(acceptor)));
}

void RedirectListener::wait(std::string state, Done done) {
    state_ = std::move(state);
    done_ = std::move(done);
    accept();
}

void RedirectListener::accept() {
    accept_tcp(acceptor_, context_, [this, alive = std::weak_ptr(alive_)](error_code error, Tcp::socket socket) {
        if (alive.expired() || error == asio::error::operation_aborted) return;
        if (error) {
            pause_.expires_after(accept_pause);
            pause_.async_wait([this, alive](error_code cancelled) {
                if (!alive.expired() && !cancelled) accept();
            });
            return;
        }
        if (visitors_.size() < max_visitors) {
            const auto visitor = std::make_shared<Visitor>(*this, std::move(socket));
            visitors_.insert(visitor);
            visitor->start();
        }
        accept();
    });
}

// Checks Host, to prevent DNS rebinding: a hostile page can let its own name point to this machine, but then the
// browser sends that name as Host.
std::pair<std::string, bool> RedirectListener::answer_to(std::string_view method, std::string_view host,
                                                         std::string_view target) {
    const std::string_view query = target.substr(std::min(target.find('?') + 1, target.size()));
    if (method != "GET" || host != authority_ || target.substr(0, target.find('?')) != path)
        return {page(404, "Not here", "There is nothing at this address."), false};
    const auto fields = auth::client::parse_form(query);
    if (!fields || !done_ || !jose::same_secret(auth::client::field_of(*fields, "state"), state_))
        return {page(400, "Not expected", "This request does not belong to the current sign-in."), false};
    if (!auth::client::field_of(*fields, "error").empty())
        return {page(200, "Not signed in", "The sign-in was refused. You can close this page."), true};
    return {page(200, "Thank you", "You can close this page and go back to your program."), true};
}

}  // namespace tenon
