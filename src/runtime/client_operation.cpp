#include "runtime/client_operation.hpp"

#include <tenon/auth/error.hpp>

#include "json/members.hpp"
#include "protocol/methods.hpp"

namespace tenon {
namespace {

std::string method_of(const core::ClientCall& call) {
    using CallKind = core::ClientCall::Kind;
    switch (call.kind) {
        case CallKind::ping: return "ping";
        case CallKind::set_level: return "logging/setLevel";
        case CallKind::subscribe: return "resources/subscribe";
        case CallKind::unsubscribe: return "resources/unsubscribe";
        case CallKind::follow: return "tasks/result";
        default: return call.method;
    }
}

bool says_error(const json::value& result) {
    const json::object* o = result.if_object();
    const json::value* failed = o ? o->if_contains("isError") : nullptr;
    return failed && failed->is_bool() && failed->get_bool();
}

OperationEnd end_of(const Error& error) {
    switch (error.code) {
        case code::call_cancelled:
        case code::connection_closed: return OperationEnd::cancelled;
        case code::request_timeout: return OperationEnd::timed_out;
        case code::limit_reached:
        case code::http_refused:
        case code::not_authorised: return OperationEnd::refused;
        default: return OperationEnd::protocol_error;
    }
}

int status_of(const Error& error) {
    const json::object* data = error.data.if_object();
    const json::value* status = data ? data->if_contains("httpStatus") : nullptr;
    return status && status->is_int64() ? static_cast<int>(status->get_int64()) : 0;
}

}  // namespace

ClientOperation::ClientOperation(std::shared_ptr<const Observers> observers, std::shared_ptr<const Ends> ends,
                                 core::ClientCall& call)
    : observers_(std::move(observers)), ends_(std::move(ends)) {
    if (!observers_ || call.kind == core::ClientCall::Kind::connect) return;
    auto state = std::make_shared<State>();
    state->method = method_of(call);
    const protocol::Method* row = protocol::find_method(state->method);
    if (row && !row->target.empty()) state->name = json::text_member(call.params, row->target);
    state->params = call.params;
    const TraceContext above = TraceContext::read(call.meta);
    state->parent = above.span_id();
    state->trace = observe::below(above, new_span_ids());
    state->trace.write(call.meta);
    state->facts = call.facts = std::make_shared<core::CallFacts>();
    state->began = std::chrono::system_clock::now();
    state->start = Clock::now();
    state_ = std::move(state);
}

std::optional<Error> ClientOperation::refused() const {
    if (!state_ || !observers_->refuse()) return std::nullopt;
    return Error{code::limit_reached,
                 "the audit log of this client cannot be written, so the call is not made (ClientOptions::audit)"};
}

void AnsweredQuestion::end(const core::Ask& question, const Result<core::AskAnswer>& answer) const {
    if (!observers_) return;
    Operation out;
    out.took = Clock::now() - start_;
    out.began =
        std::chrono::system_clock::now() - std::chrono::duration_cast<std::chrono::system_clock::duration>(out.took);
    out.method = question.method;
    out.known_method = true;
    out.client_name = ends_->client.name;
    out.client_version = ends_->client.version;
    out.transport = ends_->transport;
    out.parent_span = question.trace.span_id();
    out.trace = observe::below(question.trace, new_span_ids());
    const Error why = answer ? Error() : answer.error();  // a copy: error() may return one
    if (!answer) {
        out.end = question.stop.stop_requested() ? OperationEnd::cancelled : OperationEnd::protocol_error;
        out.error_code = why.code;
        out.reason = why.message;
    }
    observers_->report(out, ends_->note);
}

void ClientOperation::end(const Result<json::value>& outcome) const {
    if (!state_) return;
    const State& s = *state_;
    Operation out;
    out.side = Operation::Side::client;
    out.began = s.began;
    out.took = Clock::now() - s.start;
    out.method = s.method;
    out.name = s.name;
    out.known_method = protocol::find_method(s.method) != nullptr;
    out.params = &s.params;
    out.request_id = s.facts->request;
    out.revision = s.facts->revision;
    out.request_bytes = s.facts->request_bytes;
    out.response_bytes = s.facts->response_bytes;
    out.client_name = ends_->client.name;
    out.client_version = ends_->client.version;
    out.transport = ends_->transport;
    out.trace = s.trace;
    out.parent_span = s.parent;
    const Error why = outcome ? Error() : outcome.error();  // a copy: error() may return one
    if (outcome) {
        out.end = says_error(*outcome) ? OperationEnd::tool_error : OperationEnd::ok;
    } else {
        out.end = end_of(why);
        out.error_code = why.code;
        out.http_status = status_of(why);
        out.reason = why.message;
    }
    observers_->report(out, ends_->note);
}

}  // namespace tenon
