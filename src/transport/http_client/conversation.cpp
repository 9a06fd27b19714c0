#include "transport/http_client/conversation.hpp"

#include <algorithm>

#include "core/client/unreadable.hpp"
#include "io/last_resort.hpp"

namespace tenon {
namespace {

using Kind = OutgoingMessage::Kind;
using web::Reading;

constexpr Duration aside_time = std::chrono::seconds(30);  // timeout of a POST that carries no request
constexpr std::size_t event_room = 64;                     // bytes of an event besides its message: the field names
constexpr std::string_view listening = "subscriptions/listen";

bool is_session_id(std::string_view id, std::size_t most) {
    return !id.empty() && id.size() <= most && std::ranges::all_of(id, [](char c) { return c >= 0x21 && c <= 0x7e; });
}

}  // namespace

HttpConversation::HttpConversation(std::shared_ptr<asio::io_context> context, std::shared_ptr<const HttpRoute> route,
                                   const HttpClientOptions& options, const ClientTransport::Events& events,
                                   ClientTransport::Bounds bounds, std::unique_ptr<HttpSignIn> sign_in)
    : context_(std::move(context)),
      route_(std::move(route)),
      options_(options),
      events_(events),
      bounds_(bounds),
      calls_(context_, route_, {options.max_connections, options.max_redirects, options.idle_time}),
      gate_(calls_, std::move(sign_in)) {}

// ---- out

void HttpConversation::send(QueuedMessage m) {
    if (closing_) return;
    if (m.message.kind == Kind::cancellation) return cancel(std::move(m));
    if (holding_) return held_.push_back(std::move(m));
    dispatch(std::move(m));
}

void HttpConversation::dispatch(QueuedMessage m) {
    if (m.message.kind == Kind::request) return post_request(std::move(m));
    if (lost_ && !m.message.stateless) return;  // its session has ended
    if (!m.message.stateless) revision_ = m.message.revision;
    std::function<void()> then;
    if (m.message.method == "notifications/initialized") {
        hold();
        then = [this] { begin_session(); };
    }
    const web::Url& to = old_endpoint_ ? *old_endpoint_ : route_->origin;
    post_aside(
        web::post_message(to, {options_.headers, m.message.stateless ? "" : session_, m.message.revision}, m.message),
        std::move(m.weight), std::move(then));
}

void HttpConversation::post_request(QueuedMessage m) {
    const bool initializes = m.message.method == "initialize";
    if (initializes) {
        session_.clear();
        revision_.clear();
        lost_ = false;
        stop_listening();
        initialize_ = m.message;
    }
    if (lost_ && !m.message.stateless) return events_.session_lost(m.message.id);
    if (m.message.method == listening && !has_room_to_listen())
        return events_.failed(m.message.id, {code::server_error,
                                             "too many streams at once: they need a connection each, and "
                                             "HttpClientOptions::max_connections is " +
                                                 std::to_string(options_.max_connections)});
    const auto e = std::make_shared<PendingRequest>(
        PendingRequest::Kind::request, *context_,
        web::ReconnectPolicy{options_.reconnect_time, options_.max_reconnect_time, options_.max_reconnects});
    e->id = m.message.id;
    e->method = m.message.method;
    e->stateless = m.message.stateless;
    e->revision = m.message.revision;
    if (!e->stateless) e->session = session_, revision_ = e->revision;
    e->weight = std::move(m.weight);
    requests_[e->id] = e;
    const web::Url& to = old_endpoint_ ? *old_endpoint_ : route_->origin;
    e->call = gate_.start(web::post_message(to, context_of(*e), m.message), events_of(e));
}

// Keeps one connection free for calls. Without it, calls would wait for ever.
bool HttpConversation::has_room_to_listen() const {
    const auto open = std::ranges::count_if(requests_, [](const auto& r) { return r.second->method == listening; });
    return static_cast<std::size_t>(open) + 1 < options_.max_connections;
}

// The server needs no notice of a request that was not sent yet. Without a session, closing the stream cancels.
void HttpConversation::cancel(QueuedMessage m) {
    const auto of_it = [&](const QueuedMessage& held) {
        return held.message.kind == Kind::request && held.message.id == m.message.id;
    };
    if (std::erase_if(held_, of_it) > 0) return;
    const auto it = requests_.find(m.message.id);
    if (it == requests_.end() && !old_endpoint_) return;
    const PendingPtr e = it == requests_.end() ? nullptr : it->second;
    const bool tell = !m.message.stateless && !lost_ && (!e || e->session == session_);
    if (e) drop(e);
    if (!tell) return;
    holding_ ? held_.push_back(std::move(m)) : dispatch(std::move(m));
}

// Posts a message that is not a request. Calls `done` when the HTTP response has come, or failed to come in time.
void HttpConversation::post_aside(web::ClientRequest request, std::shared_ptr<void> weight,
                                  std::function<void()> done) {
    const auto notice = std::make_shared<Notice>(*context_);
    notice->weight = std::move(weight);
    notice->done = std::move(done);
    notices_.insert(notice);
    const auto over = [this, weak = std::weak_ptr(notice)] {
        const auto n = weak.lock();
        if (!n || notices_.erase(n) == 0) return;
        n->timer.cancel();
        n->call->abort();
        if (n->done) n->done();
        when_quiet();
    };
    const auto said = std::make_shared<std::size_t>(0);
    HttpCall::Events events;
    events.head = [this](const framing::HttpResponse& head) {
        if (head.status >= 300 && !closing_)
            events_.note(LogLevel::warning, "the server refused a notification: HTTP " + std::to_string(head.status));
    };
    events.piece = [said, over, most = options_.max_refusal_bytes](std::string_view bytes) {
        if ((*said += bytes.size()) > most) over();
    };
    events.end = over;
    events.failed = [this, over](const Error& why) {
        if (!closing_) events_.note(LogLevel::warning, "a notification did not reach the server: " + why.message);
        over();
    };
    notice->call = gate_.start(std::move(request), std::move(events), HttpCalls::Urgency::aside);
    notice->timer.expires_after(aside_time);
    notice->timer.async_wait([over](error_code error) {
        if (!error) over();
    });
}

// ---- the beginning and the end of a session

// Holds further messages back: the server would refuse a request that arrives before `initialized`.
void HttpConversation::hold() {
    holding_ = true;
    if (const auto probe =
            std::ranges::find_if(requests_, [](const auto& r) { return r.second->method == "server/discover"; });
        probe != requests_.end())
        drop(probe->second);  // its response can no longer change anything
}

void HttpConversation::begin_session() {
    if (closing_) return;
    if (lost_ || old_endpoint_) return release();
    listen();  // calls release() once its request was sent: the stream must be open before the first call
}

void HttpConversation::release() {
    holding_ = false;
    while (!holding_ && !held_.empty() && !closing_) {
        QueuedMessage m = std::move(held_.front());
        held_.pop_front();
        dispatch(std::move(m));
    }
}

void HttpConversation::keep_session(const PendingPtr& e, const framing::HttpResponse& head) {
    const auto id = head.fields.only("mcp-session-id");
    if (!id) return;
    if (!is_session_id(*id, options_.max_session_id_bytes)) {
        events_.note(LogLevel::warning,
                     "the server gave a session id that the protocol does not allow, or that is longer than "
                     "HttpClientOptions::max_session_id_bytes; it is not used");
        return;
    }
    e->session = session_ = *id;
}

// Only for the current session. Earlier sessions are already known to be lost.
void HttpConversation::lose_session(const PendingPtr& e) {
    if (e->session != session_) return;
    session_.clear();
    lost_ = true;
    stop_listening();
}

void HttpConversation::finish(std::function<void()> done) {
    closing_ = true;
    gate_.finish();
    finished_ = std::move(done);
    held_.clear();
    stop_listening();
    for (const auto& [id, e] : std::map(requests_)) drop(e);
    if (old_stream_) drop(old_stream_);
    when_quiet();
}

void HttpConversation::when_quiet() {
    if (!finished_ || !notices_.empty()) return;
    if (session_.empty() || old_endpoint_) return std::exchange(finished_, {})();
    auto bye = web::delete_session(route_->origin, {options_.headers, std::exchange(session_, {}), revision_});
    post_aside(std::move(bye), {}, {});
}

void HttpConversation::close() {
    closing_ = true;
    gate_.finish();
    finished_ = {};
    for (const auto& [id, e] : std::map(requests_)) drop(e);
    for (const auto& n : notices_) n->timer.cancel();
    notices_.clear();
    stop_listening();
    if (old_stream_) drop(old_stream_);
    calls_.close();
}

// ---- in

HttpCall::Events HttpConversation::events_of(const PendingPtr& e) {
    HttpCall::Events out;
    const std::weak_ptr weak = e;  // weak: `e` owns the call, and the call owns these events
    // An exception here, for example because memory is short, fails only this request.
    const auto with = [this, weak](auto what) {
        const auto pending = weak.lock();
        if (!pending) return;
        io::survives([&] { what(pending); },
                     [&](const char* why) {
                         fail(pending, {code::internal_error, std::string("cannot read the server's answer: ") + why});
                     });
    };
    out.head = [this, with](const framing::HttpResponse& head) {
        with([&](const PendingPtr& x) { on_head(x, head); });
    };
    out.piece = [this, with](std::string_view bytes) { with([&](const PendingPtr& x) { on_piece(x, bytes); }); };
    out.end = [this, with] { with([&](const PendingPtr& x) { on_end(x); }); };
    out.failed = [this, with](const Error& why) { with([&](const PendingPtr& x) { on_failed(x, why); }); };
    return out;
}

void HttpConversation::drop(const PendingPtr& e) {
    e->timer.cancel();
    e->answered = true;
    if (const auto call = std::exchange(e->call, {})) call->abort();
    if (e->kind == PendingRequest::Kind::request) requests_.erase(e->id);
    if (e == listener_) listener_.reset();
    if (e == old_stream_) old_stream_.reset();
}

void HttpConversation::fail(const PendingPtr& e, const Error& why) {
    const bool waited_for = !e->answered;
    drop(e);
    if (waited_for && e->kind == PendingRequest::Kind::request) events_.failed(e->id, why);
}

void HttpConversation::on_head(const PendingPtr& e, const framing::HttpResponse& head) {
    e->weight.reset();
    e->status = head.status;
    e->www_authenticate = head.fields.only("www-authenticate").value_or("");
    e->body.clear();
    e->reading = web::reading_of(head, true);
    const bool success = e->reading != Reading::explanation;
    if (success && e->method == "initialize" && !old_endpoint_) keep_session(e, head);
    if (e->reading == Reading::stream) {
        e->events.emplace(
            framing::SseReader::Limits{bounds_.max_message_bytes + event_room, options_.max_event_id_bytes});
        e->was_open = true;
    }
    if (old_endpoint_ && success && e->kind == PendingRequest::Kind::request) {
        e->answered = true;  // the answer comes over the stream; this response is ignored
        e->reading = Reading::nothing;
        return;
    }
    if (e->kind != PendingRequest::Kind::request && success && e->reading != Reading::stream) return stream_refused(e);
    if (e->reading == Reading::nothing)
        return fail(e, {code::invalid_answer, "the server accepted the request with HTTP " + std::to_string(e->status) +
                                                  ", and gave no answer"});
    if (e->reading == Reading::unintelligible)
        fail(e, {code::invalid_answer, "the server's answer is neither application/json nor text/event-stream"});
}

void HttpConversation::on_piece(const PendingPtr& e, std::string_view bytes) {
    if (e->reading == Reading::stream) return feed(e, bytes);
    const bool message = e->reading == Reading::message;
    const std::size_t limit = message ? bounds_.max_message_bytes : options_.max_refusal_bytes;
    if (e->body.size() + bytes.size() <= limit) {
        e->body += bytes;
    } else if (message) {
        fail(e, core::answer_too_long(limit));
    } else {
        e->body += bytes.substr(0, limit - e->body.size());
        if (e->call) e->call->abort();
        on_end(e);
    }
}

void HttpConversation::on_end(const PendingPtr& e) {
    switch (e->reading) {
        case Reading::message: return on_message(e);
        case Reading::explanation: return explained(e);
        case Reading::stream:
            return stream_over(e, {code::connection_closed, "the server's stream ended before the answer"});
        default: return drop(e);
    }
}

void HttpConversation::explained(const PendingPtr& e) {
    const bool by_get = e->kind != PendingRequest::Kind::request || e->was_open;
    by_get ? stream_refused(e) : refused(e);
}

// The body belongs to this request, so everything that is wrong with the body is an error of this request.
void HttpConversation::on_message(const PendingPtr& e) {
    const std::string body = std::move(e->body);
    const web::Said said = web::what_is_said(body, e->id);
    e->answered = said == web::Said::answer;
    if (e->answered) drop(e);
    if (said != web::Said::nothing) events_.message(body);
    if (!e->answered) fail(e, web::not_the_answer(body));
}

void HttpConversation::on_failed(const PendingPtr& e, const Error& why) {
    if (e->was_open || e->kind != PendingRequest::Kind::request) return stream_over(e, why);
    fail(e, why);
}

// The server refused a request, and signing in (AuthorisedCalls) did not help.
void HttpConversation::refused(const PendingPtr& e) {
    const Error why = web::refusal_error(e->status, e->www_authenticate, e->body);
    if (e->status == 404 && !e->session.empty() && !e->stateless) {
        lose_session(e);
        drop(e);
        return events_.session_lost(e->id);
    }
    if (e->method == "initialize" && options_.old_http_sse && !old_endpoint_ &&
        web::may_be_old_transport(e->status, web::jsonrpc_error(e->body)))
        return try_old_transport(e, why);
    fail(e, why);
}

}  // namespace tenon
