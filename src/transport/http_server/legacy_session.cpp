#include "transport/http_server/legacy_session.hpp"

#include "transport/http_server/restarts.hpp"

namespace tenon {
namespace {

constexpr long long reconnect_ms = 1000;  // for clients whose stream ends with this node

// Returns the ids of the requests in a message, as a JSON array.
std::string request_ids(const jsonrpc::Incoming& in) {
    std::string out;
    json::Writer w(out);
    w.begin_array();
    for (const jsonrpc::Message& message : in.messages)
        if (const auto* request = std::get_if<jsonrpc::Request>(&message)) request->id.write(w);
    w.end_array();
    return out;
}

}  // namespace

void HttpEndpoint::LegacySession::deliver(core::Action&& action) {
    mark_busy();
    with_streams([&](web::Streams& streams) { pass_on(std::move(action), streams); });
    when_answered_();
}

void HttpEndpoint::LegacySession::pass_on(core::Action&& action, web::Streams& streams) {
    const bool one_stream = reached_ == Reached::by_one_stream;
    if (auto* send = std::get_if<core::Send>(&action)) {
        if (send->answers && send->error == 0 && !established_.load()) established_.store(true);
        if (shared_ && send_shared(*send)) return;
        if (one_stream) send->reply_to = 0, send->answers = false;
        const core::ReplyTo over = shared_ && send->answers ? send->reply_to : 0;
        streams.send(std::move(*send));
        if (over != 0) shared_->forget_call(over);
    } else if (const auto* finish = std::get_if<core::Finish>(&action)) {
        if (!one_stream) streams.finish(finish->reply_to);
        if (shared_) shared_->forget_call(finish->reply_to);
    } else if (const auto* poll = std::get_if<core::LetPoll>(&action)) {
        streams.let_poll(poll->reply_to, poll->retry.count());
    }
}

void HttpEndpoint::LegacySession::wait_for_reader(core::ReplyTo reply_to, base::LateStop& stop) {
    const web::Streams::Number number = reached_ == Reached::by_one_stream ? 0 : reply_to;
    const auto writer = with_streams([&](web::Streams& streams) { return streams.writer_of(number); });
    if (writer) writer->wait_for_reader(stop);
}

Result<void> HttpEndpoint::LegacySession::receive(jsonrpc::Incoming&& message, const WriterPtr& writer,
                                                  bool wants_answer, core::Origin origin) {
    const auto stream = with_streams([&](web::Streams& streams) { return streams.open(writer, wants_answer); });
    if (!stream) return stream.error();
    if (shared_) with_streams([&](web::Streams& streams) { streams.set_requests(*stream, request_ids(message)); });
    origin.reply_to = *stream;
    receive(std::move(message), std::move(origin));
    return {};
}

void HttpEndpoint::LegacySession::receive(jsonrpc::Incoming&& message, core::Origin origin) {
    const TimePoint now = session_->now();
    origin.caller = with_session_id(origin.caller, id_);
    touch(now);
    bool priming = false;
    try {
        session_->with_engine([&](core::ServerEngine& engine) {
            engine.receive(std::move(message), now, std::move(origin));
            priming = engine.peer_has(protocol::Trait::stream_polling);
        });
    } catch (...) {
        session_->break_off();
        throw;
    }
    mark_busy();
    if (priming && !primes_.load() && !primes_.exchange(true))
        with_streams([](web::Streams& streams) { streams.set_priming(true); });
}

void HttpEndpoint::LegacySession::client_gone(const web::ResponseWriter& writer) {
    if (reached_ == Reached::by_one_stream) {  // such a stream cannot be resumed
        if (const auto endpoint = endpoint_.lock()) endpoint->end(shared_from_this(), why_client_ended);
        return;
    }
    with_streams([&](web::Streams& streams) { streams.detach(&writer); });
    touch(session_->now());  // gives the client session_idle_time to reconnect
}

void HttpEndpoint::LegacySession::break_off() noexcept {
    with_streams([](web::Streams& streams) { streams.fail_all(); });
    try {
        mark_busy();  // so that the endpoint ends it
    } catch (...) {   // the endpoint ends it when a client uses it, or when it expires
    }
}

bool HttpEndpoint::LegacySession::tick(bool keep_alive) {
    marked_busy_.store(false);  // first, so that events during this function are not missed
    const TimePoint now = session_->now();
    bool runs = false, waits = false;
    session_->with_engine([&](core::ServerEngine& engine) {
        runs = !engine.idle();
        engine.tick(now);
        waits = engine.next_deadline().has_value();
    });
    if (runs) touch(now);  // the idle time starts after the response
    const bool followed = shared_ && tick_shared(now, keep_alive, runs);
    bool lacks_answers = false;
    const bool connected = with_streams([&](web::Streams& streams) {
        if (keep_alive) streams.keep_alive();
        lacks_answers = streams.store_again();
        return streams.attached() > 0;
    });
    if (lacks_answers) shared_->flush();
    return runs || waits || connected || followed || lacks_answers;
}

void HttpEndpoint::LegacySession::end(std::string_view why, LogLevel level, LimitName limit) {
    session_->server().lost(
        {.level = level, .what = "a session ended", .reason = why, .limit = limit, .principal = principal_});
    session_->leave();
    session_->with_engine([why](core::ServerEngine& engine) { engine.shut_down(why); });
    if (!shared_) session_->end_tasks();  // another node may go on with a shared session
    with_streams([](web::Streams& streams) { streams.end_all(); });
    if (shared_) shared_->close_all(reconnect_ms);
}

// ---- sessions that several nodes serve

// Returns whether the message needs no stream of this node.
bool HttpEndpoint::LegacySession::send_shared(core::Send& send) {
    if (send.question != 0) shared_->expect_answer(send.question);
    if (send.reply_to != 0) return false;
    shared_->tell_listener(std::move(send.message.json), send.everywhere);
    return true;
}

// A call in a batch is not stored: the batch has one answer, and its other calls may not be restartable.
void HttpEndpoint::LegacySession::store_call(const core::CallPtr& call, Reply<void> go) {
    const core::ReplyTo stream = call->reply_to;
    if (shared_->stored_call(stream)) return std::move(go).send({});  // it runs again
    std::string log_name;
    const bool alone = with_streams([&](web::Streams& streams) {
        log_name = streams.log_name(stream);
        return streams.requests_of(stream) == "[" + call->id.text() + "]";
    });
    if (!alone) return std::move(go).send({});
    const auto kept = std::make_shared<Reply<void>>(std::move(go));
    auto done = [weak = weak_from_this(), stream, kept](const std::optional<Error>& error) {
        const auto self = weak.lock();
        if (!self) return std::move(*kept).send(Error{code::server_error, "the session is over"});
        // A call that is too large for the store is run, but never again.
        if (error && store::is_unavailable(*error)) return std::move(*kept).send(*error);
        if (!error) self->with_streams([&](web::Streams& streams) { streams.prime(stream); });
        self->shared_->flush();
        std::move(*kept).send({});
    };
    shared_->store_call(stream, log_name, call->id, encode(stored_call(*call)), std::move(done));
}

void HttpEndpoint::LegacySession::run_again(jsonrpc::Incoming&& request, core::Origin origin) {
    receive(std::move(request), std::move(origin));
    shared_->flush();
}

void HttpEndpoint::LegacySession::stored(core::ReplyTo stream, const Result<store::EventId>& id) {
    const bool try_again = !id && store::is_unavailable(id.error());
    with_streams([&](web::Streams& streams) {
        if (try_again) return streams.keep_unstored(stream);
        streams.stored(stream, id ? std::optional(*id) : std::nullopt);
    });
    if (try_again) mark_busy();  // tick() tries it again
}

void HttpEndpoint::LegacySession::fence(core::ReplyTo stream) {
    const auto id = shared_->stored_call(stream);
    with_streams([&](web::Streams& streams) { streams.give_up(stream); });
    if (!id) return;
    shared_->forget_call(stream);
    shared_->flush();
    // Not here: the store may answer inside a function of the session that holds a lock.
    shared_->retry_later([weak = weak_from_this(), id = *id] {
        if (const auto self = weak.lock()) self->cancel(id);
    });
    mark_busy();
}

void HttpEndpoint::LegacySession::cancel(const jsonrpc::Id& id) {
    auto parsed = json::parse(id.text());
    if (!parsed) return;
    jsonrpc::Incoming in;
    in.messages.emplace_back(jsonrpc::Notification{"notifications/cancelled", {{"requestId", *std::move(parsed)}}});
    receive(std::move(in), core::Origin());
}

bool HttpEndpoint::LegacySession::tick_shared(TimePoint now, bool keep_alive, bool runs) {
    session_->look([this](const core::ServerEngine& engine) {
        shared_->forget_answered([&](std::int64_t question) { return engine.asks(question); });
    });
    const bool used = runs || now - last_used() < shared_->ttl() / 5;
    shared_->tick(now, keep_alive, used, [weak = weak_from_this()] {
        const auto self = weak.lock();
        const auto endpoint = self ? self->endpoint_.lock() : nullptr;
        if (!endpoint) return;
        endpoint->end(self, "the session ended on another node");
        endpoint->end_tasks_of(self->id());
    });
    return shared_->followers() > 0 || shared_->has_retries();
}

}  // namespace tenon
