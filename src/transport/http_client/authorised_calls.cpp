#include "transport/http_client/authorised_calls.hpp"

#include <boost/asio/post.hpp>

namespace tenon {
namespace {

constexpr std::size_t most_swallowed = 64 * 1024;  // bytes that are read and dropped of a refused response's body

std::vector<auth::client::Challenge> challenges_of(const framing::HttpResponse& head) {
    std::string all;
    for (const auto& field : head.fields.all())
        if (framing::equal_ignoring_case(field.name, "www-authenticate"))
            (all += all.empty() ? "" : ", ") += field.value;
    return auth::client::parse_challenges(all);
}

}  // namespace

AuthorisedCalls::Call::Call(AuthorisedCalls& gate, web::ClientRequest request, HttpCall::Events events,
                            HttpCalls::Urgency urgency)
    : gate_(gate), request_(std::move(request)), events_(std::move(events)), urgency_(urgency) {}

void AuthorisedCalls::Call::abort() {
    if (std::exchange(over_, true)) return;
    if (call_) call_->abort();
}

void AuthorisedCalls::Call::start() {
    if (!gate_.sign_in_) {
        call_ = gate_.calls_.start(std::move(request_), std::move(events_), urgency_);
        return;
    }
    gate_.sign_in_->before_request([weak = weak_from_this()] {
        const auto self = weak.lock();
        if (self && !self->over_) self->send();
    });
}

void AuthorisedCalls::Call::send() {
    ++tries_;
    refused_.reset();
    swallowed_ = 0;
    generation_ = gate_.sign_in_->generation();
    web::ClientRequest request = request_;
    for (auto& field : gate_.sign_in_->fields(request.method, request.url)) request.fields.push_back(std::move(field));
    HttpCall::Events events;
    // The owner of a call may destroy it inside an event.
    const auto with = [weak = weak_from_this()](auto what) {
        const auto self = weak.lock();
        if (self && !self->over_) what(*self);
    };
    events.sent = [with] { with([](Call& c) { c.events_.sent(); }); };
    events.head = [with](const framing::HttpResponse& head) { with([&](Call& c) { c.on_head(head); }); };
    events.piece = [with](std::string_view bytes) { with([&](Call& c) { c.on_piece(bytes); }); };
    events.end = [with] { with([](Call& c) { c.on_end(); }); };
    events.failed = [with](const Error& why) { with([&](Call& c) { c.events_.failed(why); }); };
    call_ = gate_.calls_.start(std::move(request), std::move(events), urgency_);
}

void AuthorisedCalls::Call::on_head(const framing::HttpResponse& head) {
    if (const auto nonce = head.fields.only("dpop-nonce")) gate_.sign_in_->saw_nonce(std::string(*nonce));
    HttpSignIn::Refused refused{head.status, challenges_of(head), generation_};
    if (tries_ < max_authorised_tries && gate_.sign_in_->can_help(refused)) {
        refused_ = std::move(refused);
        return;
    }
    if (head.status != 401) gate_.sign_in_->accepted(generation_);
    request_.body.clear();  // the request will not be sent again
    events_.head(head);
}

void AuthorisedCalls::Call::on_piece(std::string_view bytes) {
    if (!refused_) return events_.piece(bytes);
    if ((swallowed_ += bytes.size()) <= most_swallowed) return;
    call_->abort();
    ask_for_tokens();
}

void AuthorisedCalls::Call::on_end() { refused_ ? ask_for_tokens() : events_.end(); }

void AuthorisedCalls::Call::ask_for_tokens() {
    gate_.sign_in_->sign_in(*refused_, [weak = weak_from_this()](const Result<void>& result) {
        const auto self = weak.lock();
        if (!self || self->over_) return;
        result ? self->send() : self->events_.failed(result.error());
    });
}

std::shared_ptr<AuthorisedCalls::Call> AuthorisedCalls::start(web::ClientRequest request, HttpCall::Events events,
                                                              HttpCalls::Urgency urgency) {
    auto call = std::make_shared<Call>(*this, std::move(request), std::move(events), urgency);
    call->start();
    return call;
}

void AuthorisedCalls::finish() {
    if (sign_in_) sign_in_->finish();
}

}  // namespace tenon
