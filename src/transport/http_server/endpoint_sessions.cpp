// The sessions of an endpoint: creates, finds and ends them.
#include "io/random.hpp"
#include "transport/http_server/legacy_session.hpp"
#include "transport/http_server/stateless_request.hpp"
#include "web/response.hpp"

namespace tenon {

using core::MemoryDecision;
using framing::HttpRequest;
using web::refusal;
using web::Response;

namespace {

Response no_session() {
    return refusal(400,
                   Error{code::invalid_request,
                         "Invalid request: the header Mcp-Session-Id is missing; send `initialize` first, and then "
                         "the id that its answer has in that header"});
}

Response too_many_sessions(std::size_t most) {
    return web::try_later(503, {code::server_error,
                                "Too many sessions, and all are in use: the limit is " + std::to_string(most) +
                                    " (Limits::max_sessions); try again later",
                                LimitName::max_sessions});
}

Response too_many_sessions_of(bool anonymous, std::size_t most) {
    return web::try_later(429, {code::server_error,
                                "Too many sessions of this client: the limit is " + std::to_string(most) +
                                    (anonymous ? " for one connection (Limits::max_sessions_per_"
                                                 "connection)"
                                               : " for one client (Limits::max_sessions_per_peer)") +
                                    "; end some with DELETE",
                                anonymous ? LimitName::max_sessions_per_connection : LimitName::max_sessions_per_peer});
}

// Returns `when - wait`, or TimePoint::min() on overflow.
TimePoint earlier(TimePoint when, Duration wait) {
    return when.time_since_epoch() < wait ? TimePoint::min() : when - wait;
}

}  // namespace

std::string random_session_id() {
    const auto bytes = io::random_bytes<24>();
    static constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (const std::uint8_t byte : bytes) out += {digits[byte >> 4], digits[byte & 15]};
    return out;
}

std::variant<HttpEndpoint::SessionPtr, Response> HttpEndpoint::make_session(const Admitted& admitted, Reached reached) {
    const HttpPeerPtr& peer = admitted.peer;
    const bool anonymous = admitted.principal.empty();
    const std::size_t most = anonymous ? limits_.max_sessions_per_connection : limits_.max_sessions_per_peer;
    auto slot = PeerSlot::take(peer, &HttpPeer::sessions, most);
    if (!slot) return too_many_sessions_of(anonymous, most);
    return make_session(admitted, reached, options_.new_session_id(), *std::move(slot));
}

std::variant<HttpEndpoint::SessionPtr, Response> HttpEndpoint::make_session(const Admitted& admitted, Reached reached,
                                                                            std::string id, PeerSlot slot) {
    const HttpPeerPtr& peer = admitted.peer;
    const core::MemoryAccountPtr memory = peer ? peer->memory : nullptr;
    core::MemoryCharge charge(memory);
    if (const auto verdict = charge.resize(core::bytes_of_session); verdict != MemoryDecision::granted)
        return web::memory_refusal(verdict, charge);
    web::Streams::Options streams{.session_id = id,
                                  .max_streams = limits_.max_streams_per_session,
                                  .max_stored_bytes = limits_.max_stored_event_bytes,
                                  .memory = memory};
    const auto session = std::make_shared<LegacySession>(weak_from_this(), std::move(id), admitted.principal, reached,
                                                         std::move(streams), now(), options_.when_answered);
    const bool shared = options_.cluster && reached == Reached::by_streams;
    if (shared) share(session);
    const auto inner =
        std::make_shared<Session::Impl>(server_,
                                        SessionOptions{.post = post_as([peer] { return peer; }, options_.post),
                                                       .wake = session->flusher(),
                                                       .owner = admitted.principal,
                                                       .transport = "tcp",
                                                       .clock = options_.clock},
                                        session, memory, shared ? task_owner(session->id()) : std::string());
    session->own(inner, peer, std::move(slot), std::move(charge));
    if (shared)
        inner->with_engine([&](core::ServerEngine& engine) { engine.share_with_nodes(session->shared()->copy()); });
    if (auto refused = add(session)) return *std::move(refused);
    inner->join();
    return session;
}

// When there are too many sessions, ends an unused one for the new session: its client can simply start another.
// Refuses the new session only when all are in use.
std::optional<Response> HttpEndpoint::add(const SessionPtr& session) {
    SessionPtr evicted;
    {
        const std::lock_guard lock(mutex_);
        if (shut_down_.load()) return refusal(503, why_refused_at_the_end);
        if (sessions_.find(session->id())) return refusal(503, "this session has begun just now");
        if (sessions_.size() >= limits_.max_sessions && !(evicted = sessions_.evict()))
            return too_many_sessions(limits_.max_sessions);
        sessions_.add(session);
    }
    if (evicted)
        evicted->end("the session was not in use, and there are too many (Limits::max_sessions)", LogLevel::warning,
                     LimitName::max_sessions);
    return std::nullopt;
}

std::variant<HttpEndpoint::SessionPtr, Response> HttpEndpoint::session_of(const Post& post) {
    const auto id = post.head.fields.only("mcp-session-id");
    if (!id) return no_session();
    auto session = find(*id, post.admitted.principal, Reached::by_streams);
    if (session && session->shared() && session->shared()->stale())
        if (auto refused = restore(session, post)) return *std::move(refused);
    if (session) return session;
    if (options_.cluster) return adopt(post, std::string(*id));
    return web::lost_session();
}

HttpEndpoint::SessionPtr HttpEndpoint::find(std::string_view id, const std::string& principal, Reached reached) {
    const std::lock_guard lock(mutex_);
    LegacySession* const session = sessions_.find(id);
    if (!session || session->principal() != principal || session->reached() != reached) return nullptr;
    if (session->broken()) return nullptr;
    session->set_marked_busy();
    return sessions_.use(id);
}

void HttpEndpoint::end(const SessionPtr& session, std::string_view why, LogLevel level) {
    {
        const std::lock_guard lock(mutex_);
        if (!sessions_.take_out(session->id())) return;
    }
    session->end(why, level);
}

void HttpEndpoint::wake(const LegacySession& session) {
    const std::lock_guard lock(mutex_);
    sessions_.mark_busy(session.id());
}

// ---- time and the end

void HttpEndpoint::tick() {
    const TimePoint when = now();
    server_->tasks().tick(when);
    if (options_.cluster) options_.cluster->tick(when);
    if (options_.keys) options_.keys->tick();
    if (options_.rates) options_.rates->tick();
    const bool speak = !last_keep_alive_ || when - *last_keep_alive_ >= limits_.stream_keep_alive;
    if (speak) last_keep_alive_ = when;
    tick_requests(speak);
    tick_sessions(speak);
    end_expired(when);
}

void HttpEndpoint::tick_requests(bool speak) {
    std::vector<std::shared_ptr<StatelessRequest>> requests;
    {
        const std::lock_guard lock(mutex_);
        requests = running_;
    }
    for (const auto& request : requests) {
        request->tick();
        if (speak) request->keep_alive();
    }
}

// Visits only busy sessions, and a few at a time, so that requests do not wait long for the lock.
void HttpEndpoint::tick_sessions(bool speak) {
    constexpr std::size_t few = 256;
    std::vector<SessionPtr> some;
    const auto next = [&](bool first) {
        const std::lock_guard lock(mutex_);
        if (first) sessions_.begin_round();
        some = sessions_.next_of_round(few);
    };
    for (next(true); !some.empty(); next(false))
        for (const auto& session : some) tick(*session, speak);
}

void HttpEndpoint::tick(LegacySession& session, bool speak) {
    if (session.broken()) return end(session.shared_from_this(), "memory is short", LogLevel::error);
    const bool busy = session.tick(speak);
    if (busy) return;
    const std::lock_guard lock(mutex_);
    if (!session.marked_busy()) sessions_.mark_idle(session.id());
}

void HttpEndpoint::end_expired(TimePoint when) {
    using Place = Sessions::Place;
    const auto end_all = [&](Place place, TimePoint limit, std::string_view why) {
        for (;;) {
            SessionPtr session;
            {
                const std::lock_guard lock(mutex_);
                session = sessions_.take_expired(place, limit);
            }
            if (!session) return;
            session->end(why);
        }
    };
    end_all(Place::unused, earlier(when, limits_.unused_session_time), "the session was not used after `initialize`");
    end_all(Place::idle, earlier(when, limits_.session_idle_time), "the session was not used for too long");
}

bool HttpEndpoint::idle() const {
    std::vector<SessionPtr> sessions;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& request : running_)
            if (!request->endless()) return false;
        sessions.assign(sessions_.busy().begin(), sessions_.busy().end());
    }
    for (const auto& session : sessions)
        if (session->runs_something()) return false;
    return true;
}

std::size_t HttpEndpoint::sessions() const {
    const std::lock_guard lock(mutex_);
    return sessions_.size();
}

void HttpEndpoint::shut_down(std::string_view why) {
    shut_down_.store(true);
    std::vector<SessionPtr> sessions;
    decltype(running_) running;
    {
        const std::lock_guard lock(mutex_);
        sessions = sessions_.take_all();
        running = running_;
    }
    for (const auto& request : running) request->stop(why);
    for (const auto& session : sessions) session->end(why);
    if (options_.cluster) {
        server_->announce_with({});
        options_.cluster->leave();
    }
    if (options_.keys) options_.keys->leave();
    if (options_.rates) options_.rates->leave();
    // Clients can no longer ask for the tasks here, and the threads of their handlers end with the transport.
    server_->tasks().end_all();
}

}  // namespace tenon
