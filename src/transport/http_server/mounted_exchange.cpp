#include "transport/http_server/mounted_exchange.hpp"

#include <algorithm>
#include <charconv>

#include "io/last_resort.hpp"
#include "runtime/session_impl.hpp"
#include "web/response.hpp"

namespace tenon {
namespace {

constexpr std::size_t max_early_body = 64 * 1024;  // of a body that comes before its request is admitted

framing::HttpLimits head_limits(const Limits& limits) {
    framing::HttpLimits out;
    out.max_head_bytes = limits.max_head_bytes;
    out.max_body_bytes = limits.max_message_bytes;
    return out;
}

// A line break would add header fields that the client did not send.
bool is_one_line(std::string_view text) { return text.find_first_of("\r\n") == text.npos; }

// Returns the text of the head, so that the same parser checks it as in HttpServer. Nullopt when the text would have
// other lines than the head has.
std::optional<std::string> text_of(const HttpRequestHead& head) {
    bool fits = is_one_line(head.method) && is_one_line(head.target), framed = false;
    std::string out = head.method + " " + head.target + " HTTP/1.1\r\n";
    for (const auto& [name, value] : head.headers) {
        fits = fits && is_one_line(name) && is_one_line(value);
        framed = framed || framing::equal_ignoring_case(name, "content-length") ||
                 framing::equal_ignoring_case(name, "transfer-encoding");
        out += name + ": " + value + "\r\n";
    }
    // In HTTP/2 a body needs no field.
    if (!framed && head.method == "POST") out += "Transfer-Encoding: chunked\r\n";
    out += "\r\n";
    return fits ? std::optional(std::move(out)) : std::nullopt;
}

bool is_of_the_connection(std::string_view name) {
    return name == "Content-Length" || name == "Transfer-Encoding" || name == "Connection" || name == "Date";
}

// Reads the head of a response, which web::append_head() wrote. Removes it from `text`.
HttpResponseHead read_head(std::string& text) {
    HttpResponseHead out;
    const std::size_t end = text.find("\r\n\r\n");
    std::string_view lines = std::string_view(text).substr(0, end);
    constexpr std::string_view version = "HTTP/1.1 ";
    std::from_chars(lines.data() + version.size(), lines.data() + lines.size(), out.status);
    while (lines.find("\r\n") != lines.npos) {
        lines.remove_prefix(lines.find("\r\n") + 2);
        const std::string_view line = lines.substr(0, lines.find("\r\n"));
        const std::string_view name = line.substr(0, line.find(':')), value = line.substr(name.size() + 2);
        if (name == "Content-Length") out.content_length = framing::parse_decimal(value);
        if (!is_of_the_connection(name)) out.headers.emplace_back(name, value);
    }
    const bool is_stream = std::ranges::any_of(out.headers, [](const auto& field) {
        return field.first == "Content-Type" && field.second == "text/event-stream";
    });
    if (!is_stream && !out.content_length) out.content_length = 0;  // 204
    text.erase(0, end + 4);
    return out;
}

}  // namespace

HttpMount::ExchangeState::ExchangeState(std::shared_ptr<const Shared> shared, std::shared_ptr<LastPeer> last,
                                        std::string network, std::function<void()> wake)
    : shared_(std::move(shared)),
      wire_(shared_->tap, WireMessage::Side::server),
      last_(std::move(last)),
      network_(std::move(network)),
      wake_(std::move(wake)),
      parser_(head_limits(shared_->limits)) {}

class HttpMount::ExchangeState::Turn {
 public:
    explicit Turn(ExchangeState& exchange) : exchange_(exchange), lock_(exchange.mutex_) {}
    ~Turn() {
        const auto report = std::exchange(exchange_.report_, {});
        lock_.unlock();
        if (report) io::survives(report, [](const char*) {});
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    std::unique_lock<std::mutex>& lock() { return lock_; }

 private:
    ExchangeState& exchange_;
    std::unique_lock<std::mutex> lock_;
};

void HttpMount::ExchangeState::open(const HttpRequestHead& head) {
    const Turn turn(*this);
    const auto text = text_of(head);
    if (!text) return respond_directly(web::refusal(400, "a line break in the head of the request"));
    std::string_view input = *text;
    using Event = framing::HttpRequestParser::Event;
    const Event event = parser_.next(input);
    if (event == Event::head) return request_admission();
    respond_directly(event == Event::refused ? web::refusal(parser_.refusal().status, parser_.refusal().why)
                                             : web::refusal(400, "the head of the request is malformed"));
}

void HttpMount::ExchangeState::request_admission() {
    const framing::HttpRequest& head = parser_.request();
    const auto retry = [weak = weak_from_this()] {
        const auto self = weak.lock();
        if (!self) return;
        self->retry_.store(true);
        self->wake();
    };
    auto asked = shared_->endpoint->admit(head, retry, last_->get(), network_);
    if (!asked) {
        if (deadline_ == TimePoint()) deadline_ = later(shared_->clock(), shared_->admission_time);
        return;
    }
    if (auto* refused = std::get_if<web::Response>(&*asked)) {
        refused->head_only = head.method == "HEAD";
        return respond_directly(std::move(*refused));
    }
    admitted_ = std::get<HttpEndpoint::Admitted>(*std::move(asked));
    last_->set(admitted_->peer);
    in_charge_ = base::MemoryCharge(admitted_->peer->memory);
    phase_ = Phase::receiving;
    deadline_ = later(shared_->clock(), shared_->limits.body_time);
    add_to_body({});
    if (body_ended_ && phase_ == Phase::receiving) prepare();
}

// ---- in

bool HttpMount::ExchangeState::wants_body() {
    const std::lock_guard lock(mutex_);
    return phase_ == Phase::receiving && !body_ended_;
}

void HttpMount::ExchangeState::body(std::string_view bytes) {
    Turn turn(*this);
    if (body_ended_) throw Exception({code::invalid_request, "Exchange::body() was called after end_of_body()"});
    go_on(turn.lock());
    add_to_body(bytes);
}

void HttpMount::ExchangeState::add_to_body(std::string_view bytes) {
    if (phase_ == Phase::awaiting_admission && body_.size() + bytes.size() > max_early_body)
        return respond_directly(web::refusal(503, "this server cannot check tokens at the moment; try again"));
    if (phase_ != Phase::awaiting_admission && phase_ != Phase::receiving) return;
    if (body_.size() + bytes.size() > shared_->limits.max_message_bytes)
        return respond_directly(web::refusal(413, "the body is longer than " +
                                                      std::to_string(shared_->limits.max_message_bytes) +
                                                      " bytes (Limits::max_message_bytes)"));
    body_ += bytes;
    const auto verdict = in_charge_.cover(body_.capacity());
    if (verdict != base::MemoryDecision::granted) respond_directly(web::memory_refusal(verdict, in_charge_));
}

void HttpMount::ExchangeState::end_of_body() {
    Turn turn(*this);
    if (body_ended_) throw Exception({code::invalid_request, "Exchange::end_of_body() was called twice"});
    body_ended_ = true;
    go_on(turn.lock());
    if (phase_ == Phase::receiving) prepare();
    do_work(turn.lock());
}

// Asks for admission again when the token can be checked.
void HttpMount::ExchangeState::go_on(std::unique_lock<std::mutex>& lock) {
    if (phase_ == Phase::awaiting_admission && retry_.exchange(false)) request_admission();
    do_work(lock);
}

// From here on, in the phase `handling`, other threads do not touch the request, its body and the answer.
void HttpMount::ExchangeState::prepare() {
    const framing::HttpRequest& head = parser_.request();
    if (head.content_length && *head.content_length != body_.size())
        return respond_directly(web::refusal(400, "the body does not have the length of Content-Length"));
    web::Fields fields = web::cors_fields(head);
    fields.insert(fields.end(), admitted_->fields.begin(), admitted_->fields.end());
    make_answer(std::move(fields), admitted_->peer);
    if (!body_.empty()) wire_.received(body_);
    phase_ = Phase::handling;
    ready_ = true;
}

// Handles the request without the lock, because handlers and observers may run, and the function that posts may run its
// work at once.
void HttpMount::ExchangeState::do_work(std::unique_lock<std::mutex>& lock) {
    if (!std::exchange(ready_, false)) return;
    if (body_.size() >= HttpEndpoint::least_large_body && shared_->post_large)
        return post([self = shared_from_this()] { self->handle(true); }, lock);
    lock.unlock();
    {
        const Session::Impl::MustNotWait serves_connections;
        handle(false);
    }
    lock.lock();
}

// The owner is woken after a request that a worker handled, and when it came for the end of the response too early.
void HttpMount::ExchangeState::handle(bool must_wake) {
    HttpEndpoint::ResponderPtr responder;
    bool failed = false;
    try {
        responder = shared_->endpoint->handle(*admitted_, parser_.request(), body_, answer_);
    } catch (const std::exception&) {  // memory is short
        failed = true;
    }
    {
        const std::lock_guard lock(mutex_);
        forget_request();
        must_wake |= std::exchange(held_back_, false);
        if (phase_ == Phase::handling) {
            phase_ = Phase::answering;
            responder_ = std::move(responder);
        }
    }
    if (responder) responder->client_gone(*answer_);  // the client has left meanwhile
    if (failed) return client_gone(), wake();
    if (must_wake) answer_->wake_taker();
}

// Handles the request on another thread, or refuses it: too many calls of the peer wait.
void HttpMount::ExchangeState::post(std::function<void()> work, std::unique_lock<std::mutex>& lock) {
    const HttpPeerPtr peer = admitted_->peer;
    std::optional<Error> refusal;
    lock.unlock();
    try {
        shared_->post_large(peer, std::move(work));
    } catch (const Exception& refused) {
        refusal = refused.error();
    }
    lock.lock();
    if (!refusal || phase_ != Phase::handling) return;
    phase_ = Phase::answering;
    web::Response response = web::try_later(429, *refusal);
    tell_refused(response);
    answer_->respond(std::move(response));
    forget_request();
}

void HttpMount::ExchangeState::forget_request() {
    admitted_.reset();
    std::string().swap(body_);  // frees the memory; assigning an empty string would keep the buffer
    in_charge_.release();
}

bool HttpMount::ExchangeState::tick(TimePoint now) {
    if (missed_wake_.exchange(false)) wake();
    const Turn turn(*this);
    if (phase_ == Phase::over) return false;
    if (phase_ != Phase::awaiting_admission && phase_ != Phase::receiving) return true;
    if (now < deadline_) return true;
    respond_directly(
        phase_ == Phase::receiving
            ? web::refusal(408, Error{code::server_error, "the request did not arrive in time", LimitName::body_time})
            : web::refusal(503, "this server cannot check tokens at the moment; try again"));
    return true;
}

// ---- out

void HttpMount::ExchangeState::make_answer(web::Fields fields, const HttpPeerPtr& peer) {
    const QueuedResponse::Options options{std::move(fields), true, false, shared_->limits.max_queued_output_bytes,
                                          shared_->output,   wire_};
    answer_ = std::make_shared<QueuedResponse>(options, weak_from_this(), std::string(),
                                               base::MemoryCharge(peer ? peer->memory : nullptr));
}

// The observers are told later: see Turn. Only the parts of the response that they need are copied.
void HttpMount::ExchangeState::tell_refused(const web::Response& response) {
    web::Response told;
    told.status = response.status;
    told.why = response.why;
    told.error = response.error;
    told.limit = response.limit;
    told.body = response.body;
    report_ = [endpoint = shared_->endpoint, told = std::move(told), admitted = admitted_, network = network_,
               bytes = body_.size()] {
        endpoint->tell_refused(told, {.admitted = admitted ? &*admitted : nullptr, .network = network, .bytes = bytes});
    };
}

void HttpMount::ExchangeState::respond_directly(web::Response response) {
    tell_refused(response);
    make_answer({}, nullptr);
    phase_ = Phase::answering;
    answer_->respond(std::move(response));
    forget_request();
}

void HttpMount::ExchangeState::refuse(int status, const Error& why) {
    const Turn turn(*this);
    if (phase_ == Phase::awaiting_admission || phase_ == Phase::receiving) respond_directly(web::refusal(status, why));
}

void HttpMount::ExchangeState::wake() noexcept {
    woken_.set();
    if (!wake_ || gone_.load()) return;
    try {
        wake_();
    } catch (...) {  // for example without memory to post; the next tick tries again
        missed_wake_.store(true);
    }
}

HttpOutput HttpMount::ExchangeState::take() {
    Turn turn(*this);
    go_on(turn.lock());
    return take_output();
}

HttpOutput HttpMount::ExchangeState::wait_and_take(Duration time) {
    const TimePoint end = later(Clock::now(), time);
    for (;;) {
        HttpOutput out = take();
        if (out.head || !out.body.empty() || out.state != HttpOutput::State::open) return out;
        if (!woken_.wait_until(end)) return take();
    }
}

HttpOutput HttpMount::ExchangeState::take_output() {
    HttpOutput out;
    if (phase_ == Phase::over) {
        out.state = gone_.load() ? HttpOutput::State::broken : HttpOutput::State::complete;
        return out;
    }
    if (!answer_) return out;
    std::string body;
    const auto state = answer_->take(out.body, body, out_charge_);
    if (!head_taken_ && !out.body.empty()) {
        out.head = read_head(out.body);
        head_taken_ = true;
    }
    out.body.empty() ? out.body.swap(body) : static_cast<void>(out.body += body);
    if (state == QueuedResponse::State::open) return out;
    if (phase_ == Phase::handling) return held_back_ = true, out;
    out.state = state == QueuedResponse::State::done ? HttpOutput::State::complete : HttpOutput::State::broken;
    if (state == QueuedResponse::State::overflow) return out;  // the owner closes the connection: client_gone()
    phase_ = Phase::over;
    responder_.reset();
    out_charge_.release();
    return out;
}

void HttpMount::ExchangeState::client_gone() {
    std::shared_ptr<QueuedResponse> answer;
    HttpEndpoint::ResponderPtr responder;
    {
        const std::lock_guard lock(mutex_);
        if (phase_ == Phase::over) return;
        gone_.store(true);
        if (phase_ != Phase::handling) forget_request();
        phase_ = Phase::over;
        answer = answer_;
        responder = std::move(responder_);
        out_charge_.release();
    }
    if (answer) answer->abandon();
    const bool overflowed = answer && answer->overflowed();
    shared_->endpoint->tell_closed(overflowed ? end_by_limit(answer->limit_hit()) : connection_ends::client_left,
                                   network_, last_->get());
    if (responder) responder->client_gone(*answer);
    woken_.set();
}

}  // namespace tenon
