#include "transport/http_client/calls.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "base/utf8.hpp"
#include "web/client_response.hpp"

namespace tenon {
namespace {

namespace step = web::conversation;

constexpr std::size_t connections_for_urgent_calls = 3;  // for web::Urgency::urgent, beyond max_connections
constexpr std::size_t most_quoted = 200;

}  // namespace

// ---- one call

std::shared_ptr<HttpWire> HttpCall::leave_wire() {
    if (wire_ && urgent_) --calls_.urgent_running_;
    return std::exchange(wire_, {});
}

void HttpCall::close_wire() {
    if (const auto wire = leave_wire()) wire->close();
}

void HttpCall::abort() {
    if (std::exchange(over_, true)) return;
    close_wire();
    std::erase(calls_.urgent_, shared_from_this());
    std::erase(calls_.waiting_, shared_from_this());
}

void HttpCall::fail(Error why) {
    if (std::exchange(over_, true)) return;
    close_wire();
    user_.on_event(step::Failed{id_, std::move(why)});
}

void HttpCall::on_sent() {
    if (!over_) user_.on_event(step::Sent{id_});
}

void HttpCall::on_head(const framing::HttpResponse& head) {
    if (over_) return;
    if (const auto location = web::redirect_target(head, request_.method)) return redirect(std::string(*location));
    request_.body.clear();  // the request will not be sent again
    user_.on_event(step::Head{id_, head});
}

// Follows redirects only within the origin: the user's headers are meant for this origin, not for others that it names.
void HttpCall::redirect(std::string_view location) {
    const auto to = web::resolve_reference(request_.url, location);
    if (!to) return fail({code::connection_closed, "the server redirects to an invalid URL: " + to.error().message});
    if (!web::same_origin(*to, request_.url))
        return fail({code::connection_closed, "the server redirects to another origin, which is not followed: " +
                                                  base::shorten(to->text(), most_quoted)});
    if (++redirects_ > calls_.bounds_.max_redirects)
        return fail({code::connection_closed, "the server redirects more than " +
                                                  std::to_string(calls_.bounds_.max_redirects) +
                                                  " times (max_redirects)"});
    request_.url = *to;
    close_wire();  // instead of reading the body of the redirect
    calls_.enqueue(shared_from_this());
}

void HttpCall::on_piece(std::string_view bytes) {
    if (!over_) user_.on_event(step::Piece{id_, bytes});
}

void HttpCall::on_end() {
    leave_wire();
    if (!std::exchange(over_, true)) user_.on_event(step::End{id_});
}

void HttpCall::on_broken(const std::string& why, bool untouched) {
    leave_wire();
    if (over_) return;
    if (!untouched || std::exchange(tried_again_, true)) return fail({code::connection_closed, why});
    calls_.close_idle();  // the server has probably closed the other idle ones too, so the retry uses a new connection
    calls_.enqueue(shared_from_this());
}

// ---- all calls

HttpCalls::HttpCalls(std::shared_ptr<asio::io_context> context, std::shared_ptr<const HttpRoute> route, Bounds bounds)
    : context_(std::move(context)), route_(std::move(route)), bounds_(bounds) {}

std::shared_ptr<HttpCall> HttpCalls::start(web::ClientRequest request, HttpCall::User& user, HttpCall::Id id,
                                           web::Urgency urgency) {
    auto call = std::make_shared<HttpCall>(*this, std::move(request), user, id, urgency);
    enqueue(call);
    return call;
}

void HttpCalls::enqueue(const std::shared_ptr<HttpCall>& call) {
    (call->urgent_ ? urgent_ : waiting_).push_back(call);
    pump();
}

void HttpCalls::pump() {
    if (closed_) return;
    while (serve(urgent_, bounds_.max_connections + connections_for_urgent_calls) ||
           serve(waiting_, bounds_.max_connections + urgent_running_)) {
    }
}

// Gives one call a connection or starts to dial one. Returns false when neither is possible now.
bool HttpCalls::serve(std::deque<std::shared_ptr<HttpCall>>& queue, std::size_t limit) {
    if (queue.empty()) return false;
    if (!idle_.empty()) {
        const auto wire = idle_.back();
        idle_.pop_back();
        const auto call = queue.front();
        queue.pop_front();
        give(call, wire);
        return true;
    }
    if (dials_.size() >= urgent_.size() + waiting_.size() || wires_.size() + dials_.size() >= limit) return false;
    dial();
    return true;
}

void HttpCalls::give(const std::shared_ptr<HttpCall>& call, const std::shared_ptr<HttpWire>& wire) {
    call->wire_ = wire;
    if (call->urgent_) ++urgent_running_;
    wire->send(web::write_request(call->request_, route_->forwarder()), call);
}

void HttpCalls::dial() {
    const auto slot = std::make_shared<std::weak_ptr<HttpDial>>();
    const auto made = std::make_shared<HttpDial>(context_, route_, [this, slot](auto socket) {
        if (const auto self = slot->lock()) dialed(self, std::move(socket));
    });
    *slot = made;
    dials_.insert(made);
    // Posted, because a failure at once would call an event from inside start().
    asio::post(*context_, [made] { made->start(); });
}

void HttpCalls::dialed(const std::shared_ptr<HttpDial>& dial, Result<std::unique_ptr<HttpSocket>> socket) {
    dials_.erase(dial);
    if (closed_) return;
    if (socket) {
        const auto wire = std::make_shared<HttpWire>(*std::move(socket), *context_, route_->limits,
                                                     [this](HttpWire* w) { freed(w); });
        wires_.insert(wire);
        wire->start();
        freed(wire.get());
        return;
    }
    auto& queue = urgent_.empty() ? waiting_ : urgent_;
    if (!queue.empty()) {
        const auto call = queue.front();
        queue.pop_front();
        call->fail(socket.error());
    }
    pump();
}

void HttpCalls::freed(HttpWire* wire) {
    const auto it = std::ranges::find_if(wires_, [&](const auto& w) { return w.get() == wire; });
    if (it == wires_.end()) return;
    const auto kept = *it;  // NOLINT(performance-unnecessary-copy-initialization): it outlives its place in wires_
    if (wire->closed()) {
        std::erase(idle_, kept);
        wires_.erase(it);
    } else {
        idle_.push_back(kept);
        kept->close_when_idle_for(bounds_.idle_time);
    }
    pump();
}

void HttpCalls::close_idle() {
    for (const auto& wire : std::vector(idle_)) wire->close();
}

void HttpCalls::close() {
    closed_ = true;
    reset();
}

// Needs no memory, so that it works when memory is short.
void HttpCalls::reset() {
    for (auto* queue : {&urgent_, &waiting_}) {
        for (const auto& call : *queue) call->over_ = true;
        queue->clear();
    }
    idle_.clear();
    for (const auto& dial : std::exchange(dials_, {})) dial->cancel();
    for (const auto& wire : std::exchange(wires_, {})) wire->close();
    urgent_running_ = 0;
}

}  // namespace tenon
