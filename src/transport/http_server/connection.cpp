#include "transport/http_server/connection.hpp"

#include <boost/asio/post.hpp>

#include "web/response.hpp"

namespace tenon {
namespace {

constexpr std::size_t max_ahead = 64 * 1024;           // input that is buffered while a request is being answered
constexpr std::size_t max_reserved = 1024 * 1024;      // memory reserved for a body before any of it has arrived
constexpr std::size_t max_kept = 256 * 1024;           // memory that is kept between two requests
constexpr std::size_t least_read_in_place = 4 * 1024;  // if more of a body is missing, reads directly into body_
constexpr std::size_t max_read_in_place = 256 * 1024;  // more would keep other connections waiting
constexpr Duration refusal_read_time = std::chrono::seconds(2);  // for a client to read the last response

framing::HttpLimits codec_limits(const Limits& limits) {
    framing::HttpLimits out;
    out.max_head_bytes = limits.max_head_bytes;
    out.max_body_bytes = limits.max_message_bytes;
    return out;
}

}  // namespace

HttpConnection::HttpConnection(std::unique_ptr<HttpSocket> socket, std::string network, asio::io_context& context,
                               HttpTurns& turns, std::shared_ptr<const Shared> shared,
                               std::function<void(HttpConnection*)> on_closed)
    : socket_(std::move(socket)),
      network_(std::move(network)),
      context_(context),
      turns_(turns),
      shared_(std::move(shared)),
      wire_(shared_->tap, WireMessage::Side::server),
      on_closed_(std::move(on_closed)),
      parser_(codec_limits(shared_->limits)) {}

std::optional<HttpConnection::Expendable> HttpConnection::expendable() const {
    if (phase_ != Phase::receiving || refused_) return std::nullopt;
    const Waits waits = admitted_                  ? Waits::for_rest_of_request
                        : peer_ && !parser_.busy() ? Waits::for_next_request
                                                   : Waits::for_first_request;
    return Expendable{waits, deadline_.value_or(TimePoint::max())};
}

void HttpConnection::start() {
    enter();
    wait(shared_->limits.head_time);
    retry_ = [weak = weak_from_this(), &context = context_] {
        const auto self = weak.lock();
        if (!self) return;
        try {
            asio::post(context, [self] { self->ask_again(); });
        } catch (...) {  // check_time() refuses the request at its deadline
        }
    };
    socket_->handshake([self = shared_from_this()](error_code error) {
        if (self->is_closed()) return;
        error ? self->close(connection_ends::no_handshake) : self->read();
    });
}

void HttpConnection::refuse(int status, std::string why) {
    refused_ = true;
    wait(refusal_read_time);
    socket_->handshake([self = shared_from_this(), status, why = std::move(why)](error_code error) {
        if (self->is_closed()) return;
        error ? self->close(connection_ends::no_handshake) : self->respond_directly(web::refusal(status, why), true);
    });
}

// The time starts to run at the next check_time(). This saves reading the clock for each request.
void HttpConnection::wait(Duration time) {
    patience_ = time;
    deadline_.reset();
}

void HttpConnection::wait_for_nothing() {
    patience_.reset();
    deadline_.reset();
}

// ---- in

void HttpConnection::read() {
    if (reading_ != Reading::no || is_closed() || input_ended_ || ahead_.size() > max_ahead) return;
    const auto left = static_cast<std::size_t>(parser_.body_left());
    const bool in_place = left >= least_read_in_place && phase_ == Phase::receiving;
    if (in_place && peer_ && peer_->io_debt.is_large(shared_->clock())) {
        reading_ = Reading::at_its_turn;
        return wait_for_turn();
    }
    if (in_place) return read_body(left);
    reading_ = Reading::input;
    socket_->read(std::shared_ptr<HttpSocket::Reader>(shared_from_this(), this));
}

// Reads a part of a large body directly into its buffer.
void HttpConnection::read_body(std::size_t left) {
    const std::span<char> room = body_.room(left);
    if (!charge_body()) return;
    reading_ = Reading::body;
    socket_->read_into(room.first(std::min(room.size(), max_read_in_place)),
                       std::shared_ptr<HttpSocket::Reader>(shared_from_this(), this));
}

void HttpConnection::on_read(error_code error, std::string_view bytes) {
    enter();
    const HttpPeerPtr peer = reading_ == Reading::body ? peer_ : nullptr;
    const TimePoint begin = peer ? shared_->clock() : TimePoint();
    if (!is_closed()) take(error, bytes);
    reading_ = Reading::no;  // only now, because the next read may overwrite the bytes
    if (peer) peer->io_debt.charge(begin, shared_->clock());
    read();
}

void HttpConnection::take(error_code error, std::string_view bytes) {
    if (error == asio::error::eof && socket_->can_be_half_closed()) return on_end_of_input();
    if (error) return close(why_client_left());
    if (phase_ == Phase::lingering) return read();
    if (phase_ == Phase::receiving) {
        consume(bytes);
    } else {
        ahead_ += bytes;
        const auto verdict = charge_input();
        if (verdict != base::MemoryDecision::granted) return close(end_by_limit(memory_limit(verdict)));
    }
    if (!is_closed()) read();
}

// The client will send nothing more, but it may still read. To find out, writes something: a client that has closed the
// whole connection answers with a reset.
void HttpConnection::on_end_of_input() {
    input_ended_ = true;
    if (phase_ == Phase::awaiting_admission || (is_answering() && phase_ != Phase::answering)) return;
    if (phase_ != Phase::answering) return close(why_client_left());
    socket_->wait_for_reset([self = shared_from_this()] {
        if (!self->is_closed()) self->close(connection_ends::client_left);
    });
    if (responder_) responder_->probe(*answer_);
}

void HttpConnection::consume(std::string_view input) {
    consuming_ = true;
    while (phase_ == Phase::receiving && step(input)) {
    }
    consuming_ = false;
    if (is_answering() || phase_ == Phase::awaiting_admission) ahead_ += input;
}

// Handles one event of the parser. Returns false when the parser needs more input, or the request was refused.
bool HttpConnection::step(std::string_view& input) {
    const bool idle = !parser_.busy();
    switch (parser_.next(input)) {
        case Parser::Event::more:
            if (idle && parser_.busy()) wait(shared_->limits.head_time);
            return false;
        case Parser::Event::head: on_head(); return true;
        case Parser::Event::piece: body_.append(parser_.piece()); return charge_body();
        case Parser::Event::end: take_turn(); return true;
        case Parser::Event::refused:
            respond_directly(web::refusal(parser_.refusal().status, parser_.refusal().why), true);
            return false;
    }
    return false;
}

void HttpConnection::on_head() {
    const framing::HttpRequest& head = parser_.request();
    keep_alive_ = head.keep_alive && !head.http_1_0;  // in HTTP/1.0 only closing the connection can end a stream
    request_admission();
}

void HttpConnection::request_admission() {
    const framing::HttpRequest& head = parser_.request();
    auto asked = shared_->endpoint->admit(head, retry_, peer_, network_);
    if (!asked && phase_ != Phase::awaiting_admission) wait(shared_->admission_time);
    phase_ = asked ? Phase::receiving : Phase::awaiting_admission;
    if (!asked) return;
    // Closes after a refused request with a body: the body is not read, and would be parsed as the next request.
    if (auto* answer = std::get_if<web::Response>(&*asked)) {
        answer->head_only = head.method == "HEAD";  // the client would parse a body as the next response
        return respond_directly(std::move(*answer), head.has_body() || !keep_alive_);
    }
    admitted_ = std::get<HttpEndpoint::Admitted>(*std::move(asked));
    charge_to(admitted_->peer);
    if (!head.has_body()) return;
    wait(shared_->limits.body_time);
    if (head.content_length)
        body_.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(*head.content_length, max_reserved)));
    if (!charge_body()) return;
    if (!head.expects_continue || head.http_1_0) return;
    out_ += "HTTP/1.1 100 Continue\r\n\r\n";
    pump();
}

