// Streams that break and are resumed, the stream of a session, and the transport of 2024-11-05.
#include <algorithm>

#include <tenon/auth/error.hpp>

#include "core/client/unreadable.hpp"
#include "web/client_conversation.hpp"
#include "web/client_response.hpp"

namespace tenon::web {
namespace {

constexpr std::size_t event_overhead = 64;                     // bytes of an event besides its message: the field names
constexpr Duration stream_end_time = std::chrono::seconds(1);  // for a server to end a stream after the response

}  // namespace

using conversation::ConnectionLost;
using conversation::Deliver;
using conversation::Log;
using conversation::SessionLost;

// ---- events

void ClientConversation::open_stream(PendingRequest& p) {
    p.phase = Phase::stream;
    p.was_open = true;
    p.events.emplace(
        framing::SseReader::Limits{options_.max_message_bytes + event_overhead, options_.max_event_id_bytes});
}

void ClientConversation::feed(const PendingPtr& p, std::string_view bytes) {
    const bool fits = p->events->feed(bytes, [&](framing::SseReader::Event event) {
        if (p->phase != Phase::over) on_event(p, std::move(event));
    });
    if (p->phase == Phase::over) return;
    if (!p->events->last_event_id().empty()) p->last_event_id = p->events->last_event_id();
    if (const auto ms = p->events->retry_ms())
        p->reconnect.retry(std::min<Duration>(std::chrono::milliseconds(*ms), options_.max_retry_time));
    if (!fits) event_too_long(p);
}

void ClientConversation::event_too_long(const PendingPtr& p) {
    const Error why = core::answer_too_long(options_.max_message_bytes);
    if (p->kind == Kind::listener)
        emit(Log{LogLevel::error, "the stream for server messages was lost: " + why.message});
    fail(p, why);
    if (p->kind == Kind::old_stream) emit(ConnectionLost{why});
}

void ClientConversation::on_event(const PendingPtr& p, framing::SseReader::Event event) {
    p->reconnect.event();
    if (p->kind == Kind::old_stream && event.type == "endpoint") return on_endpoint(event.data);
    if (event.type != "message" || event.data.empty()) return;
    const Relation relation = p->waits_for_response() ? relation_of(event.data, p->id) : Relation::other;
    if (relation == Relation::unreadable) return fail(p, not_the_response(event.data));
    emit(Deliver{std::move(event.data)});  // first: when it throws, the request still waits, and fails
    if (relation == Relation::response) response_came(p);
}

// The server should end the stream now. If it does not, the timer closes the stream.
void ClientConversation::response_came(const PendingPtr& p) {
    p->phase = Phase::ending;
    set_timer(p, stream_end_time);
}

// ---- the end of a stream

void ClientConversation::stream_over(const PendingPtr& p, const Error& why) {
    if (p->phase == Phase::ending) return drop(p);
    if (p->kind == Kind::old_stream) {
        if (!old_endpoint_) return no_old_transport();
        drop(p);
        return emit(ConnectionLost{why});
    }
    const bool resumable =
        why.code != code::not_authorised && (p->kind == Kind::listener || (!p->stateless && !p->last_event_id.empty()));
    resumable ? resume_later(p, why) : fail(p, why);
}

void ClientConversation::resume_later(const PendingPtr& p, const Error& why) {
    p->events.reset();
    if (const auto wait = p->reconnect.next()) {
        p->phase = Phase::waiting;
        return set_timer(p, *wait);
    }
    if (p->kind == Kind::listener)
        emit(Log{LogLevel::warning, "the stream for server messages was lost: " + why.message});
    fail(p, why);
}

void ClientConversation::resume_stream(const PendingPtr& p) {
    start(p, get_stream(server_, context_of(*p), p->last_event_id));
}

// Handles a response to GET that is not a stream.
void ClientConversation::stream_refused(const PendingPtr& p) {
    if (p->kind == Kind::old_stream) return no_old_transport();
    const Error why = refusal_error(p->status, p->www_authenticate, p->body);
    if (p->status >= 500) return resume_later(p, why);
    if (p->status == 404 && !p->session.empty() && p->was_open) return session_gone(p);
    if (p->kind == Kind::listener && p->status != 405)
        emit(Log{LogLevel::info, "the stream for server messages is not available: " + why.message});
    fail(p, why);
}

void ClientConversation::session_gone(const PendingPtr& p) {
    const bool is_current = p->session == session_;
    lose_session(p->session);
    fail(p, {code::connection_closed, "the server has ended the session"});
    if (is_current) emit(SessionLost{0});
}

// ---- the stream of a session

void ClientConversation::listen() {
    const auto p = std::make_shared<PendingRequest>(Kind::listener, options_.reconnect);
    p->session = session_;
    p->revision = revision_;
    listener_ = p;
    hold_ = Hold::listener;
    resume_stream(p);
}

// The GET was sent, or there will be none.
void ClientConversation::listener_began() {
    if (hold_ == Hold::listener) release();
}

void ClientConversation::stop_listening() {
    if (listener_) drop(listener_);
}

// ---- the transport of 2024-11-05

// All messages of the server come over one stream. Its first event names the URL to which the client posts.
void ClientConversation::try_old_transport(const PendingPtr& initialize, Error why) {
    initialize->phase = Phase::parked;
    old_initialize_ = initialize;
    no_streamable_ = std::move(why);
    if (old_stream_) drop(old_stream_);  // of an earlier `initialize`, which was cancelled
    old_stream_ = std::make_shared<PendingRequest>(Kind::old_stream, options_.reconnect);
    resume_stream(old_stream_);
}

void ClientConversation::no_old_transport() {
    drop(old_stream_);
    if (const PendingPtr initialize = old_initialize_) fail(initialize, no_streamable_);
}

void ClientConversation::on_endpoint(std::string_view reference) {
    if (old_endpoint_) return;
    const auto url = resolve_reference(server_, reference);
    const PendingPtr initialize = std::exchange(old_initialize_, {});
    if (!url || !same_origin(*url, server_)) {
        drop(old_stream_);
        if (initialize)
            fail(initialize,
                 {code::connection_closed, "the server names an endpoint of another origin, which is not used"});
        return;
    }
    old_endpoint_ = *url;
    emit(Log{LogLevel::info, "the server uses the transport of 2024-11-05"});
    if (!initialize) return;
    OutgoingMessage again = initialize_;
    start(initialize, post_message(*old_endpoint_, context_of(*initialize), again));
}

}  // namespace tenon::web
