#include "inspect/site_listener.hpp"

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <set>
#include <thread>

#include <tenon/error.hpp>

#include "io/last_resort.hpp"
#include "transport/http/accept_loop.hpp"
#include "web/response.hpp"

namespace tenon::inspect {
namespace {

using Tcp = asio::ip::tcp;
using Event = framing::HttpRequestParser::Event;

constexpr std::size_t max_fields = 64;
constexpr std::size_t max_site_target_bytes = 4 * 1024;

web::Response plain_refusal(int status, std::string why) {
    return {status, {{"X-Content-Type-Options", "nosniff"}}, "text/plain; charset=utf-8", std::move(why) + "\n"};
}

}  // namespace

// Owned by the listener and by connections and replies, which may outlive it: they only post to a stopped loop then.
class SiteListener::Impl : public std::enable_shared_from_this<Impl> {
 public:
    Impl(std::uint16_t port, SiteLimits limits) : limits_(limits) {
        error_code error;
        acceptor_.listen(Tcp::endpoint(asio::ip::address_v4::loopback(), port), limits_.max_connections, error);
        if (error)
            throw Exception({code::invalid_params,
                             "cannot listen on 127.0.0.1 port " + std::to_string(port) + ": " + error.message()});
        port_ = acceptor_.port();
    }

    void start(Site& site) {
        site_ = &site;
        acceptor_.start([this](Tcp::socket socket) { serve(std::move(socket)); });
        thread_ = std::thread([this] { io::run_thread([this] { context_.run(); }, [](const char*) {}); });
    }
    void stop() {
        if (!thread_.joinable()) return;
        const auto end = [this] {
            acceptor_.close();
            for (const auto& connection : std::set(connections_)) connection->close();
            context_.stop();
        };
        if (!io::insist([&] { asio::post(context_, end); }, Clock::now())) context_.stop();
        thread_.join();
    }
    void wake() {
        if (woken_.exchange(true)) return;
        asio::post(context_, [weak = weak_from_this()] {
            const auto self = weak.lock();
            if (!self) return;
            self->woken_ = false;
            for (const auto& connection : std::set(self->connections_)) connection->pump();
        });
    }
    std::uint16_t port() const { return port_; }

 private:
    // One connection: reads a request, sends one response or a stream, and then reads the next request or closes.
    class Connection final : private HttpSocket::Reader, public std::enable_shared_from_this<Connection> {
     public:
        Connection(Impl& owner, Tcp::socket socket)
            : owner_(owner),
              socket_(plain_socket(std::move(socket))),
              timer_(owner.context_),
              parser_({owner.limits_.max_head_bytes, max_fields, max_site_target_bytes, owner.limits_.max_body_bytes}) {
        }

        void start() {
            close_after(owner_.limits_.request_time);
            read();
        }
        void close() {
            if (std::exchange(closed_, true)) return;
            const auto self = shared_from_this();
            timer_.cancel();
            socket_->close();
            source_ = {};
            owner_.connections_.erase(self);
            if (gone_ && !answered_) std::exchange(gone_, {})();
        }
        void on_gone(std::function<void()> gone) {
            if (closed_) return gone();
            gone_ = std::move(gone);
        }
        bool is_stream() const { return static_cast<bool>(source_); }
        bool is_idle() const { return idle_; }
        /// Counts the requests, from 1. A reply belongs to one of them.
        std::size_t number() const { return number_; }

        void respond(const web::Response& response) {
            if (closed_ || answered_) return;
            answered_ = true;
            reusable_ = reusable_ && waiting_ && parser_.request().keep_alive && number_ < owner_.limits_.max_requests;
            close_after(owner_.limits_.answer_time);
            web::append_head(output_, response, {.keep_alive = reusable_});
            output_ += response.body;
            write(0);
        }
        void stream(web::Fields fields, StreamSource source) {
            if (closed_ || answered_) return;
            if (owner_.streams() >= owner_.limits_.max_streams)
                return respond(plain_refusal(429, "There are too many streams of events. Close other pages first."));
            answered_ = true;
            reusable_ = false;
            source_ = std::move(source);
            web::append_head(output_, {200, std::move(fields), "text/event-stream"},
                             {.stream = true, .chunks = false, .keep_alive = false});
            if (owner_.limits_.keep_alive > Duration::zero()) output_ += ":\n\n";
            pump();
        }
        void pump() {
            if (closed_ || !source_ || writing_) return;
            const auto bytes = source_();
            if (bytes)
                output_ += *bytes;
            else
                source_ = {};
            if (!output_.empty()) {
                close_after(owner_.limits_.write_time);
                return write(0);
            }
            if (!source_) return finish();
            keep_alive();
        }

