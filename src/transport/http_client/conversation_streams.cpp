// Streams that break and are resumed, the stream of a session, and the transport of 2024-11-05.
#include <algorithm>

#include "core/client/unreadable.hpp"
#include "transport/http_client/conversation.hpp"

namespace tenon {
namespace {

constexpr Duration stream_end_time = std::chrono::seconds(1);  // for a server to end a stream after the response

web::ReconnectPolicy policy_of(const HttpClientOptions& o) {
    return {o.reconnect_time, o.max_reconnect_time, o.max_reconnects};
}

}  // namespace

// ---- events

void HttpConversation::feed(const PendingPtr& e, std::string_view bytes) {
    const bool fits = e->events->feed(bytes, [&](const framing::SseReader::Event& event) {
        if (e->call) on_event(e, event);
    });
    if (!e->call) return;
    if (!e->events->last_event_id().empty()) e->last_event_id = e->events->last_event_id();
    if (const auto ms = e->events->retry_ms())
        e->reconnect.retry(std::min<Duration>(std::chrono::milliseconds(*ms), options_.max_retry_time));
    if (fits) return;
    const Error why = core::answer_too_long(bounds_.max_message_bytes);
    if (e->kind == PendingRequest::Kind::listener)
        events_.note(LogLevel::error, "the stream for server messages was lost: " + why.message);
    if (e->kind == PendingRequest::Kind::old_stream) {
        drop(e);
        return events_.closed(why);
    }
    fail(e, why);
}

void HttpConversation::on_event(const PendingPtr& e, const framing::SseReader::Event& event) {
    e->reconnect.event();
    if (e->kind == PendingRequest::Kind::old_stream && event.type == "endpoint") return on_endpoint(event.data);
    if (event.type != "message" || event.data.empty()) return;
    if (e->kind == PendingRequest::Kind::request && !e->answered) {
        switch (web::what_is_said(event.data, e->id)) {
            case web::Said::answer: answer_came(e); break;
            case web::Said::something_else: break;
            case web::Said::nothing: return fail(e, web::not_the_answer(event.data));
        }
    }
    events_.message(event.data);
}

// The server should end the stream now. If it does not, the timer closes the stream.
void HttpConversation::answer_came(const PendingPtr& e) {
    e->answered = true;
    e->timer.expires_after(stream_end_time);
    e->timer.async_wait([this, weak = std::weak_ptr(e)](error_code error) {
        const auto self = weak.lock();
        if (!error && self) drop(self);
    });
}

// ---- the end of a stream

void HttpConversation::stream_over(const PendingPtr& e, const Error& why) {
    if (e->answered || closing_) return drop(e);
    if (e->kind == PendingRequest::Kind::old_stream) {
        const bool used = old_endpoint_.has_value();
        drop(e);
        return used ? events_.closed(why) : no_old_transport();
    }
    const bool resumable = why.code != code::not_authorised &&
                           (e->kind == PendingRequest::Kind::listener || (!e->stateless && !e->last_event_id.empty()));
    if (!resumable) return fail(e, why);
    resume_later(e, why);
}

void HttpConversation::resume_later(const PendingPtr& e, const Error& why) {
    e->call.reset();
    e->events.reset();
    const auto wait = e->reconnect.next();
    if (!wait) {
        if (e->kind == PendingRequest::Kind::listener)
            events_.note(LogLevel::warning, "the stream for server messages was lost: " + why.message);
        return fail(e, why);
    }
    e->timer.expires_after(*wait);
    e->timer.async_wait([this, weak = std::weak_ptr(e)](error_code error) {
        const auto self = weak.lock();
        if (!error && self && !self->answered) resume(self);
    });
}

void HttpConversation::resume(const PendingPtr& e) {
    e->call =
        gate_.start(web::get_stream(route_->origin, context_of(*e), e->last_event_id), events_of(e),
                    e->kind == PendingRequest::Kind::request ? HttpCalls::Urgency::call : HttpCalls::Urgency::aside);
}

// Handles a response to GET that is not a stream.
void HttpConversation::stream_refused(const PendingPtr& e) {
    if (e->kind == PendingRequest::Kind::old_stream) {
        drop(e);
        return no_old_transport();
    }
    const Error why = web::refusal_error(e->status, e->www_authenticate, e->body);
    if (e->status >= 500) return resume_later(e, why);
    const bool gone = e->status == 404 && !e->session.empty() && e->was_open;
    if (gone) {
        const bool news = e->session == session_;
        lose_session(e);
        fail(e, {code::connection_closed, "the server has ended the session"});
        if (news) events_.session_lost(0);
        return;
    }
    if (e->kind == PendingRequest::Kind::listener && e->status != 405)
        events_.note(LogLevel::info, "the stream for server messages is not available: " + why.message);
    fail(e, why);
}

// ---- the stream of a session

void HttpConversation::listen() {
    const auto e = std::make_shared<PendingRequest>(PendingRequest::Kind::listener, *context_, policy_of(options_));
    e->session = session_;
    e->revision = revision_;
    listener_ = e;
    auto events = events_of(e);
    const auto once = std::make_shared<bool>(false);
    const auto begun = [this, once] {
        if (!std::exchange(*once, true)) release();
    };
    events.sent = begun;
    events.failed = [begun, failed = events.failed](const Error& why) {
        failed(why);
        begun();
    };
    e->call =
        gate_.start(web::get_stream(route_->origin, context_of(*e), {}), std::move(events), HttpCalls::Urgency::aside);
}

void HttpConversation::stop_listening() {
    if (listener_) drop(listener_);
}

// ---- the transport of 2024-11-05

// All messages of the server come over one stream. Its first event names the URL to which the client posts.
void HttpConversation::try_old_transport(const PendingPtr& initialize, Error why) {
    initialize->call.reset();
    old_initialize_ = initialize;
    no_streamable_ = std::move(why);
    const auto e = std::make_shared<PendingRequest>(PendingRequest::Kind::old_stream, *context_, policy_of(options_));
    old_stream_ = e;
    e->call = gate_.start(web::get_stream(route_->origin, context_of(*e), {}), events_of(e), HttpCalls::Urgency::aside);
}

void HttpConversation::no_old_transport() {
    if (const auto e = std::exchange(old_initialize_, {})) fail(e, no_streamable_);
}

void HttpConversation::on_endpoint(std::string_view reference) {
    if (old_endpoint_) return;
    const auto url = web::resolve_reference(route_->origin, reference);
    const auto e = std::exchange(old_initialize_, {});
    if (!url || !web::same_origin(*url, route_->origin)) {
        drop(old_stream_);
        if (e) fail(e, {code::connection_closed, "the server names an endpoint of another origin, which is not used"});
        return;
    }
    old_endpoint_ = *url;
    events_.note(LogLevel::info, "the server uses the transport of 2024-11-05");
    if (!e) return;
    OutgoingMessage again = initialize_;
    e->call = gate_.start(web::post_message(*old_endpoint_, context_of(*e), again), events_of(e));
}

}  // namespace tenon
