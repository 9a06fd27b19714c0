#include "transport/http_server/legacy_session.hpp"

#include "io/last_resort.hpp"

namespace tenon {

void HttpEndpoint::LegacySession::deliver(core::Action&& action) {
    mark_busy();
    with_streams([&](web::Streams& streams) { pass_on(std::move(action), streams); });
    when_answered_();
}

void HttpEndpoint::LegacySession::pass_on(core::Action&& action, web::Streams& streams) {
    const bool one_stream = reached_ == Reached::by_one_stream;
    if (auto* send = std::get_if<core::Send>(&action)) {
        if (send->answers && send->error == 0 && !established_.load()) established_.store(true);
        if (one_stream) send->reply_to = 0, send->answers = false;
        streams.send(std::move(*send));
    } else if (const auto* finish = std::get_if<core::Finish>(&action)) {
        if (!one_stream) streams.finish(finish->reply_to);
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
    tell("a client closed a connection before its response was complete; it may reconnect");
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
    const bool connected = with_streams([&](web::Streams& streams) {
        if (keep_alive) streams.keep_alive();
        return streams.attached() > 0;
    });
    return runs || waits || connected;
}

// Writes to the log. Never throws: the end of a session must not depend on it.
void HttpEndpoint::LegacySession::tell(std::string_view text) const noexcept {
    io::survives(
        [&] {
            session_->server().note(LogLevel::info, text, {{"principal", principal_}});
        },
        [](const char*) {});
}

void HttpEndpoint::LegacySession::end(std::string_view why) {
    io::survives([&] { tell("a session ended: " + std::string(why)); }, [](const char*) {});
    session_->leave();
    session_->with_engine([why](core::ServerEngine& engine) { engine.shut_down(why); });
    session_->end_tasks();
    with_streams([](web::Streams& streams) { streams.end_all(); });
}

}  // namespace tenon
