#include "inspect/tap_http.hpp"

#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <thread>

#include "base/base64.hpp"
#include "inspect/tap_exchange.hpp"
#include "inspect/tap_headers.hpp"
#include "io/last_resort.hpp"
#include "io/random.hpp"
#include "transport/http_client/calls.hpp"
#include "transport/http_client/route.hpp"

namespace tenon::inspect {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t max_tap_connections = 64;  // of clients, and to the server
constexpr std::size_t max_tap_redirects = 5;     // within the server's origin
constexpr std::size_t path_bytes = 18;           // of random in the address
constexpr std::array<std::string_view, 3> tap_methods = {"POST", "GET", "DELETE"};

SiteLimits tap_limits() {
    SiteLimits out;
    out.max_connections = out.max_streams = max_tap_connections;
    out.max_head_bytes = 32 * 1024;
    out.max_body_bytes = 16 * 1024 * 1024;
    out.request_time = 30s;
    out.max_requests = 1;               // not every client repeats a request when its connection ends at that moment
    out.keep_alive = Duration::zero();  // the client gets the server's bytes only
    return out;
}

std::string random_path() {
    const auto bytes = io::random_bytes<path_bytes>();
    return "/" + base::base64url_encode({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) + "/mcp";
}

web::Response tap_refusal(int status, std::string why) {
    return {status, {{"X-Content-Type-Options", "nosniff"}}, "text/plain; charset=utf-8", std::move(why) + "\n"};
}

}  // namespace

// The members below `context_` are used on its thread.
class HttpTap::Impl final : public Site,
                            private TapExchange::Owner,
                            private HttpCall::User,
                            public std::enable_shared_from_this<Impl> {
 public:
    Impl(const Target& target, TapGate& gate, Recorder& recorder)
        : gate_(gate),
          recorder_(recorder),
          own_(target.headers),
          route_(http_route({.url = target.url, .headers = target.headers})),
          listener_(0, tap_limits()),
          host_("127.0.0.1:" + std::to_string(listener_.port())),
          path_(random_path()),
          address_("http://" + host_ + path_),
          calls_(context_, route_, {max_tap_connections, max_tap_redirects, 30s}) {}

    void start() {
        gate_.on_decision([this] {
            post([](Impl& self) {
                for (auto it = self.exchanges_.begin(); it != self.exchanges_.end();)
                    std::shared_ptr((it++)->second)->look_for_decision();
            });
        });
        listener_.start(*this);
        thread_ = std::thread([this] { io::run_thread([this] { context_->run(); }, [](const char*) {}); });
    }
    void stop() {
        gate_.on_decision({});
        listener_.stop();
        const auto end = [this] {
            calls_.close();
            exchanges_.clear();
            context_->stop();
        };
        if (!io::insist([&] { asio::post(*context_, end); }, Clock::now())) context_->stop();
        thread_.join();
    }
    const std::string& address() const { return address_; }

    // Site, on the listener's thread. The path is a secret, so it is not said whether only the path was wrong.
    std::optional<web::Response> refuse(const framing::HttpRequest& head) override {
        if (!framing::equal_ignoring_case(head.host, host_))
            return tap_refusal(403, "The Host of this request is not this tap. Use the address that tenon printed.");
        if (head.fields.count("origin") > 0 || head.fields.count("sec-fetch-site") > 0)
            return tap_refusal(403, "Web pages may not use this tap.");
        if (head.path != path_ || !head.query.empty())
            return tap_refusal(404, "There is nothing at this address. Use the address that tenon printed.");
        if (std::ranges::find(tap_methods, head.method) == tap_methods.end())
            return tap_refusal(405, "Only POST, GET and DELETE are passed on.");
        return std::nullopt;
    }
    void answer(const framing::HttpRequest& head, std::string body, std::shared_ptr<SiteReply> reply) override {
        web::ClientRequest request;
        request.method = *std::ranges::find(tap_methods, head.method);
        request.url = route_->origin;
        request.fields = request_fields(head.fields, own_);
        if (request.method == "POST") request.body = std::move(body);
        post([request = std::move(request), reply = std::move(reply)](Impl& self) mutable {
            self.begin(std::move(request), std::move(reply));
        });
    }

 private:
    template <class Do>
    void post(Do what) {
        auto run = [weak = weak_from_this(), what = std::move(what)]() mutable {
            if (const auto self = weak.lock()) what(*self);
        };
        io::insist([&] { asio::post(*context_, run); }, Clock::now());
    }
    void begin(web::ClientRequest request, std::shared_ptr<SiteReply> reply) {
        const std::uint64_t id = next_++;
        reply->on_gone([this, id] { leave(id); });
        const auto exchange = std::make_shared<TapExchange>(
            TapExchange::Parts{*this, gate_, recorder_, connections_, own_}, id, std::move(request), std::move(reply));
        exchanges_.emplace(id, exchange);
        exchange->start();
    }
    // The client has left, or its stream has ended. Called on any thread.
    void leave(std::uint64_t id) {
        post([id](Impl& self) {
            const auto found = self.exchanges_.find(id);
            if (found == self.exchanges_.end()) return;
            const auto exchange = found->second;
            self.abort(*exchange);
            self.over(*exchange);
        });
    }

    // TapExchange::Owner
    void forward(TapExchange& exchange, web::ClientRequest request) override {
        // A stream may last for hours, and calls may wait for it.
        const auto urgency = request.method == "POST" ? web::Urgency::normal : web::Urgency::urgent;
        running_[exchange.id()] = calls_.start(std::move(request), *this, exchange.id(), urgency);
    }
    void abort(TapExchange& exchange) override {
        const auto found = running_.find(exchange.id());
        if (found == running_.end()) return;
        found->second->abort();
        running_.erase(found);
    }
    StreamSource source_of(TapExchange& exchange, std::shared_ptr<TapStream> stream) override {
        // The listener destroys the source when the client has left.
        const std::shared_ptr<void> left(nullptr, [weak = weak_from_this(), id = exchange.id()](void*) {
            if (const auto self = weak.lock()) self->leave(id);
        });
        return [stream = std::move(stream), left] { return stream->take(); };
    }
    void wake_stream() override { listener_.wake(); }
    void over(TapExchange& exchange) override { exchanges_.erase(exchange.id()); }

    // HttpCall::User
    void on_event(web::conversation::CallEvent event) override {
        std::visit([this](auto& one) { take(one); }, event);
    }
    std::shared_ptr<TapExchange> find(std::uint64_t id) const {
        const auto found = exchanges_.find(id);
        return found == exchanges_.end() ? nullptr : found->second;
    }
    void take(const web::conversation::Sent&) {}
    void take(const web::conversation::Head& head) {
        if (const auto exchange = find(head.call)) exchange->on_head(head.response);
    }
    void take(const web::conversation::Piece& piece) {
        if (const auto exchange = find(piece.call)) exchange->on_piece(piece.bytes);
    }
    void take(const web::conversation::End& end) {
        running_.erase(end.call);
        if (const auto exchange = find(end.call)) exchange->on_end();
    }
    void take(const web::conversation::Failed& failed) {
        running_.erase(failed.call);
        if (const auto exchange = find(failed.call)) exchange->on_failed(failed.why.message);
    }

    TapGate& gate_;
    Recorder& recorder_;
    const web::OwnFields own_;
    const std::shared_ptr<const HttpRoute> route_;
    SiteListener listener_;
    const std::string host_, path_, address_;
    const std::shared_ptr<asio::io_context> context_ = std::make_shared<asio::io_context>(1);
    const asio::executor_work_guard<asio::io_context::executor_type> work_{context_->get_executor()};
    HttpCalls calls_;
    TapConnections connections_;
    std::map<std::uint64_t, std::shared_ptr<HttpCall>> running_;
    std::map<std::uint64_t, std::shared_ptr<TapExchange>> exchanges_;
    std::uint64_t next_ = 1;
    std::thread thread_;
};

HttpTap::HttpTap(const Target& target, TapGate& gate, Recorder& recorder)
    : impl_(std::make_shared<Impl>(target, gate, recorder)) {
    impl_->start();
}
HttpTap::~HttpTap() { impl_->stop(); }
const std::string& HttpTap::address() const { return impl_->address(); }

}  // namespace tenon::inspect
