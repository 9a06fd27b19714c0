#include "transport/http_lone_request.hpp"

#include "framing/sse.hpp"

namespace tenon {

void HttpEndpoint::LoneRequest::deliver(core::Action action) {
    std::shared_ptr<Session::Impl> ended;
    {
        const std::lock_guard lock(mutex_);
        if (!exchange_) return;
        if (auto* send = std::get_if<core::Send>(&action)) {
            say(std::move(*send));
        } else if (std::holds_alternative<core::Finish>(action)) {
            finish();
        }  // it cannot be polled: its connection is all it has
        if (!exchange_) ended = std::move(session_);
    }
    if (!ended) return;
    ended->leave();
    if (const auto endpoint = endpoint_.lock()) endpoint->forget(this);
}

void HttpEndpoint::LoneRequest::say(core::Send message) {
    if (message.answers && !begun_) {
        exchange_->respond(web::json_response(web::status_of(message, true), std::move(message.message.json)));
        exchange_.reset();
        return;
    }
    if (!begun_) exchange_->begin_stream({});
    begun_ = true;
    std::string event;
    framing::append_sse(event, {.data = message.message.json});
    exchange_->write(std::move(event));
    if (message.answers) finish();
}

void HttpEndpoint::LoneRequest::finish() {
    if (!begun_) exchange_->begin_stream({});
    exchange_->end();
    exchange_.reset();
}

bool HttpEndpoint::LoneRequest::over() const {
    const std::lock_guard lock(mutex_);
    return !exchange_;
}

void HttpEndpoint::LoneRequest::keep_alive() {
    const std::lock_guard lock(mutex_);
    if (!exchange_) return;
    if (!begun_ && ++silent_rounds_ > 1) {  // whoever is between may think that nothing will come
        exchange_->begin_stream({});
        begun_ = true;
    }
    if (!begun_) return;
    std::string comment;
    framing::append_sse_comment(comment);
    exchange_->write(std::move(comment));
}

std::shared_ptr<Session::Impl> HttpEndpoint::LoneRequest::session() const {
    const std::lock_guard lock(mutex_);
    return session_;
}

void HttpEndpoint::LoneRequest::tick() {
    if (const auto s = session()) s->with_engine([now = s->now()](core::ServerEngine& engine) { engine.tick(now); });
}

void HttpEndpoint::LoneRequest::stop(std::string_view why) {
    if (const auto s = session()) s->with_engine([why](core::ServerEngine& engine) { engine.shut_down(why); });
}

}  // namespace tenon
