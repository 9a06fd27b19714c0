#include "inspect/tap_exchange.hpp"

#include "framing/http_response.hpp"
#include "inspect/members.hpp"
#include "inspect/tap_headers.hpp"
#include "transport/http_client/masked_exchange.hpp"

namespace tenon::inspect {
namespace {

constexpr std::size_t max_tap_body = 16 * 1024 * 1024;     // of a response that is not a stream
constexpr std::size_t max_tap_event = 16 * 1024 * 1024;    // a longer event passes without the gate
constexpr std::size_t max_tap_backlog = 32 * 1024 * 1024;  // of a stream that waits for the user or the client

struct Introduction {
    bool is_request = false;
    bool begins = false;  ///< it introduces a client
};

Introduction look_at(const std::string& body) {
    const auto value = json::parse(body);
    const json::object* o = value ? value->if_object() : nullptr;
    if (!o) return {};
    const std::string method = text_of_member(*o, "method");
    return {!method.empty() && o->contains("id"), method == "initialize"};
}

}  // namespace

std::uint64_t TapConnections::of_request(const std::string& session, bool begins) {
    if (session.empty()) {
        if (begins || current_ == 0) current_ = next_++;
        return current_;
    }
    if (const auto known = sessions_.find(session); known != sessions_.end()) return known->second;
    learn(session, next_);
    return next_++;
}

void TapConnections::learn(const std::string& session, std::uint64_t number) {
    if (sessions_.size() >= max_sessions) sessions_.erase(sessions_.begin());
    sessions_[session] = number;
}

void TapStream::add(std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    bytes_ += bytes;
}

void TapStream::end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
}

std::optional<std::string> TapStream::take() {
    const std::lock_guard lock(mutex_);
    if (bytes_.empty() && ended_) return std::nullopt;
    return std::exchange(bytes_, {});
}

std::size_t TapStream::size() const {
    const std::lock_guard lock(mutex_);
    return bytes_.size();
}

TapExchange::TapExchange(Parts parts, std::uint64_t id, web::ClientRequest request, std::shared_ptr<SiteReply> reply)
    : parts_(parts), id_(id), begin_(wall_clock()), request_(std::move(request)), reply_(std::move(reply)) {}

TapExchange::~TapExchange() {
    if (!held_.empty()) parts_.gate.forget(held_);
}

void TapExchange::start() {
    const Introduction message = look_at(request_.body);
    is_request_ = message.is_request;
    connection_ = parts_.connections.of_request(field_value(request_.fields, "mcp-session-id"), message.begins);
    if (request_.method == "POST") held_ = parts_.gate.hold(place(true), request_.body);
    if (held_.empty()) send();
}

void TapExchange::send() {
    sent_ = true;
    parts_.owner.forward(*this, request_);
}

void TapExchange::look_for_decision() {
    if (held_.empty()) return;
    const auto decision = parts_.gate.take_decision(held_);
    if (!decision) return;
    held_.clear();
    if (flow_) {
        decision->drop ? flow_->drop() : flow_->release(decision->text);
        return pass_on();
    }
    if (sent_) {
        if (decision->drop) return;  // the client waits for the response, as if it was lost
        if (decision->text) body_ = *decision->text;
        return respond();
    }
    if (decision->drop) {
        if (!is_request_) refuse(202, "");  // otherwise the client waits for a response, as if the request was lost
        return;
    }
    if (decision->text) {
        request_.body = *decision->text;
        if (const auto value = json::parse(request_.body)) repeat_message(request_.fields, *value);
    }
    send();
}

bool TapExchange::is_of_type(std::string_view type) const {
    const std::string said = field_value(fields_, "content-type");
    return framing::equal_ignoring_case(framing::trimmed(std::string_view(said).substr(0, said.find(';'))), type);
}

// Tells about the exchange as HTTP. The messages are told on their own.
void TapExchange::tell(const std::string& error) const {
    json::object data = {{"method", request_.method},
                         {"url", masked_request("", request_.url.text(), {}, {}).url},
                         {"connection", connection_},
                         {"request_headers", shown_fields(request_.fields, parts_.own)},
                         {"status", status_},
                         {"response_headers", shown_fields(fields_, {})},
                         {"stream", stream_ != nullptr},
                         {"ms", wall_clock() - begin_}};
    if (!error.empty()) data["error"] = error;
    parts_.recorder.tell("exchange", std::move(data));
}

void TapExchange::on_head(const framing::HttpResponse& head) {
    status_ = head.status;
    fields_ = response_fields(head.fields);
    if (const std::string session = field_value(fields_, "mcp-session-id"); !session.empty())
        parts_.connections.learn(session, connection_);
    if (status_ == 200 && is_of_type("text/event-stream")) begin_stream();
    tell("");
}

void TapExchange::begin_stream() {
    stream_ = std::make_shared<TapStream>();
    flow_.emplace(
        max_tap_event,
        [this](std::string_view message) {
            held_ = parts_.gate.hold(place(false), message);
            return !held_.empty();
        },
        tap_events);
    web::OwnFields fields = fields_;
    std::erase_if(fields, [](const auto& field) {  // the listener writes them
        return framing::equal_ignoring_case(field.first, "content-type") ||
               framing::equal_ignoring_case(field.first, "cache-control") ||
               framing::equal_ignoring_case(field.first, "x-accel-buffering");
    });
    reply_->stream({}, parts_.owner.source_of(*this, stream_), std::move(fields));
}

void TapExchange::on_piece(std::string_view bytes) {
    if (flow_) {
        flow_->feed(bytes);
        return pass_on();
    }
    if (body_.size() + bytes.size() <= max_tap_body) {
        body_ += bytes;
        return;
    }
    parts_.owner.abort(*this);
    refuse(502, "The response of the server is larger than 16 MiB.");
}

void TapExchange::pass_on() {
    stream_->add(flow_->output());
    flow_->written(flow_->output().size());
    const bool too_much = flow_->backlog() + stream_->size() > max_tap_backlog;
    if (too_much) parts_.owner.abort(*this);
    const bool done = too_much || flow_->is_done();
    if (done) stream_->end();
    parts_.owner.wake_stream();
    if (done) parts_.owner.over(*this);  // destroys this
}

void TapExchange::on_end() {
    if (flow_) {
        flow_->end();
        return pass_on();
    }
    const bool message =
        !body_.empty() && is_of_type("application/json") && field_value(fields_, "content-encoding").empty();
    if (message) held_ = parts_.gate.hold(place(false), body_);
    if (held_.empty()) respond();
}

void TapExchange::respond() {
    web::Response response;
    response.status = status_;
    response.body = std::move(body_);
    reply_->respond(std::move(response), std::move(fields_));
    parts_.owner.over(*this);  // destroys this
}

void TapExchange::refuse(int status, const std::string& why) {
    web::Response response;
    response.status = status;
    if (!why.empty()) {
        response.content_type = "text/plain; charset=utf-8";
        response.body = why + "\n";
    }
    reply_->respond(std::move(response));
    parts_.owner.over(*this);  // destroys this
}

void TapExchange::on_failed(const std::string& why) {
    tell(why);
    if (!flow_) return refuse(502, "The server cannot be reached: " + why);
    flow_->end();
    pass_on();
}

}  // namespace tenon::inspect
