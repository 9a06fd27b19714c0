// How a connection ends: by its time limits, by its client, or with the server.
#include "transport/http_server/connection.hpp"
#include "web/response.hpp"

namespace tenon {

void HttpConnection::check_time(TimePoint now) {
    enter();
    if (wake_lost_.load() && wake_lost_.exchange(false)) resume();
    if (is_closed()) return;
    if (!parser_.busy() && !is_answering()) give_back_memory();
    if (patience_) deadline_ = later(now, *std::exchange(patience_, {}));
    if (!deadline_ || now < *deadline_) return;
    deadline_.reset();
    if (phase_ == Phase::awaiting_admission)
        return respond_directly(web::refusal(503, "this server cannot check tokens at the moment; try again"), true);
    if (parser_.busy() && phase_ == Phase::receiving) {
        const LimitName limit = admitted_ ? LimitName::body_time : LimitName::head_time;
        return respond_directly(
            web::refusal(408, Error{code::server_error, "the request did not arrive in time", limit}), true);
    }
    close(why_timed_out());
}

const ConnectionEnd& HttpConnection::why_timed_out() const {
    if (phase_ == Phase::lingering) return connection_ends::last_response;
    if (is_answering()) return connection_ends::not_read;
    return served_ ? connection_ends::idle : connection_ends::no_request;
}

const ConnectionEnd& HttpConnection::why_client_left() const {
    if (phase_ == Phase::lingering) return connection_ends::last_response;
    const bool between = phase_ == Phase::receiving && !parser_.busy();
    return between ? connection_ends::client_closed : connection_ends::client_left;
}

// Called when the connection is idle. Frees the buffers, so that an idle connection uses little memory.
void HttpConnection::give_back_memory() {
    if (body_.empty()) body_.give_back();
    if (body_.empty() && ahead_.empty()) in_charge_.release();
    if (!out_.empty()) return;
    std::string().swap(out_);  // frees the memory; assigning an empty string would keep the buffer
    out_charge_.release();
}

void HttpConnection::finish() {
    finishing_ = true;
    if (phase_ == Phase::awaiting_admission)
        return respond_directly(web::refusal(503, "the server is shutting down"), true);
    if (!is_answering() && !writing_) close(connection_ends::server_stops);
}

void HttpConnection::close(const ConnectionEnd& why) {
    if (is_closed()) return;
    const bool incomplete = phase_ != Phase::flushing;
    phase_ = Phase::closed;
    const auto self = shared_from_this();
    if (answer_) answer_->abandon();
    if (handling_ && handling_->state.exchange(Handling::State::abandoned) == Handling::State::done)
        responder_ = std::move(handling_->responder);
    socket_->close();
    on_closed_(this);
    shared_->endpoint->tell_closed(why, network_, peer_);
    if (const auto responder = std::exchange(responder_, {}); responder && incomplete) responder->client_gone(*answer_);
}

}  // namespace tenon
