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
    return web::try_later(429, {code::server_error, "Too many requests at once: the limit is " +
                                                        std::to_string(limits.max_concurrent_requests) +
                                                        " for one client (Limits::max_concurrent_requests); wait for "
                                                        "answers"});
}

Response too_many_listeners(const Limits& limits) {
    return web::try_later(429,
                          {code::server_error, "Too many open `subscriptions/listen` requests: the limit is " +
                                                   std::to_string(limits.max_listeners_per_peer) +
                                                   " for one client (Limits::max_listeners_per_peer); close some"});
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
    server_->states().default_seal([] { return encrypt_states({io::random_bytes<32>()}); });
}
HttpEndpoint::~HttpEndpoint() = default;

HttpEndpoint::ResponderPtr HttpEndpoint::handle(const Admitted& admitted, const HttpRequest& head,
                                                std::string_view body, const WriterPtr& writer) {
    if (shut_down_.load()) return writer->respond(refusal(503, why_refused_at_the_end)), nullptr;
    switch (admitted.purpose) {
        case RequestPurpose::message: return on_message(admitted, head, body, writer);
        case RequestPurpose::listen: return on_listen(admitted, head, writer);
        case RequestPurpose::end_session: on_end_session(admitted, head, writer); return {};
        case RequestPurpose::old_listen: return on_old_listen(admitted, writer);
        case RequestPurpose::old_message: on_old_message(admitted, head, body, writer); return {};
    }
    return {};
}

// ---- POST

HttpEndpoint::ResponderPtr HttpEndpoint::on_message(const Admitted& admitted, const HttpRequest& head,
                                                    std::string_view body, const WriterPtr& writer) {
    core::MessageCharge charge(memory_of(admitted));
    if (const auto verdict = charge.before_decoding(body.size()); verdict != MemoryDecision::granted)
        return writer->respond(web::memory_refusal(verdict, charge.charge())), nullptr;
    jsonrpc::Incoming in = jsonrpc::decode_in_arena(body, protocol::decode_limits(limits_));
    if (const auto verdict = charge.after_decoding(in); verdict != MemoryDecision::granted)
        return writer->respond(web::memory_refusal(verdict, charge.charge())), nullptr;
    if (auto refused = refuse_uses(admitted, in)) return writer->respond(*std::move(refused)), nullptr;
    const bool has_session = head.fields.count("mcp-session-id") > 0;
    jsonrpc::Message& first = in.messages.front();
    if (!in.batch) {
        if (const auto* invalid = std::get_if<jsonrpc::Invalid>(&first)) {
            // Without a readable id in the request, the body of the refusal has no `id`, in every revision.
            writer->respond(web::json_response(
                400, jsonrpc::encode_error(invalid->id, invalid->error, jsonrpc::UnreadableId::absent).json));
            return {};
        }
        if (const auto* ignored = std::get_if<jsonrpc::Ignored>(&first)) {
            writer->respond(
                refusal(400, Error{code::invalid_request,
                                   "Invalid request: " + base::shorten(ignored->why, limits_.max_error_text_bytes)}));
            return {};
        }
        const auto* request = std::get_if<jsonrpc::Request>(&first);
        if (request && web::has_header_rules(*request, head.fields))
            return serve_stateless(std::move(in), admitted, head, writer);
        if (request && request->method == "initialize" && !has_session)
            return begin_session(std::move(in), admitted, writer);
    }
    if (const auto wrong = web::check_version_header(head.fields))
        return writer->respond(refusal(400, *wrong)), nullptr;
    const bool notification = !in.batch && std::holds_alternative<jsonrpc::Notification>(first);
    if (notification && !has_session && web::names_modern_revision(head.fields)) {
        writer->respond({202});  // without a session, a notification has no effect
        return {};
    }
    auto found = session_of(head, admitted.principal);
    if (auto* refused = std::get_if<Response>(&found)) return writer->respond(std::move(*refused)), nullptr;
    SessionPtr session = std::get<SessionPtr>(std::move(found));
    const bool wants_answer = in.batch || std::holds_alternative<jsonrpc::Request>(first);
    if (!wants_answer) {
        session->receive(std::move(in), 0, may_use(admitted), admitted.who);
        writer->respond({202});
        return {};
    }
    const bool asks = std::ranges::any_of(in.messages, [](const jsonrpc::Message& m) {
        return std::holds_alternative<jsonrpc::Request>(m) || std::holds_alternative<jsonrpc::Invalid>(m);
    });
    if (auto ok = session->receive(std::move(in), writer, asks, may_use(admitted), admitted.who); !ok)
        return writer->respond(no_stream(ok.error())), nullptr;
    return session;
}

HttpEndpoint::ResponderPtr HttpEndpoint::serve_stateless(jsonrpc::Incoming&& in, const Admitted& admitted,
                                                         const HttpRequest& head, const WriterPtr& writer) {
    const auto& request = std::get<jsonrpc::Request>(in.messages.front());
    const auto features = server_->settings()->features();
    if (const auto wrong = web::check_headers(request, head.fields, web::mirrored_parameters(request, *features))) {
        writer->respond(web::json_response(400, jsonrpc::encode_error(request.id, *wrong).json));
        return {};
    }
    const bool listens = request.method == "subscriptions/listen";
    auto slot = listens ? PeerSlot::take(admitted.peer, &HttpPeer::listeners, limits_.max_listeners_per_peer)
                        : PeerSlot::take(admitted.peer, &HttpPeer::requests, limits_.max_concurrent_requests);
    if (!slot) return writer->respond(listens ? too_many_listeners(limits_) : too_many_requests(limits_)), nullptr;
    const auto stateless = stateless_request(admitted.principal);    // from here on, idle() counts it as running
    if (shut_down_.load()) stateless->stop(why_refused_at_the_end);  // shut_down() may have missed this request
    const bool runs = stateless->serve({writer, admitted.peer, *std::move(slot), listens, admitted.who}, std::move(in),
                                       may_use(admitted));
    if (!runs) return {};
    return stateless;
}