void HttpConnection::charge_to(const HttpPeerPtr& peer) {
    if (peer_ == peer) return;
    peer_ = peer;
    in_charge_ = base::MemoryCharge(peer_->memory);
    out_charge_ = base::MemoryCharge(peer_->memory);
}

base::MemoryDecision HttpConnection::charge_input() { return in_charge_.cover(body_.capacity() + ahead_.capacity()); }

// Refuses the request when its body needs more memory than the peer may use. The rest of the body is not read, so the
// connection is closed.
bool HttpConnection::charge_body() {
    const auto verdict = charge_input();
    if (verdict == base::MemoryDecision::granted) return true;
    admitted_.reset();
    body_.give_back();
    respond_directly(web::memory_refusal(verdict, in_charge_), true);
    return false;
}

// Continues after on_head() had to wait, with the input that arrived meanwhile.
void HttpConnection::ask_again() {
    enter();
    if (phase_ != Phase::awaiting_admission) return;
    request_admission();
    if (is_closed() || phase_ == Phase::awaiting_admission) return;
    const std::string input = std::exchange(ahead_, {});
    consume(input);
    if (is_closed()) return;
    input_ended_ ? on_end_of_input() : read();
}

void HttpConnection::make_answer(web::Fields fields) {
    phase_ = Phase::answering;
    answer_ = std::make_shared<QueuedResponse>(
        QueuedResponse::Options{std::move(fields), keep_alive_ && !finishing_, !parser_.request().http_1_0,
                                shared_->limits.max_queued_output_bytes, shared_->output, wire_},
        weak_from_this(), out_.empty() ? std::move(out_) : std::string(),
        std::exchange(out_charge_, base::MemoryCharge(out_charge_.account())));
}

