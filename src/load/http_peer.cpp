#include "load/http_peer.hpp"

#include <poll.h>

#include "load/trace.hpp"

namespace tenon::load {
namespace {

Error refused(const std::string& what, const std::string& why) {
    return {code::connection_closed, "the server refused the load test: " + what + " " + why};
}

Result<void> write_all(Channel& channel, std::string_view bytes, TimePoint deadline) {
    while (!bytes.empty()) {
        const auto [state, n] = channel.write({}, bytes);
        bytes.remove_prefix(n);
        if (state == Channel::State::closed) return refused("a request", "could not be sent");
        if (state == Channel::State::would_wait && !wait_for(channel.fd(), POLLOUT, deadline))
            return refused("a request", "could not be sent in time");
    }
    return {};
}

}  // namespace

Result<HttpPeer> HttpPeer::at(const bench::Options& options, const protocol::Rules& rules) {
    HttpPeer out(options, rules);
    auto url = web::parse_url(options.target.url);
    if (!url) return url.error();
    if (auto fields = web::check_fields(options.target.headers); !fields) return fields.error();
    out.url_ = *std::move(url);
    auto dialer = Dialer::to(out.url_, options.target.ca_file, out.deadline());
    if (!dialer) return dialer.error();
    out.dialer_ = *std::move(dialer);
    return out;
}

std::string HttpPeer::head_of(const web::ClientContext& context, const OutgoingMessage& message,
                              std::size_t body_size) const {
    OutgoingMessage with_size = message;
    with_size.body.assign(body_size, ' ');
    std::string out = web::write_request(web::post_message(url_, context, with_size), nullptr);
    out.resize(out.size() - body_size);
    return out;
}

std::string HttpPeer::request_of(const web::ClientContext& context, std::string_view method,
                                 const std::string& body) const {
    OutgoingMessage message;
    message.method = method;
    message.stateless = rules_.is_modern();
    return head_of(context, message, body.size()) + body;
}

Result<HttpPeer::Received> HttpPeer::exchange(Channel& channel, const std::string& request, Until until) const {
    const TimePoint by = deadline();
    if (const std::size_t body = request.find("\r\n\r\n") + 4; body < request.size())
        wire().sent(std::string_view(request).substr(body));
    if (auto sent = write_all(channel, request, by); !sent) return sent.error();
    HttpResponses answers(options_->max_message_bytes);
    answers.expect();
    Received out;
    const auto use = [&](std::string_view message) {
        wire().received(message);
        out.body = message;
    };
    using Answer = HttpResponses::State;
    for (Answer state = Answer::more; state != Answer::done && !(state == Answer::head && until == Until::head);) {
        const auto [moved, n] = channel.read(answers.room());
        if (moved == Channel::State::would_wait && !wait_for(channel.fd(), POLLIN, by))
            return refused("a request", "was not answered in time");
        if (moved == Channel::State::moved) state = answers.take(n, use);
        if (state == Answer::head && until == Until::end) state = answers.take(0, use);
        if (moved == Channel::State::closed) {
            state = answers.end_of_input(use);
            channel.close();
        }
        if (state == Answer::broken) return refused("a request", "got no answer: " + answers.why());
    }
    out.status = answers.status();
    out.stream = answers.is_stream();
    out.session = answers.session();
    return out;
}

Result<web::ClientContext> HttpPeer::introduce(Channel& channel) const {
    web::ClientContext out;
    out.fields = options_->target.headers;
    const Introduction words = introduction(rules_);
    if (rules_.is_modern()) {
        out.revision = rules_.name();
        return out;
    }
    auto answer = exchange(channel, request_of(out, "initialize", words.initialize), Until::end);
    if (!answer) return answer.error();
    if (answer->status != 200) return refused("`initialize`", "got HTTP status " + std::to_string(answer->status));
    auto revision = revision_in(answer->body);
    if (!revision) return revision.error();
    out.revision = *std::move(revision);
    out.session = answer->session;
    if (!channel.open()) return refused("`initialize`", "ended the connection");
    auto done = exchange(channel, request_of(out, "notifications/initialized", words.initialized), Until::end);
    if (!done) return done.error();
    if (done->status / 100 != 2)
        return refused("`notifications/initialized`", "got HTTP status " + std::to_string(done->status));
    return out;
}

void HttpPeer::end(Channel& channel, const web::ClientContext& context) const {
    if (context.session.empty() || !channel.open()) return;
    (void)exchange(channel, web::write_request(web::delete_session(url_, context), nullptr), Until::end);
}

Result<Channel> HttpPeer::open_stream(const web::ClientContext& context) const {
    auto channel = dial();
    if (!channel) return channel.error();
    const bool handshake = rules_.is_legacy();
    const std::string request = handshake ? web::write_request(web::get_stream(url_, context, {}), nullptr)
                                          : request_of(context, "subscriptions/listen", introduction(rules_).listen);
    auto answer = exchange(*channel, request, Until::head);
    if (!answer) return answer.error();
    if (answer->status != 200 || !answer->stream)
        return refused("a stream", "could not be opened: HTTP status " + std::to_string(answer->status));
    return channel;
}

}  // namespace tenon::load