     private:
        void keep_alive() {
            timer_.cancel();
            if (owner_.limits_.keep_alive == Duration::zero()) return;
            wait(owner_.limits_.keep_alive, [](Connection& self) {
                self.output_ = ":\n\n";
                self.pump();
            });
        }
        void close_after(Duration time) {
            wait(time, [](Connection& self) { self.close(); });
        }
        // A timer that has ended calls its handler, also when it is set anew before the handler runs.
        void wait(Duration time, void (*then)(Connection&)) {
            timer_.expires_after(time);
            timer_.async_wait([weak = weak_from_this(), then](error_code error) {
                const auto self = weak.lock();
                const bool set_anew = self && self->timer_.expiry() > Clock::now();
                if (self && !error && !self->closed_ && !set_anew) then(*self);
            });
        }
        void read() { socket_->read({shared_from_this(), this}); }
        void on_read(error_code error, std::string_view bytes) override {
            if (closed_) return;
            if (error) return close();
            if (std::exchange(idle_, false)) close_after(owner_.limits_.request_time);
            parse(bytes);
            paused_ = answered_ && reusable_ && !ahead_.empty();  // begin_next() reads on
            if (!paused_) read();                                 // also notices that the client has left
        }
        void parse(std::string_view bytes) {
            while (!answered_ && !waiting_) {
                const Event event = parser_.next(bytes);
                if (event == Event::more) return;
                take(event);
            }
            if (reusable_) keep(bytes);
        }
        // Keeps the beginning of the next request. Only few bytes, because the client should wait for the response.
        // After the response is made, these are the last bytes that are read until it is sent.
        void keep(std::string_view bytes) {
            if (answered_ || ahead_.size() + bytes.size() <= owner_.limits_.max_head_bytes) {
                ahead_ += bytes;
                return;
            }
            reusable_ = false;
            ahead_ = {};
        }
        void take(Event event) {
            switch (event) {
                case Event::head:
                    if (auto refused = owner_.site_->refuse(parser_.request())) return respond(*refused);
                    return;
                case Event::piece: body_ += parser_.piece(); return;
                case Event::end: return hand_over();
                default: return respond(plain_refusal(parser_.refusal().status, parser_.refusal().why));
            }
        }
        void hand_over() {
            waiting_ = true;
            close_after(owner_.limits_.answer_time);
            owner_.site_->answer(parser_.request(), std::move(body_), owner_.reply_to(shared_from_this()));
        }
        void write(std::size_t from) {
            writing_ = true;
            socket_->write(std::string_view(output_).substr(from),
                           [weak = weak_from_this(), from](error_code error, std::size_t n) {
                               const auto self = weak.lock();
                               if (!self || self->closed_) return;
                               if (error) return self->close();
                               if (from + n < self->output_.size()) return self->write(from + n);
                               self->written();
                           });
        }
        void written() {
            writing_ = false;
            output_.clear();
            if (source_) return pump();
            reusable_ ? begin_next() : finish();
        }
        void begin_next() {
            ++number_;
            gone_ = {};
            body_.clear();
            answered_ = waiting_ = false;
            idle_ = ahead_.empty();
            close_after(idle_ ? owner_.limits_.idle_time : owner_.limits_.request_time);
            if (idle_) return;
            parse(std::exchange(ahead_, {}));
            if (std::exchange(paused_, false)) read();
        }
        // Closing a socket with unread input would reset the connection and could lose the response. So on_read()
        // continues until the client closes, or this timer does.
        void finish() {
            close_after(owner_.limits_.request_time);
            socket_->end_output();
        }