// Called from any thread. Does nothing inside dispatch(), which calls pump() itself. Without memory, check_time() does
// it later.
void HttpConnection::wake() noexcept {
    if (context_.get_executor().running_in_this_thread() && dispatching_) return;
    try {
        asio::post(context_, [self = shared_from_this()] { self->resume(); });
    } catch (...) {
        wake_lost_.store(true);
    }
}

// Handles the request now, or later if its peer has used much of the I/O threads.
void HttpConnection::take_turn() {
    if (!admitted_) return;  // already answered in request_admission()
    wait_for_nothing();
    if (!peer_ || !peer_->io_debt.is_large(shared_->clock())) return dispatch();
    phase_ = Phase::awaiting_turn;
    wait_for_turn();
}

void HttpConnection::wait_for_turn() {
    turns_.wait(peer_->io_debt, std::shared_ptr<HttpTurns::Waiter>(shared_from_this(), this));
}

void HttpConnection::on_turn() {
    enter();
    if (phase_ == Phase::awaiting_turn) {
        dispatch();
        if (is_closed()) return;
        return input_ended_ ? on_end_of_input() : read();
    }
    if (is_closed() || reading_ != Reading::at_its_turn) return;
    reading_ = Reading::no;
    phase_ == Phase::receiving ? read_body(static_cast<std::size_t>(parser_.body_left())) : read();
}

// Handles the request. A large one takes long to decode, so a worker does that, within the share of its peer.
void HttpConnection::dispatch() {
    const HttpPeerPtr peer = peer_;
    const TimePoint begin = shared_->clock();
    web::Fields fields = web::cors_fields(parser_.request());
    fields.insert(fields.end(), admitted_->fields.begin(), admitted_->fields.end());
    make_answer(std::move(fields));
    if (!body_.view().empty()) wire_.received(body_.view());
    if (body_.view().size() >= HttpEndpoint::least_large_body && shared_->post_large) return handle_elsewhere();
    dispatching_ = true;
    responder_ = shared_->endpoint->handle(*admitted_, parser_.request(), body_.view(), answer_);
    dispatching_ = false;
    forget_request();
    pump();
    if (peer) peer->io_debt.charge(begin, shared_->clock());
}

// In the phase `handling` this thread does not touch the request, its body and the answer: the worker uses them.
void HttpConnection::handle_elsewhere() {
    phase_ = Phase::handling;
    handling_ = std::make_shared<Handling>();
    auto work = [self = shared_from_this(), handling = handling_] {
        try {
            handling->responder = self->shared_->endpoint->handle(*self->admitted_, self->parser_.request(),
                                                                  self->body_.view(), self->answer_);
        } catch (const std::exception&) {  // memory is short
            handling->failed = true;
        }
        auto expected = Handling::State::running;
        if (handling->state.compare_exchange_strong(expected, Handling::State::done))
            return self->answer_->wake_taker();
        if (handling->responder) handling->responder->client_gone(*self->answer_);
    };
    try {
        shared_->post_large(peer_, std::move(work));
    } catch (const Exception& refused) {  // too many calls of the peer wait
        phase_ = Phase::answering;
        handling_.reset();
        web::Response response = web::try_later(429, refused.error());
        tell_refused(response);
        answer_->respond(std::move(response));
        forget_request();
        pump();
    }
}

