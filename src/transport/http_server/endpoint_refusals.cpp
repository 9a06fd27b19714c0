// The records of requests that the HTTP server itself refuses: because of their head, their body, or a limit.
#include "core/server/named.hpp"
#include "runtime/server_impl.hpp"
#include "transport/http_server/endpoint.hpp"
#include "web/response.hpp"

namespace tenon {
namespace {

constexpr int least_refusal = 400;  // a lower status is an answer

const jsonrpc::Request* only_request(const jsonrpc::Incoming* in) {
    return in && !in->batch ? std::get_if<jsonrpc::Request>(&in->messages.front()) : nullptr;
}

void describe(Operation& out, const jsonrpc::Request& request) {
    const protocol::Method* row = protocol::find_method(request.method);
    out.method = request.method;
    out.known_method = row != nullptr;
    out.name = row ? core::named(request.method, row, request.params) : std::string_view();
    out.params = &request.params;
}

std::string id_of(const jsonrpc::Request& request) {
    std::string out;
    json::Writer w(out);
    request.id.write(w);
    return out;
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
    out.request_bytes = request.bytes;
    out.response_bytes = response.body.size();
    out.address = request.network;
    std::string id;
    if (const jsonrpc::Request* message = only_request(request.in)) {
        describe(out, *message);
        out.request_id = id = id_of(*message);
    }
    if (request.admitted && request.admitted->who) {
        const Caller& who = *request.admitted->who;
        out.principal = who.principal;
        out.address = who.address;
        out.session_id = who.session_id;
    }
    if (server_->observed())
        out.trace = observe::below(request.admitted ? *request.admitted->trace : TraceContext(), new_span_ids());
    server_->report(out);
}

}  // namespace tenon