HttpEndpoint::ResponderPtr HttpEndpoint::begin_session(jsonrpc::Incoming&& in, const Admitted& admitted,
                                                       const WriterPtr& writer) {
    auto made = make_session(admitted, Reached::by_streams);
    if (auto* refused = std::get_if<Response>(&made)) return writer->respond(std::move(*refused)), nullptr;
    const SessionPtr& session = std::get<SessionPtr>(made);
    if (auto ok = session->receive(std::move(in), writer, true, may_use(admitted), admitted.who); !ok)
        return end(session, why_client_ended), writer->respond(no_stream(ok.error())), nullptr;
    if (!session->established()) end(session, "the handshake failed");
    return {};
}

// ---- GET and DELETE

HttpEndpoint::ResponderPtr HttpEndpoint::on_listen(const Admitted& admitted, const HttpRequest& head,
                                                   const WriterPtr& writer) {
    if (head.fields.count("mcp-session-id") == 0) {
        writer->respond(refusal(405, "a GET opens a stream of a session: send the header Mcp-Session-Id",
                                {{"Allow", "POST, OPTIONS"}}));
        return {};
    }
    if (const auto wrong = web::check_version_header(head.fields))
        return writer->respond(refusal(400, *wrong)), nullptr;
    auto found = session_of(head, admitted.principal);
    if (auto* refused = std::get_if<Response>(&found)) return writer->respond(std::move(*refused)), nullptr;
    SessionPtr session = std::get<SessionPtr>(std::move(found));
    session->touch(now());
    const auto last = head.fields.only("last-event-id");
    const auto stream = session->with_streams([&](web::Streams& streams) {
        return last && !last->empty() ? streams.resume(writer, *last) : streams.listen(writer);
    });
    session->mark_busy();
    if (stream) return session;
    writer->respond(no_stream(stream.error()));
    return {};
}

void HttpEndpoint::on_end_session(const Admitted& admitted, const HttpRequest& head, const WriterPtr& writer) {
    if (head.fields.count("mcp-session-id") == 0)
        return writer->respond(
            refusal(405, "a DELETE ends a session: send the header Mcp-Session-Id", {{"Allow", "POST, OPTIONS"}}));
    if (const auto wrong = web::check_version_header(head.fields)) return writer->respond(refusal(400, *wrong));
    auto found = session_of(head, admitted.principal);
    if (auto* refused = std::get_if<Response>(&found)) return writer->respond(std::move(*refused));
    end(std::get<SessionPtr>(found), why_client_ended);
    writer->respond({204});
}

// ---- HTTP+SSE of 2024-11-05

HttpEndpoint::ResponderPtr HttpEndpoint::on_old_listen(const Admitted& admitted, const WriterPtr& writer) {
    auto made = make_session(admitted, Reached::by_one_stream);
    if (auto* refused = std::get_if<Response>(&made)) return writer->respond(std::move(*refused)), nullptr;
    const SessionPtr& session = std::get<SessionPtr>(made);
    session->with_streams([&](web::Streams& streams) {
        if (const auto stream = streams.listen(writer); !stream) return writer->respond(no_stream(stream.error()));
        streams.announce(options_.entry.old_message_path + "?sessionId=" + session->id());
    });
    find(session->id(), admitted.principal, Reached::by_one_stream);  // marks the session as used
    return session;
}

void HttpEndpoint::on_old_message(const Admitted& admitted, const HttpRequest& head, std::string_view body,
                                  const WriterPtr& writer) {
    constexpr std::string_view key = "sessionId=";
    const SessionPtr session = head.query.starts_with(key)
                                   ? find(head.query.substr(key.size()), admitted.principal, Reached::by_one_stream)
                                   : nullptr;
    if (!session) return writer->respond(web::lost_session());
    core::MessageCharge charge(memory_of(admitted));
    if (const auto verdict = charge.before_decoding(body.size()); verdict != MemoryDecision::granted)
        return writer->respond(web::memory_refusal(verdict, charge.charge()));
    jsonrpc::Incoming in = jsonrpc::decode_in_arena(body, protocol::decode_limits(limits_));
    if (const auto verdict = charge.after_decoding(in); verdict != MemoryDecision::granted)
        return writer->respond(web::memory_refusal(verdict, charge.charge()));
    if (auto refused = refuse_uses(admitted, in)) return writer->respond(*std::move(refused));
    writer->respond({202});
    session->receive(std::move(in), 0, may_use(admitted), admitted.who);
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
    out->own(std::make_shared<Session::Impl>(
        server_,
        SessionOptions{
            .post = post_as(peer, options_.post), .owner = principal, .keep_tasks = true, .clock = options_.clock},
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
