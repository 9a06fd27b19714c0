// Messages of the client, and the beginning and the end of a session.
#include <algorithm>

#include "web/client_conversation.hpp"

namespace tenon::web {
namespace {

using MessageKind = OutgoingMessage::Kind;

constexpr Duration notice_time = std::chrono::seconds(30);  // timeout of a POST that carries no request
constexpr int too_many_requests = 429;
constexpr std::string_view initialized_method = "notifications/initialized";
constexpr std::string_view listen_method = "subscriptions/listen";

bool is_session_id(std::string_view id, std::size_t limit) {
    return !id.empty() && id.size() <= limit && std::ranges::all_of(id, [](char c) { return c >= 0x21 && c <= 0x7e; });
}

Error too_many_streams(std::size_t max_connections) {
    return {code::limit_reached,
            "too many streams at once: they need a connection each, and HttpClientOptions::max_connections is " +
                std::to_string(max_connections)};
}

}  // namespace

using conversation::Cancel;
using conversation::FailRequest;
using conversation::Finished;
using conversation::Log;
using conversation::SessionLost;

// ---- messages of the client

void ClientConversation::on(conversation::Send send) {
    if (life_ != Life::open) return;
    if (send.message.kind == MessageKind::cancellation) return cancel(std::move(send));
    if (hold_ != Hold::none) return held_.push_back(std::move(send));
    dispatch(std::move(send));
}

void ClientConversation::dispatch(conversation::Send send) {
    OutgoingMessage& m = send.message;
    if (m.kind == MessageKind::request) return post_request(std::move(send));
    if (lost_ && !m.stateless) return;  // its session has ended
    if (!m.stateless) revision_ = m.revision;
    const ClientContext context{options_.headers, m.stateless ? "" : session_, m.revision};
    ClientRequest request = post_message(endpoint(), context, m);
    if (m.method == initialized_method) hold();
    post_notice(std::move(request), std::move(m), std::move(send.weight));
}

void ClientConversation::post_request(conversation::Send send) {
    OutgoingMessage& m = send.message;
    if (m.method == "initialize") begin_initialize(m);
    if (lost_ && !m.stateless) return emit(SessionLost{m.id});
    if (m.method == listen_method && !has_room_to_listen())
        return emit(FailRequest{m.id, too_many_streams(options_.max_connections)});
    const auto p = std::make_shared<PendingRequest>(Kind::request, options_.reconnect);
    p->id = m.id;
    p->method = m.method;
    p->stateless = m.stateless;
    p->revision = m.revision;
    if (!p->stateless) p->session = session_, revision_ = p->revision;
    p->weight = std::move(send.weight);
    requests_[p->id] = current_ = p;
    start(p, post_message(endpoint(), context_of(*p), m));
}

void ClientConversation::begin_initialize(const OutgoingMessage& message) {
    session_.clear();
    revision_.clear();
    lost_ = false;
    stop_listening();
    initialize_ = message;
}

// Keeps one connection free for calls. Without it, calls would wait for ever.
bool ClientConversation::has_room_to_listen() const {
    const auto open = std::ranges::count_if(requests_, [](const auto& r) { return r.second->method == listen_method; });
    return static_cast<std::size_t>(open) + 1 < options_.max_connections;
}

// The server needs no notice of a request that was not sent yet. Without a session, closing the stream cancels.
void ClientConversation::cancel(conversation::Send send) {
    const std::int64_t id = send.message.id;
    const auto is_it = [&](const conversation::Send& held) {
        return held.message.kind == MessageKind::request && held.message.id == id;
    };
    if (std::erase_if(held_, is_it) > 0) return;
    const auto it = requests_.find(id);
    if (it == requests_.end() && !old_endpoint_) return;
    const PendingPtr p = it == requests_.end() ? nullptr : it->second;
    const bool tell = !send.message.stateless && !lost_ && (!p || p->session == session_);
    if (p) drop(p);
    if (!tell) return;
    hold_ != Hold::none ? held_.push_back(std::move(send)) : dispatch(std::move(send));
}

// ---- notices

// Without `initialized`, the session would stay half open: the server would ask this client nothing. Without a response
// the server would wait for it, and so would the call in which it asks.
void ClientConversation::post_notice(ClientRequest request, OutgoingMessage message, std::shared_ptr<void> weight) {
    const auto p = std::make_shared<PendingRequest>(Kind::notice, options_.reconnect);
    if (message.method == initialized_method || message.kind == MessageKind::response) p->notice = request;
    p->method = std::move(message.method);
    p->weight = std::move(weight);
    ++notices_;
    start(p, std::move(request));
    set_timer(p, notice_time);
}

// The HTTP response has come, or failed to come in time.
void ClientConversation::notice_over(const PendingPtr& p) {
    if (p->notice && life_ == Life::open && !was_heard(*p) && repeat_later(p)) return;
    drop(p);
    if (p->method == initialized_method) begin_session();
    when_quiet();
}

// Returns whether the server has decided about a notice. A server that was not reached, or was busy, has not.
bool ClientConversation::was_heard(const PendingRequest& p) {
    return p.status != 0 && p.status < 500 && p.status != too_many_requests;
}

bool ClientConversation::repeat_later(const PendingPtr& p) {
    const auto wait = p->reconnect.next();
    if (!wait) return false;
    if (p->call != 0) {
        emit(Cancel{p->call});
        end_call(*p);
    }
    p->phase = Phase::waiting;
    p->status = 0;
    set_timer(p, *wait);
    return true;
}

void ClientConversation::repeat_notice(const PendingPtr& p) {
    start(p, *p->notice);
    set_timer(p, notice_time);
}

// ---- the beginning and the end of a session

// Holds further messages back: the server would refuse a request that arrives before `initialized`.
void ClientConversation::hold() {
    hold_ = Hold::initialized;
    const auto probe =
        std::ranges::find_if(requests_, [](const auto& r) { return r.second->method == "server/discover"; });
    if (probe != requests_.end()) drop(probe->second);  // its response can no longer change anything
}

void ClientConversation::begin_session() {
    if (life_ != Life::open) return;
    if (lost_ || old_endpoint_) return release();
    listen();  // listener_began() releases the messages: the stream must be open before the first call
}

void ClientConversation::release() {
    hold_ = Hold::none;
    while (hold_ == Hold::none && !held_.empty() && life_ == Life::open) {
        conversation::Send next = std::move(held_.front());
        held_.pop_front();
        dispatch(std::move(next));
    }
}

void ClientConversation::keep_session(PendingRequest& p, const framing::HttpResponse& head) {
    const auto id = head.fields.only("mcp-session-id");
    if (!id) return;
    if (!is_session_id(*id, options_.max_session_id_bytes))
        return emit(Log{LogLevel::warning,
                        "the server gave a session id that the protocol does not allow, or that is longer than "
                        "HttpClientOptions::max_session_id_bytes; it is not used"});
    p.session = session_ = *id;
}

// Only for the current session. Earlier sessions are already known to be lost.
void ClientConversation::lose_session(const std::string& id) {
    if (id != session_) return;
    session_.clear();
    lost_ = true;
    stop_listening();
}

// ---- the end

void ClientConversation::on(const conversation::Finish&) {
    life_ = Life::finishing;
    held_.clear();
    drop_waiting_notices();
    drop_all_but_notices();
    when_quiet();
}

void ClientConversation::on(const conversation::Close&) {
    life_ = Life::closed;
    held_.clear();
    drop_all_but_notices();
    drop_waiting_notices();
    while (!by_call_.empty()) drop(by_call_.begin()->second);
}

void ClientConversation::drop_all_but_notices() {
    stop_listening();
    while (!requests_.empty()) drop(requests_.begin()->second);
    if (old_stream_) drop(old_stream_);
}

void ClientConversation::drop_waiting_notices() {
    const auto waits = [](const auto& timer) {
        return timer.second->kind == Kind::notice && timer.second->phase == Phase::waiting;
    };
    for (auto it = std::ranges::find_if(timers_, waits); it != timers_.end(); it = std::ranges::find_if(timers_, waits))
        drop(it->second);
}

// Ends the session after the last notice. The DELETE is a notice too.
void ClientConversation::when_quiet() {
    if (life_ != Life::finishing || notices_ > 0) return;
    if (session_.empty() || old_endpoint_) {
        life_ = Life::closed;
        return emit(Finished{});
    }
    post_notice(delete_session(server_, {options_.headers, std::exchange(session_, {}), revision_}), {}, {});
}

}  // namespace tenon::web
