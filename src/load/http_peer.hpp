// Prepares an HTTP server for the measurement: does handshakes and opens streams, one after the other.
#pragma once

#include <functional>
#include <string>

#include <tenon/bench.hpp>
#include <tenon/client_transport.hpp>

#include "load/channel.hpp"
#include "load/http_responses.hpp"
#include "load/prepared_call.hpp"
#include "web/client_request.hpp"

namespace tenon::load {

class HttpPeer {
 public:
    static Result<HttpPeer> at(const bench::Options& options, const protocol::Rules& rules);

    Result<Channel> dial() const { return dialer_->dial(deadline()); }
    /// Does the handshake, if the revision has one. Returns the headers of later requests.
    Result<web::ClientContext> introduce(Channel& channel) const;
    /// Opens a stream that stays open.
    Result<Channel> open_stream(const web::ClientContext& context) const;
    /// Sends DELETE, if there is a session. Ignores errors.
    void end(Channel& channel, const web::ClientContext& context) const;
    /// Returns the head of a request with a body of this size.
    std::string head_of(const web::ClientContext& context, const OutgoingMessage& message, std::size_t body_size) const;

 private:
    HttpPeer(const bench::Options& options, const protocol::Rules& rules) : options_(&options), rules_(rules) {}

    struct Received {
        int status = 0;
        bool stream = false;
        std::string session = {}, body = {};
    };
    enum class Until { end, head };
    Result<Received> exchange(Channel& channel, const std::string& request, Until until) const;
    std::string request_of(const web::ClientContext& context, std::string_view method, const std::string& body) const;
    TimePoint deadline() const { return later(Clock::now(), options_->answer_time); }

    const bench::Options* options_;
    protocol::Rules rules_;
    web::Url url_;
    std::optional<Dialer> dialer_;
};

}  // namespace tenon::load
