#include "transport/http_endpoint.hpp"

#include <algorithm>
#include <vector>

#include "base/utf8.hpp"
#include "http/header_rules.hpp"
#include "http/response.hpp"
#include "protocol/part_limits.hpp"
#include "transport/http_legacy_session.hpp"
#include "transport/http_lone_request.hpp"

namespace tenon {

using framing::HttpRequest;
using web::Entry;
using web::refusal;
using web::Response;

namespace {

Response no_session() {
    return refusal(400,
                   Error{code::invalid_request,
                         "Invalid request: the header Mcp-Session-Id is missing; send `initialize` first, and then "
                         "the id that its answer has in that header"});
}

Response lost_session() {
    return refusal(404, Error{code::invalid_request,
                              "Invalid request: unknown or expired session; send `initialize` to begin a new one"});
}

Response no_stream(const Error& error) {
    if (error.code == code::resource_not_found) return lost_session();  // it was ended just now
    return refusal(error.code == code::server_error ? 429 : 400, error);
}

std::optional<Response> wrong_version(const HttpRequest& head) {
    if (head.fields.count("mcp-protocol-version") == 0) return std::nullopt;
    const auto version = head.fields.only("mcp-protocol-version");
    if (version && protocol::revision(*version)) return std::nullopt;
    return refusal(400, protocol::unsupported_version(version ? *version : "(several)"));
}

}  // namespace

HttpEndpoint::HttpEndpoint(Server& server, EndpointOptions options)
    : server_(server.impl()), options_(std::move(options)), limits_(server.limits()) {}
HttpEndpoint::~HttpEndpoint() = default;

HttpEndpoint::AnswererPtr HttpEndpoint::handle(const Admitted& admitted, const HttpRequest& head, std::string_view body,
                                               const ExchangePtr& exchange) {
    if (shut_down_.load()) return exchange->respond(refusal(503, why_refused_at_the_end)), nullptr;
    switch (admitted.entry) {
        case Entry::message: return on_message(admitted, head, body, exchange);
        case Entry::listen: return on_listen(admitted, head, exchange);
        case Entry::end_session: on_end_session(admitted, head, exchange); return {};
        case Entry::old_listen: return on_old_listen(admitted, exchange);
        case Entry::old_message: on_old_message(admitted, head, body, exchange); return {};
    }
    return {};
}

// ---- POST

HttpEndpoint::AnswererPtr HttpEndpoint::on_message(const Admitted& admitted, const HttpRequest& head,
                                                   std::string_view body, const ExchangePtr& exchange) {
    jsonrpc::Incoming in = jsonrpc::decode_in_arena(body, protocol::decode_limits(limits_));
    if (auto refused = refuse_uses(admitted, in)) return exchange->respond(*std::move(refused)), nullptr;
    const bool has_session = head.fields.count("mcp-session-id") > 0;
    jsonrpc::Message& first = in.messages.front();
    if (!in.batch) {
        if (const auto* invalid = std::get_if<jsonrpc::Invalid>(&first)) {
            // The body of a refusal has no id, in any revision, where there is none to repeat.
            exchange->respond(web::json_response(
                400, jsonrpc::encode_error(invalid->id, invalid->error, jsonrpc::UnreadableId::absent).json));
            return {};
        }
        if (const auto* ignored = std::get_if<jsonrpc::Ignored>(&first)) {
            exchange->respond(
                refusal(400, Error{code::invalid_request,
                                   "Invalid request: " + base::shorten(ignored->why, limits_.max_error_text_bytes)}));
            return {};
        }
        const auto* request = std::get_if<jsonrpc::Request>(&first);
        if (request && web::has_header_rules(*request, head.fields))
            return serve_alone(std::move(in), admitted, head, exchange);
        if (request && request->method == "initialize" && !has_session)
            return begin_session(std::move(in), admitted, exchange);
    }
    if (const auto wrong = wrong_version(head)) return exchange->respond(*wrong), nullptr;
    const bool notification = !in.batch && std::holds_alternative<jsonrpc::Notification>(first);
    if (notification && !has_session && web::names_lone_revision(head.fields)) {
        exchange->respond({202});  // no notification means anything to a server that keeps no session
        return {};
    }
    auto found = session_of(head, admitted.principal);
    if (auto* refused = std::get_if<Response>(&found)) return exchange->respond(std::move(*refused)), nullptr;
    SessionPtr session = std::get<SessionPtr>(std::move(found));
    const bool wants_answer = in.batch || std::holds_alternative<jsonrpc::Request>(first);
    if (!wants_answer) {
        session->receive(std::move(in), 0, may_use(admitted));
        exchange->respond({202});
        return {};
    }
    const bool asks = std::ranges::any_of(in.messages, [](const jsonrpc::Message& m) {
        return std::holds_alternative<jsonrpc::Request>(m) || std::holds_alternative<jsonrpc::Invalid>(m);
    });
    const auto stream = session->with_streams([&](web::Streams& streams) { return streams.open(exchange, asks); });
    if (!stream) return exchange->respond(no_stream(stream.error())), nullptr;
    session->receive(std::move(in), *stream, may_use(admitted));
    return session;
}

HttpEndpoint::AnswererPtr HttpEndpoint::serve_alone(jsonrpc::Incoming&& in, const Admitted& admitted,
                                                    const HttpRequest& head, const ExchangePtr& exchange) {
    const auto& request = std::get<jsonrpc::Request>(in.messages.front());
    const auto features = server_->settings()->features();
    if (const auto wrong = web::check_headers(request, head.fields, web::mirrored_parameters(request, *features))) {
        exchange->respond(web::json_response(400, jsonrpc::encode_error(request.id, *wrong).json));
        return {};
    }
    const bool listens = request.method == "subscriptions/listen";
    const auto lone = lone_request(admitted.principal);  // idle() must not say that nothing runs when its handler may
    const auto number = lone->begin(exchange, listens, admitted.peer);
    if (shut_down_.load()) lone->stop(why_refused_at_the_end);  // which may not have seen it
    lone->receive(number, std::move(in), may_use(admitted));
    if (lone->over(number)) return {};
    return lone;
}

HttpEndpoint::AnswererPtr HttpEndpoint::begin_session(jsonrpc::Incoming&& in, const Admitted& admitted,
                                                      const ExchangePtr& exchange) {
    const auto made = make_session(admitted, Reached::by_streams);
    if (!made) return exchange->respond(refusal(503, made.error())), nullptr;
    const SessionPtr& session = *made;
    const auto stream = session->with_streams([&](web::Streams& streams) { return streams.open(exchange); });
    if (!stream) return end(session, why_client_ended), exchange->respond(no_stream(stream.error())), nullptr;
    session->receive(std::move(in), *stream, may_use(admitted));
    if (!session->established()) end(session, "the handshake failed");
    return {};
}

// ---- GET and DELETE

HttpEndpoint::AnswererPtr HttpEndpoint::on_listen(const Admitted& admitted, const HttpRequest& head,
                                                  const ExchangePtr& exchange) {
    if (head.fields.count("mcp-session-id") == 0) {
        exchange->respond(refusal(405, "a GET opens a stream of a session, and this request names none: Mcp-Session-Id",
                                  {{"Allow", "POST, OPTIONS"}}));
        return {};
    }
    if (const auto wrong = wrong_version(head)) return exchange->respond(*wrong), nullptr;
    auto found = session_of(head, admitted.principal);
    if (auto* refused = std::get_if<Response>(&found)) return exchange->respond(std::move(*refused)), nullptr;
    SessionPtr session = std::get<SessionPtr>(std::move(found));
    session->touch(now());
    const auto last = head.fields.only("last-event-id");
    const auto stream = session->with_streams([&](web::Streams& streams) {
        return last && !last->empty() ? streams.resume(exchange, *last) : streams.listen(exchange);
    });
    if (stream) return session;
    exchange->respond(no_stream(stream.error()));
    return {};
}

void HttpEndpoint::on_end_session(const Admitted& admitted, const HttpRequest& head, const ExchangePtr& exchange) {
    if (head.fields.count("mcp-session-id") == 0)
        return exchange->respond(refusal(405, "a DELETE ends a session, and this request names none: Mcp-Session-Id",
                                         {{"Allow", "POST, OPTIONS"}}));
    if (auto wrong = wrong_version(head)) return exchange->respond(*std::move(wrong));
    auto found = session_of(head, admitted.principal);
    if (auto* refused = std::get_if<Response>(&found)) return exchange->respond(std::move(*refused));
    end(std::get<SessionPtr>(found), why_client_ended);
    exchange->respond({204});
}

// ---- HTTP+SSE of 2024-11-05

HttpEndpoint::AnswererPtr HttpEndpoint::on_old_listen(const Admitted& admitted, const ExchangePtr& exchange) {
    const auto made = make_session(admitted, Reached::by_one_stream);
    if (!made) return exchange->respond(refusal(503, made.error())), nullptr;
    const SessionPtr& session = *made;
    session->with_streams([&](web::Streams& streams) {
        if (const auto stream = streams.listen(exchange); !stream) return exchange->respond(no_stream(stream.error()));
        streams.announce(options_.entry.old_message_path + "?sessionId=" + session->id());
    });
    return session;
}

void HttpEndpoint::on_old_message(const Admitted& admitted, const HttpRequest& head, std::string_view body,
                                  const ExchangePtr& exchange) {
    constexpr std::string_view key = "sessionId=";
    const SessionPtr session = head.query.starts_with(key)
                                   ? find(head.query.substr(key.size()), admitted.principal, Reached::by_one_stream)
                                   : nullptr;
    if (!session) return exchange->respond(lost_session());
    jsonrpc::Incoming in = jsonrpc::decode_in_arena(body, protocol::decode_limits(limits_));
    if (auto refused = refuse_uses(admitted, in)) return exchange->respond(*std::move(refused));
    exchange->respond({202});
    session->receive(std::move(in), 0, may_use(admitted));
}

// ---- sessions

std::function<void(std::function<void()>)> HttpEndpoint::post_for(std::function<HttpPeerPtr()> peer) const {
    if (!options_.post) return {};
    return
        [post = options_.post, peer = std::move(peer)](std::function<void()> work) { post(peer(), std::move(work)); };
}

Result<HttpEndpoint::SessionPtr> HttpEndpoint::make_session(const Admitted& admitted, Reached reached) {
    const std::string& principal = admitted.principal;
    const auto session =
        std::make_shared<LegacySession>(weak_from_this(), options_.new_session_id(), principal, reached,
                                        web::Streams::Options{.session_id = {},
                                                              .max_streams = limits_.max_streams_per_session,
                                                              .max_stored_bytes = limits_.max_stored_event_bytes},
                                        now());
    session->with_streams([&](web::Streams& streams) { streams.set_session_id(session->id()); });
    const auto inner = std::make_shared<Session::Impl>(
        server_,
        SessionOptions{
            .post = post_for([peer = admitted.peer] { return peer; }), .owner = principal, .clock = options_.clock},
        [weak = std::weak_ptr(session), answered = options_.when_answered](core::Action&& action) {
            if (const auto to = weak.lock()) to->deliver(std::move(action));
            answered();
        });
    session->own(inner);
    {
        const std::lock_guard lock(mutex_);
        if (shut_down_.load()) return Error{code::server_error, why_refused_at_the_end};
        if (sessions_.size() >= limits_.max_sessions)
            return Error{code::server_error,
                         "Too many sessions: the limit is " + std::to_string(limits_.max_sessions) + "; try later"};
        sessions_.emplace(session->id(), session);
    }
    inner->join();
    return session;
}

std::variant<HttpEndpoint::SessionPtr, Response> HttpEndpoint::session_of(const HttpRequest& head,
                                                                          const std::string& principal) const {
    const auto id = head.fields.only("mcp-session-id");
    if (!id) return no_session();
    auto session = find(*id, principal, Reached::by_streams);
    if (!session) return lost_session();
    return session;
}

HttpEndpoint::SessionPtr HttpEndpoint::find(std::string_view id, const std::string& principal, Reached reached) const {
    const std::lock_guard lock(mutex_);
    const auto it = sessions_.find(id);
    if (it == sessions_.end() || it->second->principal() != principal || it->second->reached() != reached)
        return nullptr;
    return it->second;
}

bool HttpEndpoint::take_out(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return sessions_.erase(id) > 0;
}

void HttpEndpoint::end(const SessionPtr& session, std::string_view why) {
    if (take_out(session->id())) session->end(why);
}

std::shared_ptr<HttpEndpoint::LoneRequest> HttpEndpoint::lone_request(const std::string& principal) {
    std::shared_ptr<LoneRequest> out;
    {
        const std::lock_guard lock(mutex_);
        if (!spare_.empty() && spare_.back()->principal() == principal) {
            out = std::move(spare_.back());
            spare_.pop_back();
            run(out);
            return out;
        }
    }
    out = std::make_shared<LoneRequest>(weak_from_this(), principal);
    out->own(std::make_shared<Session::Impl>(server_,
                                             SessionOptions{.post = post_for([weak = std::weak_ptr(out)] {
                                                                const auto lone = weak.lock();
                                                                return lone ? lone->peer() : nullptr;
                                                            }),
                                                            .owner = principal,
                                                            .keep_tasks = true,
                                                            .clock = options_.clock},
                                             [weak = std::weak_ptr(out)](core::Action&& action) {
                                                 if (const auto lone = weak.lock()) lone->deliver(std::move(action));
                                             }));
    const std::lock_guard lock(mutex_);
    run(out);
    return out;
}

void HttpEndpoint::run(const std::shared_ptr<LoneRequest>& request) {
    request->place = running_.size();
    running_.push_back(request);
}

void HttpEndpoint::forget(LoneRequest& request, bool again) {
    constexpr std::size_t max_spare = 64;
    std::shared_ptr<LoneRequest> over;  // freed outside the lock
    const std::lock_guard lock(mutex_);
    over = std::exchange(running_[request.place], std::move(running_.back()));
    running_.pop_back();
    if (request.place < running_.size()) running_[request.place]->place = request.place;
    options_.when_answered();
    if (!again) return;
    if (spare_.size() < max_spare) return spare_.push_back(std::move(over));
    std::swap(spare_.back(), over);  // the newest: its sender is here
}

// ---- time and the end

void HttpEndpoint::tick() {
    std::vector<SessionPtr> sessions;
    std::vector<std::shared_ptr<LoneRequest>> requests;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, session] : sessions_) sessions.push_back(session);
        requests = running_;
    }
    server_->tasks().visit([](core::TaskBoard& board, WallTime wall) { board.sweep(wall); });
    const TimePoint when = now();
    const bool speak = !last_keep_alive_ || when - *last_keep_alive_ >= limits_.stream_keep_alive;
    if (speak) last_keep_alive_ = when;
    for (const auto& request : requests) {
        request->tick();
        if (speak) request->keep_alive();
    }
    for (const auto& session : sessions) {
        session->tick();
        if (speak) session->with_streams([](web::Streams& streams) { streams.keep_alive(); });
        if (when - limits_.session_idle_time > TimePoint() && session->idle_since(when - limits_.session_idle_time))
            end(session, "the session was not used for too long");
    }
}

bool HttpEndpoint::idle() const {
    std::vector<SessionPtr> sessions;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& request : running_)
            if (!request->endless()) return false;
        for (const auto& [id, session] : sessions_) sessions.push_back(session);
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
    decltype(sessions_) sessions;
    decltype(running_) running;
    {
        const std::lock_guard lock(mutex_);
        sessions = std::exchange(sessions_, {});
        running = running_;
    }
    for (const auto& request : running) request->stop(why);
    for (const auto& [id, session] : sessions) session->end(why);
    // Nobody can ask for them here any more, and their threads end with the transport.
    server_->tasks().visit([](core::TaskBoard& board, WallTime wall) { board.end_all(wall); });
}

}  // namespace tenon
