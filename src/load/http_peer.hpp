// The HTTP server that is measured: handshakes and streams, one step after the other, before anything is measured.
#pragma once

#include <functional>
#include <string>

#include <tenon/bench.hpp>
#include <tenon/client_transport.hpp>

#include "http/client_request.hpp"
#include "load/channel.hpp"
#include "load/http_answers.hpp"
#include "load/prepared_call.hpp"

namespace tenon::load {

class HttpPeer {
 public:
    static Result<HttpPeer> at(const bench::Options& options, const protocol::Rules& rules);

    Result<Channel> dial() const { return dialer_->dial(deadline()); }
    /// What a client of this server says with every request: after a handshake, where the revision has one.
    Result<web::ClientContext> introduce(Channel& channel) const;
    /// A stream that stays open and silent.
    Result<Channel> open_stream(const web::ClientContext& context) const;
    /// Says goodbye, where there is a session; whether that is heard does not matter.
    void end(Channel& channel, const web::ClientContext& context) const;
    /// The head of a request, for a body of this size.
    std::string head_of(const web::ClientContext& context, const OutgoingMessage& message, std::size_t body_size) const;

 private:
    HttpPeer(const bench::Options& options, const protocol::Rules& rules) : options_(&options), rules_(rules) {}

    struct Answer {
        int status = 0;
        bool stream = false;
        std::string session = {}, body = {};
    };
    enum class Until { end, head };
    Result<Answer> exchange(Channel& channel, const std::string& request, Until until) const;
    std::string request_of(const web::ClientContext& context, std::string_view method, const std::string& body) const;
    TimePoint deadline() const { return later(Clock::now(), options_->answer_time); }

    const bench::Options* options_;
    protocol::Rules rules_;
    web::Url url_;
    std::optional<Dialer> dialer_;
};

}  // namespace tenon::load
