// The HTTP part of Conversation: requests with their headers, and event streams.
#include <algorithm>

#include "check/wire/conversation.hpp"
#include "check/wire/exchange_request.hpp"
#include "web/header_value.hpp"

namespace tenon::check {

using protocol::Trait;

namespace {

// How long a server of HTTP+SSE may take to accept a POST before the next one is sent.
constexpr Duration post_time = std::chrono::seconds(5);
constexpr int too_many_requests = 429;

}  // namespace

web::ClientRequest post_of(const Conversation& talk, std::string body, const Sent& sent) {
    web::ClientRequest out = talk.http_request("POST", std::move(body));
    if (talk.rules().is_legacy()) return out;
    // A generated method may have a line break, at which a proxy would end the field.
    out.fields.emplace_back("Mcp-Method", web::encode_header_value(sent.method));
    if (const std::string_view parameter = protocol::name_parameter(sent.method); !parameter.empty())
        if (const json::value* name = sent.params.if_contains(parameter); name && name->is_string())
            out.fields.emplace_back("Mcp-Name", web::encode_header_value(name->get_string()));
    if (talk.mirror && sent.method == "tools/call")
        for (auto& field : talk.mirror(sent.params)) out.fields.push_back(std::move(field));
    return out;
}

web::ClientRequest Conversation::http_request(std::string_view method, std::string body) const {
    web::ClientRequest out{method, subject_.web->url(), {}, std::move(body)};
    if (method == "POST") out.fields.emplace_back("Content-Type", "application/json");
    if (method != "DELETE")
        out.fields.emplace_back("Accept",
                                method == "GET" ? "text/event-stream" : "application/json, text/event-stream");
    if (!session_.empty()) out.fields.emplace_back("Mcp-Session-Id", session_);
    if (!subject_.sse && (introduced_ || rules_.is_modern()))
        out.fields.emplace_back("MCP-Protocol-Version", std::string(rules_.name()));
    for (const auto& field : subject_.options.target.headers) out.fields.push_back(field);
    return out;
}

std::shared_ptr<Exchange> Conversation::exchange(web::ClientRequest request) {
    return exchange_raw(web::write_request(request, nullptr));
}

std::shared_ptr<Exchange> Conversation::exchange_raw(std::string bytes) {
    const auto sent = subject_.web->send(std::move(bytes));
    open_.push_back({sent, 0});
    raw_.push_back(sent);
    return sent;
}

bool Conversation::is_raw(const Exchange& exchange) const {
    return std::ranges::find(raw_, &exchange, &std::shared_ptr<Exchange>::get) != raw_.end();
}

bool Conversation::wait_for(const std::shared_ptr<Exchange>& exchange, bool head_only) {
    return wait_until(subject_.patience(), [&] { return exchange->ended() || (head_only && exchange->status() != 0); });
}

// ---- HTTP+SSE, the transport of 2024-11-05

// Opens the stream and waits for its first event, which names the URL for messages.
bool Conversation::listen() {
    stream_ = subject_.web->send(web::write_request(http_request("GET"), nullptr));
    const auto has_endpoint = [&] { return !stream_->events().empty() || stream_->ended(); };
    subject_.web->run_until(subject_.patience(), has_endpoint);
    if (!stream_->is_stream() || stream_->events().empty() || stream_->events().front().type != "endpoint") {
        why_ = "a GET opens no stream with an `endpoint` event";
        return false;
    }
    const auto url = web::resolve_reference(subject_.web->url(), stream_->events().front().data);
    if (!url || !web::same_origin(*url, subject_.web->url())) {
        why_ = "the `endpoint` event names no URL of the same origin: " + stream_->events().front().data;
        return false;
    }
    endpoint_ = *url;
    return true;
}

void Conversation::post_to_endpoint(Sent& sent, std::string_view bytes, const Tweak& tweak) {
    if (gone_) return;
    if (!endpoint_ && !listen()) {
        gone_ = true;
        return;
    }
    web::ClientRequest request = http_request("POST", std::string(bytes));
    request.url = *endpoint_;
    if (tweak) tweak(request);
    sent.post = subject_.web->send(web::write_request(request, nullptr));
    // Two POSTs on two connections could arrive in another order.
    subject_.web->run_until(std::min(subject_.patience(), Clock::now() + post_time),
                            [&] { return sent.post->ended(); });
}

// The body of a refused POST is not a message, and no response comes on the stream.
bool Conversation::is_refused(const Sent& sent) {
    return sent.post && sent.post->ended() && (sent.post->status() >= 400 || !sent.post->broken().empty());
}

void Conversation::take_stream() {
    if (!stream_) return;
    for (; stream_events_ < stream_->events().size(); ++stream_events_)
        if (stream_->events()[stream_events_].type != "endpoint") take(stream_->events()[stream_events_].data, {}, 0);
    if (stream_->ended()) gone_ = true;
}

void Conversation::collect() {
    take_stream();
    for (std::size_t i = 0; i < open_.size(); ++i) take_events(open_[i]);  // by index: open_ may grow
    std::erase_if(open_, [](const Open& open) { return open.exchange->ended(); });
}

// Returns whether the body is a message. A body with an error status often comes from a proxy, so it is a message only
// if it is a complete JSON-RPC error. Other rules judge the body of a 202, and the responses to GET and DELETE.
bool Conversation::carries_message(const Exchange& exchange) const {
    if (!exchange.is_json() || exchange.body().empty() || is_raw(exchange)) return false;
    if (exchange.status() == too_many_requests) return false;
    if (exchange.status() == 200) return true;
    const auto parsed = exchange.status() >= 400 ? json::parse(exchange.body()) : Result<json::value>(Error{});
    const json::object* o = parsed ? parsed->if_object() : nullptr;
    const json::value* error = o && o->contains("jsonrpc") ? o->if_contains("error") : nullptr;
    return error && error->is_object() && error->get_object().contains("code");
}

void Conversation::take_events(Open& open) {
    const auto exchange = open.exchange;  // `open` may move
    const std::size_t number = open.number;
    const bool ended = exchange->ended();
    const std::size_t from = open.events;
    open.events = exchange->events().size();
    for (std::size_t i = from; i < exchange->events().size(); ++i) take(exchange->events()[i].data, exchange, number);
    if (!ended) return;
    if (exchange->status() == too_many_requests) subject_.note_limit();
    if (carries_message(*exchange)) take(exchange->body(), exchange, number);
    if (listener_) listener_->ended(*exchange, find(number), *this);
}

// Resumes a stream that ended before its response (2025-11-25).
bool Conversation::resume(Sent& sent) {
    const auto before = sent.exchange;
    if (!before || !before->is_stream() || before->last_event_id().empty() || rules_.is_modern()) return false;
    wait_until(std::min(subject_.patience(), later(Clock::now(), before->retry())), [] { return false; });
    web::ClientRequest request = http_request("GET");
    request.fields.emplace_back("Last-Event-ID", before->last_event_id());
    sent.exchange = subject_.web->send(web::write_request(request, nullptr));
    open_.push_back({sent.exchange, sent.number});
    return true;
}

}  // namespace tenon::check
