// The records of requests that the HTTP server itself refuses: because of their head, their body, or a limit. And the
// log lines of closed connections.
#include "runtime/server_impl.hpp"
#include "transport/http_server/endpoint.hpp"
#include "web/response.hpp"

namespace tenon {
namespace {

constexpr int least_refusal = 400;  // a lower status is an answer

// Two limits are found by the parser of HTTP, which knows only statuses.
LimitName limit_of(const web::Response& response) {
    if (response.limit != LimitName::none) return response.limit;
    switch (response.status) {
        case 413: return LimitName::max_message_bytes;
        case 431: return LimitName::max_head_bytes;
        default: return LimitName::none;
    }
}

const jsonrpc::Request* only_request(const jsonrpc::Incoming* in) {
    return in && !in->batch ? std::get_if<jsonrpc::Request>(&in->messages.front()) : nullptr;
}

}  // namespace

void HttpEndpoint::tell_refused(const web::Response& response, const Refused& request) const {
    if (response.status < least_refusal) return;
    Operation out;
    out.transport = "tcp";
    out.end = OperationEnd::refused;
    out.http_status = response.status;
    out.error_code = response.error;
    out.reason = response.why.empty() ? web::reason_of(response.status) : std::string_view(response.why);
    out.limit = limit_of(response);
    out.request_bytes = request.bytes;
    out.response_bytes = response.body.size();
    out.address = request.network;
    if (request.admitted && request.admitted->who) {
        const Caller& who = *request.admitted->who;
        out.principal = who.principal;
        out.address = who.address;
        out.session_id = who.session_id;
    }
    server_->refused(out, only_request(request.in), request.admitted ? *request.admitted->trace : TraceContext());
}

void HttpEndpoint::tell_closed(const ConnectionEnd& why, std::string_view network,
                               const HttpPeerPtr& peer) const noexcept {
    server_->lost({.level = why.level,
                   .what = "a connection was closed",
                   .reason = why.reason,
                   .limit = why.limit,
                   .principal = peer ? std::string_view(peer->principal) : std::string_view(),
                   .address = network});
}

}  // namespace tenon
