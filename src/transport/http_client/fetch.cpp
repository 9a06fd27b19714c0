#include "transport/http_client/fetch.hpp"

#include <boost/asio/post.hpp>

#include "transport/http_client/route.hpp"
#include "web/address_rules.hpp"

namespace tenon {
namespace {

// Without TLS, only loopback addresses are allowed. Checks the address, because a name can resolve to any address.
std::function<bool(const asio::ip::address&)> guard(bool tls, bool public_only) {
    return [tls, public_only](const asio::ip::address& address) {
        if (!tls && !is_loopback(address)) return false;
        return !public_only || is_public(address);
    };
}

Result<web::Url> admissible(const FetchRequest& request, bool trusted) {
    auto url = web::parse_url(request.url);
    if (!url) return url;
    if (!url->user.empty()) return Error{code::invalid_params, "a URL that is fetched must not contain a password"};
    if (!url->tls && !trusted && !web::is_loopback_host(url->host))
        return Error{code::connection_closed,
                     "will not fetch " + url->text() + ": only https is safe outside of this machine"};
    if (request.public_only && web::is_private_host(url->host))
        return Error{code::connection_closed,
                     "will not fetch " + url->text() + ": a public server named an address that is not public"};
    return url;
}

}  // namespace

std::optional<std::string> FetchResponse::field(std::string_view name) const {
    std::optional<std::string> found;
    for (const auto& [n, value] : fields) {
        if (!framing::equal_ignoring_case(n, name)) continue;
        if (found) return std::nullopt;
        found = value;
    }
    return found;
}

// One request with its own connection, which is closed at the end.
class HttpFetcher::Fetch final : private HttpCall::User, public std::enable_shared_from_this<HttpFetcher::Fetch> {
 public:
    Fetch(HttpFetcher& owner, std::shared_ptr<const HttpRoute> route, Done done)
        : owner_(owner),
          done_(std::move(done)),
          timer_(*owner.context_),
          calls_(owner.context_, std::move(route), {1, owner.options_.max_redirects, Duration::zero()}) {}

    void start(web::ClientRequest request) {
        timer_.expires_after(owner_.options_.time);
        timer_.async_wait([weak = weak_from_this()](error_code error) {
            const auto self = weak.lock();
            if (self && !error) self->over(Error{code::request_timeout, "no complete answer arrived in time"});
        });
        call_ = calls_.start(std::move(request), *this);
    }
    void cancel() {
        done_ = {};
        timer_.cancel();
        calls_.close();
    }

 private:
    void on_event(web::conversation::CallEvent event) override {
        std::visit([this](auto& e) { on(e); }, event);
    }
    void on(const web::conversation::Sent&) {}
    void on(const web::conversation::Head& head) {
        answer_.status = head.response.status;
        for (const auto& f : head.response.fields.all()) answer_.fields.emplace_back(f.name, f.value);
    }
    void on(const web::conversation::Piece& piece) {
        const std::size_t limit = owner_.options_.max_body_bytes;
        if (answer_.body.size() + piece.bytes.size() <= limit) {
            answer_.body += piece.bytes;
        } else {
            over(Error{code::invalid_answer,
                       "the answer is longer than the limit of " + std::to_string(limit) + " bytes"});
        }
    }
    void on(const web::conversation::End&) { over(std::move(answer_)); }
    void on(web::conversation::Failed& failed) { over(std::move(failed.why)); }
    // Runs inside an event of the call, so this object must survive until the event returns. `finished_` keeps it
    // alive; a handler in the loop's queue must not.
    void over(Result<FetchResponse> result) {
        Done done = std::exchange(done_, {});
        if (!done) return;
        const auto self = shared_from_this();
        owner_.running_.erase(self);
        owner_.finished_.push_back(self);
        cancel();
        owner_.tell(std::move(done), std::move(result));
    }

    HttpFetcher& owner_;
    Done done_;
    asio::steady_timer timer_;
    HttpCalls calls_;
    std::shared_ptr<HttpCall> call_;
    FetchResponse answer_;
};

HttpFetcher::HttpFetcher(std::shared_ptr<asio::io_context> context, FetchOptions options)
    : context_(std::move(context)), options_(std::move(options)) {}

HttpFetcher::~HttpFetcher() { cancel(); }

void HttpFetcher::cancel() {
    for (const auto& fetch : std::exchange(running_, {})) fetch->cancel();
}

void HttpFetcher::tell(Done done, Result<FetchResponse> result) {
    asio::post(*context_, [this, done = std::move(done), result = std::move(result), alive = std::weak_ptr(alive_)] {
        if (alive.expired()) return;
        finished_.clear();
        done(result);
    });
}

Result<std::shared_ptr<const HttpRoute>> HttpFetcher::route(const web::Url& url, bool public_only) {
    auto out = route_to(url, options_.proxy);
    if (!out) return out.error();
    if (url.tls && !tls_) {
        auto made = tls_context(options_.ca_file);
        if (!made) return made.error();
        tls_ = *std::move(made);
    }
    out->tls = tls_;
    out->dial_time = options_.time;
    out->admits = guard(url.tls || options_.url_is_trusted, public_only);
    return std::make_shared<const HttpRoute>(*std::move(out));
}

void HttpFetcher::fetch(FetchRequest request, Done done) {
    if (running_.size() >= options_.max_at_once)
        return tell(std::move(done), Error{code::server_error, "too many requests at once; try again later"});
    auto url = admissible(request, options_.url_is_trusted);
    if (!url) return tell(std::move(done), url.error());
    auto way = route(*url, request.public_only);
    if (!way) return tell(std::move(done), way.error());
    const auto fetch = std::make_shared<Fetch>(*this, *std::move(way), std::move(done));
    running_.insert(fetch);
    fetch->start({request.method, *std::move(url), std::move(request.fields), std::move(request.body)});
}

}  // namespace tenon