        Impl& owner_;
        std::unique_ptr<HttpSocket> socket_;
        asio::steady_timer timer_;
        framing::HttpRequestParser parser_;
        std::string body_, output_;
        std::string ahead_;  // of the next request; at most max_head_bytes, and the bytes of one read
        StreamSource source_;
        std::function<void()> gone_;
        std::size_t number_ = 1;
        bool closed_ = false, answered_ = false, waiting_ = false, writing_ = false;
        bool idle_ = false;     // between two requests
        bool reusable_ = true;  // another request may follow
        bool paused_ = false;   // no read is under way
    };

    class Answer final : public SiteReply {
     public:
        Answer(std::shared_ptr<Impl> owner, const std::shared_ptr<Connection>& connection)
            : owner_(std::move(owner)), connection_(connection), number_(connection->number()) {}
        ~Answer() override {
            if (!answered_) post([](Connection& connection) { connection.close(); });
        }
        void respond(web::Response response, web::OwnFields more) override {
            if (answered_.exchange(true)) return;
            post([response = std::move(response), more = std::move(more)](Connection& connection) mutable {
                for (const auto& [name, value] : more) response.fields.emplace_back(name, value);
                connection.respond(response);
            });
        }
        void stream(web::Fields fields, StreamSource source, web::OwnFields more) override {
            if (answered_.exchange(true)) return;
            post([fields = std::move(fields), source = std::move(source),
                  more = std::move(more)](Connection& connection) mutable {
                for (const auto& [name, value] : more) fields.emplace_back(name, value);
                connection.stream(std::move(fields), std::move(source));
            });
        }
        void on_gone(std::function<void()> gone) override {
            const auto set = [weak = connection_, number = number_, gone] {
                const auto connection = weak.lock();
                if (!connection) return gone();
                if (connection->number() == number) connection->on_gone(gone);
            };
            io::insist([&] { asio::post(owner_->context_, set); }, Clock::now());
        }

     private:
        template <class Do>
        void post(Do what) {
            io::insist(
                [&] {
                    asio::post(owner_->context_, [weak = connection_, number = number_, what]() mutable {
                        const auto connection = weak.lock();
                        if (connection && connection->number() == number) what(*connection);
                    });
                },
                Clock::now());
        }
        const std::shared_ptr<Impl> owner_;
        const std::weak_ptr<Connection> connection_;
        const std::size_t number_;  // of the request
        std::atomic<bool> answered_ = false;
    };

    std::shared_ptr<SiteReply> reply_to(const std::shared_ptr<Connection>& connection) {
        return std::make_shared<Answer>(shared_from_this(), connection);
    }
    std::size_t streams() const {
        return static_cast<std::size_t>(
            std::count_if(connections_.begin(), connections_.end(), [](const auto& c) { return c->is_stream(); }));
    }
    bool close_idle() {
        const auto idle =
            std::find_if(connections_.begin(), connections_.end(), [](const auto& c) { return c->is_idle(); });
        if (idle == connections_.end()) return false;
        std::shared_ptr(*idle)->close();
        return true;
    }
    void serve(Tcp::socket socket) {
        if (connections_.size() >= limits_.max_connections && !close_idle()) return;
        const auto connection = std::make_shared<Connection>(*this, std::move(socket));
        connections_.insert(connection);
        connection->start();
    }

    const SiteLimits limits_;
    asio::io_context context_{1};
    const asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
    AcceptLoop acceptor_{context_};
    std::set<std::shared_ptr<Connection>> connections_;  // used on the loop's thread
    Site* site_ = nullptr;
    std::atomic<bool> woken_ = false;
    std::uint16_t port_ = 0;
    std::thread thread_;
};

SiteListener::SiteListener(std::uint16_t port, SiteLimits limits) : impl_(std::make_shared<Impl>(port, limits)) {}
SiteListener::~SiteListener() { stop(); }
std::uint16_t SiteListener::port() const { return impl_->port(); }
void SiteListener::start(Site& site) { impl_->start(site); }
void SiteListener::stop() { impl_->stop(); }
void SiteListener::wake() { impl_->wake(); }

}  // namespace tenon::inspect