void HttpConnection::on_handled() {
    const auto handled = std::exchange(handling_, {});
    responder_ = std::move(handled->responder);
    phase_ = Phase::answering;
    if (handled->failed) return close(end_by_limit(LimitName::none));
    forget_request();
    pump();
    if (is_closed()) return;
    input_ended_ ? on_end_of_input() : read();
}

void HttpConnection::forget_request() {
    admitted_.reset();
    body_.clear();
    if (body_.capacity() <= max_kept) return;
    body_.give_back();
    in_charge_.release();
}

void HttpConnection::tell_refused(const web::Response& response) const {
    shared_->endpoint->tell_refused(
        response, {.admitted = admitted_ ? &*admitted_ : nullptr, .network = network_, .bytes = body_.view().size()});
}

void HttpConnection::respond_directly(web::Response response, bool then_close) {
    tell_refused(response);
    if (then_close) keep_alive_ = false;
    make_answer({});
    dispatching_ = true;
    answer_->respond(std::move(response));
    dispatching_ = false;
    pump();
}

// ---- out

void HttpConnection::resume() {
    enter();
    if (is_closed()) return;
    if (answer_ && answer_->overflowed()) return close(end_by_limit(answer_->limit_hit()));
    if (phase_ != Phase::handling) return pump();
    if (handling_->state.load() == Handling::State::done) on_handled();
}

HttpSocket::Pieces HttpConnection::unsent() const {
    const std::size_t of_first = std::min(sent_, out_.size());
    return {std::string_view(out_).substr(of_first), std::string_view(out_body_).substr(sent_ - of_first)};
}

// Takes the next output of the response, after everything before was sent. Returns false when there is nothing to send.
bool HttpConnection::take_answer() {
    sent_ = 0;
    out_.clear();
    std::string().swap(out_body_);
    if (out_.capacity() > max_kept) std::string().swap(out_);
    out_charge_.keep_at_most(max_kept);
    if (!answer_ || phase_ == Phase::handling) return false;
    if (phase_ == Phase::flushing) return answered(), false;
    const auto state = answer_->take(out_, out_body_, out_charge_);
    if (state == QueuedResponse::State::overflow) return close(end_by_limit(answer_->limit_hit())), false;
    if (state == QueuedResponse::State::done) phase_ = Phase::flushing;
    if (!out_.empty()) return true;
    if (phase_ == Phase::flushing) answered();
    return false;
}

// Writes the available output. Takes the next piece when the previous one is written completely. Takes only one piece
// of a stream at a time: otherwise a handler that never stops writing would delay other connections of this thread. The
// queue calls wake() for the output that it got after the last take.
void HttpConnection::pump() {
    for (bool taken = false; !writing_ && !is_closed();) {
        if (sent_ == out_.size() + out_body_.size()) {
            if (taken && phase_ == Phase::answering) return;
            taken = true;
            if (!take_answer()) return;
        }
        error_code error;
        const auto written = socket_->try_write(unsent(), error);
        if (error) return close(connection_ends::client_left);
        sent_ += written.value_or(0);
        if (sent_ == out_.size() + out_body_.size()) continue;
        writing_ = true;
        if (answer_) wait(shared_->limits.write_time);  // without a response (100 Continue), body_time stays in force
        socket_->write(unsent(), [self = shared_from_this()](error_code failed, std::size_t n) {
            self->writing_ = false;
            if (!self->is_closed()) self->on_written(failed, n);
        });
    }
}

void HttpConnection::on_written(error_code error, std::size_t n) {
    enter();
    if (error) return close(connection_ends::client_left);
    sent_ += n;
    if (answer_) wait_for_nothing();
    pump();
}

void HttpConnection::answered() {
    phase_ = Phase::receiving;
    served_ = true;
    answer_.reset();
    responder_.reset();
    if (!keep_alive_ || finishing_) return input_ended_ ? close(connection_ends::last_response) : linger();
    wait(shared_->limits.connection_idle_time);
    if (consuming_) return;  // consume() continues with the rest of the input
    const std::string input = std::exchange(ahead_, {});
    consume(input);  // also when it is empty: the parser may still have to report the end of the last request
    if (input_ended_ && phase_ == Phase::receiving) return close(why_client_left());
    if (!is_closed()) read();
}

// Closing while the client still sends would reset the connection, and the client might lose the response. So this
// closes only the output and discards input for a while.
void HttpConnection::linger() {
    phase_ = Phase::lingering;
    socket_->end_output();
    wait(refusal_read_time);
    read();
}

}  // namespace tenon
