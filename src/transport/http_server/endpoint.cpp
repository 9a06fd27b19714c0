#include "transport/http_server/endpoint.hpp"

#include <algorithm>
#include <vector>

#include <tenon/encrypt_states.hpp>

#include "base/utf8.hpp"
#include "io/random.hpp"
#include "protocol/part_limits.hpp"
#include "transport/http_server/legacy_session.hpp"
#include "transport/http_server/stateless_request.hpp"
#include "web/header_rules.hpp"
#include "web/response.hpp"

namespace tenon {

using core::MemoryDecision;
using framing::HttpRequest;
using web::refusal;
using web::RequestPurpose;
using web::Response;

namespace {

Response too_many_requests(const Limits& limits) {
    return web::try_later(429,
                          {code::server_error,
                           "Too many requests at once: the limit is " + std::to_string(limits.max_concurrent_requests) +
                               " for one client (Limits::max_concurrent_requests); wait for "
                               "answers",
                           LimitName::max_concurrent_requests});
}

Response too_many_listeners(const Limits& limits) {
    return web::try_later(429, {code::server_error,
                                "Too many open `subscriptions/listen` requests: the limit is " +
                                    std::to_string(limits.max_listeners_per_peer) +
                                    " for one client (Limits::max_listeners_per_peer); close some",
                                LimitName::max_listeners_per_peer});
}

Response no_stream(const Error& error) {
    if (error.code == code::resource_not_found) return web::lost_session();  // the session ended just now
    return refusal(error.code == code::server_error ? 429 : 400, error);
}

core::MemoryAccountPtr memory_of(const HttpEndpoint::Admitted& admitted) {
    return admitted.peer ? admitted.peer->memory : nullptr;
}

}  // namespace

HttpEndpoint::HttpEndpoint(Server& server, EndpointOptions options)
    : server_(server.impl()), options_(std::move(options)), limits_(server.limits()), peers_(server_->budget()) {
    server_->check_extensions();
    server_->states().default_seal(
        [this] { return encrypt_states({options_.state_key ? *options_.state_key : io::random_bytes<32>()}); });
}
HttpEndpoint::~HttpEndpoint() = default;

HttpEndpoint::ResponderPtr HttpEndpoint::handle(const Admitted& admitted, const HttpRequest& head,
                                                std::string_view body, const WriterPtr& writer) {
    const Post post{admitted, head, body, writer};
    if (shut_down_.load()) return refuse(post, refusal(503, why_refused_at_the_end));
    switch (admitted.purpose) {
        case RequestPurpose::message: return on_message(post);
        case RequestPurpose::listen: return on_listen(post);
        case RequestPurpose::end_session: return on_end_session(post);
        case RequestPurpose::old_listen: return on_old_listen(post);
        case RequestPurpose::old_message: return on_old_message(post);
    }
    return {};
}

HttpEndpoint::ResponderPtr HttpEndpoint::refuse(const Post& post, Response response,
                                                const jsonrpc::Incoming* in) const {
    tell_refused(response, {.admitted = &post.admitted, .in = in, .bytes = post.body.size()});
    post.writer->respond(std::move(response));
    return nullptr;
}

core::Origin HttpEndpoint::origin(const Admitted& admitted) const {
    return {.may_use = may_use(admitted), .caller = admitted.who, .trace = admitted.trace};
}

// ---- POST

std::variant<jsonrpc::Incoming, Response> HttpEndpoint::decode(const Post& post) const {
    core::MessageCharge charge(memory_of(post.admitted));
    if (const auto verdict = charge.before_decoding(post.body.size()); verdict != MemoryDecision::granted)
        return web::memory_refusal(verdict, charge.charge());
    jsonrpc::Incoming in = jsonrpc::decode_in_arena(post.body, protocol::decode_limits(limits_));
    if (const auto verdict = charge.after_decoding(in); verdict != MemoryDecision::granted)
        return web::memory_refusal(verdict, charge.charge());
    return in;
}

HttpEndpoint::ResponderPtr HttpEndpoint::on_message(const Post& post) {
    auto decoded = decode(post);
    if (auto* refused = std::get_if<Response>(&decoded)) return refuse(post, std::move(*refused));
    auto& in = std::get<jsonrpc::Incoming>(decoded);
    if (auto refused = refuse_uses(post.admitted, in)) return refuse(post, *std::move(refused), &in);
    const framing::HttpFields& fields = post.head.fields;
    const bool has_session = fields.count("mcp-session-id") > 0;
    jsonrpc::Message& first = in.messages.front();
    if (!in.batch) {
        // Without a readable id in the request, the body of the refusal has no `id`, in every revision.
        if (const auto* invalid = std::get_if<jsonrpc::Invalid>(&first))
            return refuse(post, web::refusal_of(400, invalid->id, invalid->error), &in);
        if (const auto* ignored = std::get_if<jsonrpc::Ignored>(&first))
            return refuse(post, refusal(400, Error{code::invalid_request,
                                                   "Invalid request: " +
                                                       base::shorten(ignored->why, limits_.max_error_text_bytes)}));
        const auto* request = std::get_if<jsonrpc::Request>(&first);
        if (request && web::has_header_rules(*request, fields)) return serve_stateless(std::move(in), post);
        if (request && request->method == "initialize" && !has_session) return begin_session(std::move(in), post);
    }
    if (const auto wrong = web::check_version_header(fields)) return refuse(post, refusal(400, *wrong), &in);
    const bool notification = !in.batch && std::holds_alternative<jsonrpc::Notification>(first);
    if (notification && !has_session && web::names_modern_revision(fields)) {
        post.writer->respond({202});  // without a session, a notification has no effect
        return {};
    }
    auto found = session_of(post);
    if (auto* refused = std::get_if<Response>(&found)) return refuse(post, std::move(*refused), &in);
    const auto session = std::get<SessionPtr>(std::move(found));
    return session->shared() ? pass_on_shared(session, std::move(in), post) : pass_on(session, std::move(in), post);
}

HttpEndpoint::ResponderPtr HttpEndpoint::pass_on(const SessionPtr& session, jsonrpc::Incoming&& in,
                                                 const Post& post) const {
    const bool wants_answer = in.batch || std::holds_alternative<jsonrpc::Request>(in.messages.front());
    if (!wants_answer) {
        session->receive(std::move(in), origin(post.admitted));
        post.writer->respond({202});
        return {};
    }
    const bool asks = std::ranges::any_of(in.messages, [](const jsonrpc::Message& m) {
        return std::holds_alternative<jsonrpc::Request>(m) || std::holds_alternative<jsonrpc::Invalid>(m);
    });
    if (auto ok = session->receive(std::move(in), post.writer, asks, origin(post.admitted)); !ok)
        return refuse(post, no_stream(ok.error()), &in);
    return session;
}

HttpEndpoint::ResponderPtr HttpEndpoint::serve_stateless(jsonrpc::Incoming&& in, const Post& post) {
    const auto& request = std::get<jsonrpc::Request>(in.messages.front());
    const auto features = server_->settings()->features();
    const auto mirrored = web::mirrored_parameters(request, *features);
    if (const auto wrong = web::check_headers(request, post.head.fields, mirrored))
        return refuse(post, web::refusal_of(400, request.id, *wrong), &in);
    const HttpPeerPtr& peer = post.admitted.peer;
    const bool listens = request.method == "subscriptions/listen";
    auto slot = listens ? PeerSlot::take(peer, &HttpPeer::listeners, limits_.max_listeners_per_peer)
                        : PeerSlot::take(peer, &HttpPeer::requests, limits_.max_concurrent_requests);
    if (!slot) return refuse(post, listens ? too_many_listeners(limits_) : too_many_requests(limits_), &in);
    if (options_.keys && needs_key(request)) return run_with_key(post, *std::move(slot), std::move(in));
    return run_stateless(post.admitted, post.writer, *std::move(slot), listens, std::move(in));
}

HttpEndpoint::ResponderPtr HttpEndpoint::run_stateless(const Admitted& admitted, const WriterPtr& writer, PeerSlot slot,
                                                       bool listens, jsonrpc::Incoming&& in) {
    const auto stateless = stateless_request(admitted.principal);    // from here on, idle() counts it as running
    if (shut_down_.load()) stateless->stop(why_refused_at_the_end);  // shut_down() may have missed this request
    const bool runs =
        stateless->serve({writer, admitted.peer, std::move(slot), listens}, std::move(in), origin(admitted));
    if (!runs) return {};
    return stateless;
}

HttpEndpoint::ResponderPtr HttpEndpoint::begin_session(jsonrpc::Incoming&& in, const Post& post) {
    if (options_.cluster) return begin_shared(std::move(in), post);
    auto made = make_session(post.admitted, Reached::by_streams);
    if (auto* refused = std::get_if<Response>(&made)) return refuse(post, std::move(*refused), &in);
    const SessionPtr& session = std::get<SessionPtr>(made);
    if (auto ok = session->receive(std::move(in), post.writer, true, origin(post.admitted)); !ok)
        return end(session, why_no_stream), refuse(post, no_stream(ok.error()), &in);
    if (!session->established()) end(session, "the handshake failed");
    return {};
}

// ---- GET and DELETE

HttpEndpoint::ResponderPtr HttpEndpoint::on_listen(const Post& post) {
    const HttpRequest& head = post.head;
    if (head.fields.count("mcp-session-id") == 0)
        return refuse(post, refusal(405, "a GET opens a stream of a session: send the header Mcp-Session-Id",
                                    {{"Allow", "POST, OPTIONS"}}));
    if (const auto wrong = web::check_version_header(head.fields)) return refuse(post, refusal(400, *wrong));
    auto found = session_of(post);
    if (auto* refused = std::get_if<Response>(&found)) return refuse(post, std::move(*refused));
    SessionPtr session = std::get<SessionPtr>(std::move(found));
    session->touch(now());
    if (session->shared()) return listen_shared(session, post);
    const auto last = head.fields.only("last-event-id");
    const auto stream = session->with_streams([&](web::Streams& streams) {
        return last && !last->empty() ? streams.resume(post.writer, *last) : streams.listen(post.writer);
    });
    session->mark_busy();
    if (stream) return session;
    return refuse(post, no_stream(stream.error()));
}

HttpEndpoint::ResponderPtr HttpEndpoint::on_end_session(const Post& post) {
    if (post.head.fields.count("mcp-session-id") == 0)
        return refuse(post, refusal(405, "a DELETE ends a session: send the header Mcp-Session-Id",
                                    {{"Allow", "POST, OPTIONS"}}));
    if (const auto wrong = web::check_version_header(post.head.fields)) return refuse(post, refusal(400, *wrong));
    auto found = session_of(post);
    if (auto* refused = std::get_if<Response>(&found)) return refuse(post, std::move(*refused));
    if (std::get<SessionPtr>(found)->shared()) return end_shared(std::get<SessionPtr>(found), post);
    end(std::get<SessionPtr>(found), why_client_ended);
    post.writer->respond({204});
    return {};
}

// ---- HTTP+SSE of 2024-11-05

HttpEndpoint::ResponderPtr HttpEndpoint::on_old_listen(const Post& post) {
    auto made = make_session(post.admitted, Reached::by_one_stream);
    if (auto* refused = std::get_if<Response>(&made)) return refuse(post, std::move(*refused));
    const SessionPtr& session = std::get<SessionPtr>(made);
    const auto stream = session->with_streams([&](web::Streams& streams) {
        auto opened = streams.listen(post.writer);
        if (opened) streams.announce(options_.entry.old_message_path + "?sessionId=" + session->id());
        return opened;
    });
    if (!stream) refuse(post, no_stream(stream.error()));
    find(session->id(), post.admitted.principal, Reached::by_one_stream);  // marks the session as used
    return session;
}

HttpEndpoint::ResponderPtr HttpEndpoint::on_old_message(const Post& post) {
    constexpr std::string_view key = "sessionId=";
    const std::string_view query = post.head.query;
    const SessionPtr session = query.starts_with(key)
                                   ? find(query.substr(key.size()), post.admitted.principal, Reached::by_one_stream)
                                   : nullptr;
    if (!session) return refuse(post, web::lost_session());
    auto decoded = decode(post);
    if (auto* refused = std::get_if<Response>(&decoded)) return refuse(post, std::move(*refused));
    auto& in = std::get<jsonrpc::Incoming>(decoded);
    if (auto refused = refuse_uses(post.admitted, in)) return refuse(post, *std::move(refused), &in);
    post.writer->respond({202});
    session->receive(std::move(in), origin(post.admitted));
    return {};
}

// ---- requests without a session (2026-07-28)

std::shared_ptr<HttpEndpoint::StatelessRequest> HttpEndpoint::stateless_request(const std::string& principal) {
    std::shared_ptr<StatelessRequest> out;
    {
        const std::lock_guard lock(mutex_);
        if (!spare_.empty() && spare_.back()->principal() == principal) {
            out = std::move(spare_.back());
            spare_.pop_back();
            run(out);
            return out;
        }
    }
    out = std::make_shared<StatelessRequest>(weak_from_this(), principal);
    const std::weak_ptr weak(out);
    const auto peer = [weak] {
        const auto request = weak.lock();
        return request ? request->peer() : nullptr;
    };
    out->own(std::make_shared<Session::Impl>(server_,
                                             SessionOptions{.post = post_as(peer, options_.post),
                                                            .owner = principal,
                                                            .transport = "tcp",
                                                            .keep_tasks = true,
                                                            .clock = options_.clock},
                                             out));
    const std::lock_guard lock(mutex_);
    run(out);
    return out;
}

void HttpEndpoint::run(const std::shared_ptr<StatelessRequest>& request) {
    request->place = running_.size();
    running_.push_back(request);
}

void HttpEndpoint::forget(StatelessRequest& request, bool again) {
    constexpr std::size_t max_spare = 64;
    std::shared_ptr<StatelessRequest> over;  // freed outside the lock
    const std::lock_guard lock(mutex_);
    over = std::exchange(running_[request.place], std::move(running_.back()));
    running_.pop_back();
    if (request.place < running_.size()) running_[request.place]->place = request.place;
    options_.when_answered();
    if (!again) return;
    if (spare_.size() < max_spare) return spare_.push_back(std::move(over));
    std::swap(spare_.back(), over);  // keeps this one instead: its caller may send the next request soon
}

}  // namespace tenon
