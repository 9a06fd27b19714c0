#include "transport/http_server/stateless_request.hpp"

#include "framing/sse.hpp"

namespace tenon {

namespace {

core::ReplyTo origin_of(const core::Action& action) {
    if (const auto* send = std::get_if<core::Send>(&action)) return send->reply_to;
    const auto* finish = std::get_if<core::Finish>(&action);
    return finish ? finish->reply_to : 0;  // LetPoll has no effect: without a session the client cannot reconnect
}

}  // namespace

bool HttpEndpoint::StatelessRequest::serve(From from, jsonrpc::Incoming&& message, core::Origin origin) {
    const core::MemoryAccountPtr account = from.peer ? from.peer->memory : nullptr;
    origin.caller = with_session_id(origin.caller, "");
    const Number number = origin.reply_to = begin(std::move(from));
    try {
        if (endless()) session_->join();
        session_->with_engine([&](core::ServerEngine& engine) {
            engine.charge_to(account);
            engine.receive(std::move(message), session_->now(), std::move(origin));
        });
    } catch (...) {
        session_->break_off();  // its connection is closed; tick() ends the request
        throw;
    }
    return ended_.load() < number;
}

HttpEndpoint::StatelessRequest::Number HttpEndpoint::StatelessRequest::begin(From from) {
    const std::lock_guard lock(mutex_);
    reply_ = web::ReplyStream(std::move(from.writer));
    std::swap(peer_, from.peer);  // the parameter now holds the previous peer, which is released after the lock
    slot_ = std::move(from.slot);
    endless_.store(from.endless);
    return ++number_;
}

HttpPeerPtr HttpEndpoint::StatelessRequest::peer() const {
    const std::lock_guard lock(mutex_);
    return peer_;
}

void HttpEndpoint::StatelessRequest::deliver(core::Action&& action) {
    bool again = false, joined = false;
    {
        const std::lock_guard lock(mutex_);
        // Drops output of a handler that continues after the end of its request: it does not belong to the next
        // request.
        if (!reply_.connected() || origin_of(action) != number_) return;
        if (auto* send = std::get_if<core::Send>(&action)) {
            this->send(std::move(*send));
        } else {
            finish();
        }
        if (reply_.connected()) return;
        slot_ = PeerSlot();
        ended_.store(number_);
        joined = endless();
        again = !stopped_ && !joined;
    }
    if (joined) session_->leave();
    if (const auto endpoint = endpoint_.lock()) endpoint->forget(*this, again);
}

void HttpEndpoint::StatelessRequest::wait_for_reader(core::ReplyTo reply_to, base::LateStop& stop) {
    WriterPtr writer;
    {
        const std::lock_guard lock(mutex_);
        if (reply_to == number_) writer = reply_.writer();
    }
    if (writer) writer->wait_for_reader(stop);
}

void HttpEndpoint::StatelessRequest::send(core::Send&& message) {
    if (reply_.form_of(message) == web::MessageForm::json) {
        web::Fields fields = web::fields_of(message);
        return reply_.respond(
            web::json_response(web::status_of(message, true), std::move(message.message.json), std::move(fields)));
    }
    begin_stream();
    std::string event;
    framing::append_sse(event, {.data = message.message.json});
    reply_.write(std::move(event));
    if (message.answers) reply_.end();
}

void HttpEndpoint::StatelessRequest::begin_stream() {
    if (reply_.can_be_json()) reply_.begin({});
}

void HttpEndpoint::StatelessRequest::finish() {
    begin_stream();
    reply_.end();
}

void HttpEndpoint::StatelessRequest::keep_alive() {
    const std::lock_guard lock(mutex_);
    if (reply_.is_silent_too_long()) begin_stream();
    reply_.write_comment();
}

void HttpEndpoint::StatelessRequest::probe(const web::ResponseWriter& writer) {
    const std::lock_guard lock(mutex_);
    if (!reply_.has(&writer)) return;  // that request is over, and another may run
    begin_stream();
    reply_.write_comment();
}

void HttpEndpoint::StatelessRequest::break_off() noexcept {
    WriterPtr writer;
    {
        const std::lock_guard lock(mutex_);
        writer = reply_.writer();
    }
    if (writer) writer->fail();
}

void HttpEndpoint::StatelessRequest::give_up() {
    session_->with_engine([](core::ServerEngine& engine) { engine.shut_down("memory is short"); });
    WriterPtr writer;
    {
        const std::lock_guard lock(mutex_);
        if (!reply_.connected()) return;
        writer = reply_.writer();
        reply_.detach();
        slot_ = PeerSlot();
        ended_.store(number_);
    }
    writer->fail();
    if (endless()) session_->leave();
    if (const auto endpoint = endpoint_.lock()) endpoint->forget(*this, false);
}

void HttpEndpoint::StatelessRequest::tick() {
    if (session_->broken()) return give_up();
    session_->with_engine([now = session_->now()](core::ServerEngine& engine) { engine.tick(now); });
}

void HttpEndpoint::StatelessRequest::stop(std::string_view why, const web::ResponseWriter* only) {
    {
        const std::lock_guard lock(mutex_);
        if (only && !reply_.has(only)) return;  // that request is over, and another may run
        stopped_ = true;
    }
    try {
        session_->with_engine([why](core::ServerEngine& engine) { engine.shut_down(why); });
    } catch (...) {
        session_->break_off();  // tick() repeats it
    }
}

}  // namespace tenon
