#include "web/client_conversation.hpp"

#include <tenon/auth/error.hpp>

#include "core/client/unreadable.hpp"
#include "protocol/authorisation_rules.hpp"
#include "web/client_response.hpp"

namespace tenon::web {
namespace {

constexpr std::size_t max_dropped_refusal_bytes = 64 * 1024;  // of a refusal before a sign-in; then the call is stopped

// `server/discover` names a revision, but the server may be older. `initialize` has no revision yet.
bool needs_metadata(const PendingRequest& p) {
    return p.method != "server/discover" && protocol::requires_resource_metadata(p.revision);
}

}  // namespace

using conversation::Actions;
using conversation::Cancel;
using conversation::ConnectionLost;
using conversation::Deliver;
using conversation::FailRequest;
using conversation::GetTokens;
using conversation::Log;
using conversation::SessionLost;
using conversation::SetTimer;
using conversation::Start;

ClientConversation::ClientConversation(Url server, ConversationOptions options)
    : server_(std::move(server)), options_(std::move(options)) {}

Actions ClientConversation::resume(conversation::Event event, TimePoint now) {
    now_ = now;
    if (!std::holds_alternative<conversation::Broken>(event)) current_.reset();
    std::visit([this](auto& e) { on(std::move(e)); }, event);
    arm_timer();
    return std::exchange(out_, {});
}

void ClientConversation::on(const conversation::Broken& broken) {
    const PendingPtr p = current_;
    if (!p || p->phase == Phase::over) return;
    current_.reset();
    if (p->kind == Kind::notice) return notice_over(p);
    if (p->waits_for_response()) emit(FailRequest{p->id, broken.why});
    // A stream without a request may have lost any message, for example a question of the server.
    if (p->kind != Kind::request) emit(ConnectionLost{broken.why});
    drop(p);
}

ClientConversation::PendingPtr ClientConversation::pending_of(CallId call) {
    const auto it = by_call_.find(call);
    return it == by_call_.end() ? nullptr : current_ = it->second;
}

// ---- the beginning and the end of a call

void ClientConversation::start(const PendingPtr& p, ClientRequest request) {
    p->call = ++last_call_;
    by_call_.emplace(p->call, p);
    p->request = std::move(request);
    p->tries = 0;
    send_call(*p);
}

void ClientConversation::send_call(PendingRequest& p) {
    p.phase = Phase::asking;
    const bool may_sign_in = options_.signs_in && ++p.tries < max_authorised_tries;
    const Urgency urgency = p.kind == Kind::request ? Urgency::normal : Urgency::urgent;
    emit(Start{p.call, may_sign_in ? p.request : std::move(p.request), urgency, may_sign_in, needs_metadata(p)});
}

void ClientConversation::end_call(PendingRequest& p) {
    by_call_.erase(p.call);
    p.call = 0;
}

// `p` is a copy: a reference into one of the containers would dangle.
void ClientConversation::drop(PendingPtr p) {
    if (p->phase == Phase::over) return;
    clear_timer(p);
    p->phase = Phase::over;
    p->weight.reset();
    if (p->call != 0) {
        emit(Cancel{p->call});
        end_call(*p);
    }
    if (p->kind == Kind::request) requests_.erase(p->id);
    if (p->kind == Kind::notice) --notices_;
    if (p == old_stream_) old_stream_.reset();
    if (p == old_initialize_) old_initialize_.reset();
    if (p != listener_) return;
    listener_.reset();
    listener_began();  // it never will
}

void ClientConversation::fail(const PendingPtr& p, const Error& why) {
    const bool waits = p->waits_for_response();
    drop(p);
    if (waits) emit(FailRequest{p->id, why});
}

// ---- events of a call

void ClientConversation::on(const conversation::Sent& sent) {
    const PendingPtr p = pending_of(sent.call);
    if (p && p == listener_) listener_began();
}

void ClientConversation::on(const conversation::Head& head) {
    const PendingPtr p = pending_of(head.call);
    if (!p) return;
    p->dropped_bytes = 0;
    if (head.sign_in_may_help) {
        p->phase = Phase::refused;
        return;
    }
    p->request = {};  // the request will not be sent again
    if (p->kind == Kind::notice) return notice_answered(*p, head.response.status);
    answered(p, head.response);
}

void ClientConversation::on(const conversation::Piece& piece) {
    const PendingPtr p = pending_of(piece.call);
    if (!p) return;
    switch (p->phase) {
        case Phase::stream:
        case Phase::ending: return feed(p, piece.bytes);
        case Phase::message:
        case Phase::explanation: return add_to_body(p, piece.bytes);
        default: return drop_bytes(p, piece.bytes);
    }
}

void ClientConversation::on(const conversation::End& end) {
    const PendingPtr p = pending_of(end.call);
    if (!p) return;
    if (p->phase == Phase::refused) return sign_in(*p);
    end_call(*p);
    ended(p);
}

void ClientConversation::on(const conversation::Failed& failed) {
    const PendingPtr p = pending_of(failed.call);
    if (!p) return;
    end_call(*p);
    if (p->kind == Kind::notice) {
        if (life_ == Life::open)
            emit(Log{LogLevel::warning, "a notification did not reach the server: " + failed.why.message});
        if (failed.why.code == code::not_authorised) p->status = 401;  // sending it again would not help
        return notice_over(p);
    }
    if (p->kind == Kind::request && !p->was_open) return fail(p, failed.why);
    stream_over(p, failed.why);
    if (p == listener_) listener_began();
}

void ClientConversation::on(const conversation::GotTokens& got) {
    const PendingPtr p = pending_of(got.call);
    if (p && p->phase == Phase::signing_in) send_call(*p);
}

// ---- the head of a response

void ClientConversation::notice_answered(PendingRequest& p, int status) {
    p.phase = Phase::ignoring;
    p.status = status;
    if (status >= 300 && life_ == Life::open)
        emit(Log{LogLevel::warning, "the server refused a notification: HTTP " + std::to_string(status)});
}

void ClientConversation::answered(const PendingPtr& p, const framing::HttpResponse& head) {
    p->weight.reset();
    p->status = head.status;
    p->www_authenticate = head.fields.only("www-authenticate").value_or("");
    p->body.clear();
    const BodyKind body = body_kind_of(head, true);
    const bool success = body != BodyKind::explanation;
    if (success && p->method == "initialize" && !old_endpoint_) keep_session(*p, head);
    if (success && p->kind == Kind::request && old_endpoint_) {
        p->phase = Phase::ignoring;  // the answer comes over the old stream
        return;
    }
    if (success && p->kind != Kind::request && body != BodyKind::stream) return stream_refused(p);
    read(p, body);
}

void ClientConversation::read(const PendingPtr& p, BodyKind body) {
    switch (body) {
        case BodyKind::message: p->phase = Phase::message; return;
        case BodyKind::explanation: p->phase = Phase::explanation; return;
        case BodyKind::stream: return open_stream(*p);
        case BodyKind::nothing:
            return fail(p, {code::invalid_answer, "the server accepted the request with HTTP " +
                                                      std::to_string(p->status) + ", and gave no answer"});
        case BodyKind::unintelligible:
            return fail(
                p, {code::invalid_answer, "the server's answer is neither application/json nor text/event-stream"});
    }
}

// ---- the body of a response

void ClientConversation::add_to_body(const PendingPtr& p, std::string_view bytes) {
    const bool message = p->phase == Phase::message;
    const std::size_t limit = message ? options_.max_message_bytes : options_.max_refusal_bytes;
    const std::size_t room = limit - p->body.size();
    if (message && bytes.size() > room) return fail(p, core::answer_too_long(limit));
    p->body += bytes.substr(0, room);
    if (bytes.size() > room) cut_off(p);
}

void ClientConversation::drop_bytes(const PendingPtr& p, std::string_view bytes) {
    p->dropped_bytes += bytes.size();
    if (p->phase != Phase::refused) {
        if (p->dropped_bytes > options_.max_refusal_bytes) cut_off(p);
    } else if (p->dropped_bytes > max_dropped_refusal_bytes) {
        sign_in(*p);
    }
}

// Treats a response that is too long as if it had ended.
void ClientConversation::cut_off(const PendingPtr& p) {
    emit(Cancel{p->call});
    end_call(*p);
    ended(p);
}

// ---- the end of a response

void ClientConversation::ended(const PendingPtr& p) {
    if (p->kind == Kind::notice) return notice_over(p);
    switch (p->phase) {
        case Phase::message: return on_message(p);
        case Phase::explanation: return p->kind == Kind::request && !p->was_open ? refused(p) : stream_refused(p);
        case Phase::stream:
            return stream_over(p, {code::connection_closed, "the server's stream ended before the answer"});
        default: return drop(p);
    }
}

// The body belongs to this request, so everything that is wrong with the body is an error of this request.
void ClientConversation::on_message(const PendingPtr& p) {
    std::string body = std::move(p->body);
    switch (relation_of(body, p->id)) {
        case Relation::response: drop(p); return emit(Deliver{std::move(body)});
        case Relation::unreadable: return fail(p, not_the_response(body));
        case Relation::other: break;
    }
    const Error why = not_the_response(body);
    emit(Deliver{std::move(body)});
    fail(p, why);
}

// The server refused a request, and signing in did not help.
void ClientConversation::refused(const PendingPtr& p) {
    const Error why = refusal_error(p->status, p->www_authenticate, p->body);
    if (p->status == 404 && !p->session.empty() && !p->stateless) {
        lose_session(p->session);
        drop(p);
        return emit(SessionLost{p->id});
    }
    if (p->method == "initialize" && options_.old_http_sse && !old_endpoint_ &&
        may_be_old_transport(p->status, jsonrpc_error(p->body)))
        return try_old_transport(p, why);
    fail(p, why);
}

void ClientConversation::sign_in(PendingRequest& p) {
    p.phase = Phase::signing_in;
    emit(GetTokens{p.call});
}

// ---- timers

void ClientConversation::set_timer(const PendingPtr& p, Duration wait) {
    clear_timer(p);
    p->due = later(now_, wait);
    timers_.emplace(*p->due, p);
}

void ClientConversation::clear_timer(const PendingPtr& p) {
    if (p->due) timers_.erase({*p->due, p});
    p->due.reset();
}

void ClientConversation::on(const conversation::TimerDue&) {
    armed_.reset();
    while (!timers_.empty() && timers_.begin()->first <= now_) {
        const PendingPtr p = timers_.begin()->second;
        clear_timer(p);
        on_due(p);
    }
}

void ClientConversation::on_due(const PendingPtr& p) {
    const bool waits = p->phase == Phase::waiting;
    if (p->kind == Kind::notice) return waits ? repeat_notice(p) : notice_over(p);
    waits ? resume_stream(p) : drop(p);
}

// A timer that is too early does no harm, so it is set again only for an earlier time.
void ClientConversation::arm_timer() {
    if (timers_.empty() || (armed_ && *armed_ <= timers_.begin()->first)) return;
    armed_ = timers_.begin()->first;
    emit(SetTimer{*armed_});
}

}  // namespace tenon::web
