// The end of a request: a log line if it failed, and a record for observers.
#include "core/server/message_meta.hpp"
#include "core/server/named.hpp"
#include "io/last_resort.hpp"
#include "observe/mask.hpp"
#include "observe/operation_log.hpp"
#include "runtime/server_impl.hpp"

namespace tenon {
namespace {

bool is_worth_a_line(const Operation& o) {
    if (o.side == Operation::Side::client) return false;  // the handler gets the error of its question
    switch (o.end) {
        case OperationEnd::ok:
        case OperationEnd::input_required:
        case OperationEnd::timed_out: return o.kind == Operation::Kind::task;
        case OperationEnd::cancelled: return o.error_code != 0;  // not by the client
        default: return true;
    }
}

void describe(Operation& out, const Caller& caller) {
    out.principal = caller.principal;
    out.session_id = caller.session_id;
    out.address = caller.address;
}

void describe(Operation& out, const core::Call& call) {
    out.method = call.method;
    out.name = core::named(call);
    out.known_method = call.row || call.extension_method;
    out.known_name = call.known_name || call.extension_method;
    out.params = &call.params;
}

void describe(Operation& out, const core::Peer& peer) {
    out.revision = peer.rules.name();
    if (peer.rules.is_modern()) out.session_id = {};  // this revision has no sessions; the name is ours
    out.client_name = peer.info.name;
    out.client_version = peer.info.version;
}

void describe(Operation& out, const jsonrpc::Request& request) {
    const protocol::Method* row = protocol::find_method(request.method);
    out.method = request.method;
    out.known_method = row != nullptr;
    out.name = row ? core::named(request.method, row, request.params) : std::string_view();
    out.params = &request.params;
}

void describe_failure(Operation& question, const Error& why) {
    question.error_code = why.code;
    question.reason = why.message;
    question.limit = why.code == code::request_timeout ? LimitName::ask_time : LimitName::none;
    question.end = why.code == code::request_timeout          ? OperationEnd::timed_out
                   : why.kind == detail::ErrorKind::withdrawn ? OperationEnd::cancelled
                                                              : OperationEnd::protocol_error;
}

// Returns what to add to a line of a peer that has more of them than are logged.
std::string note_of(const PeerLines::Line& line, const std::string& what) {
    if (line.is_last) return "further " + what + " of this peer are not logged for a minute";
    if (line.skipped > 0) return std::to_string(line.skipped) + " " + what + " were not logged before this one";
    return {};
}

std::string text_of(const jsonrpc::Id& id) {
    std::string out;
    json::Writer w(out);
    id.write(w);
    return out;
}

}  // namespace

void Server::Impl::observe_with(OperationObserver observer) {
    observers_.add(std::move(observer));
    observers_changed(*settings_);
}

void Server::Impl::audit_with(std::shared_ptr<AuditLog> audit) {
    observers_.set_audit(std::move(audit), budget_);
    observers_changed(*settings_);
}

void Server::Impl::observers_changed(core::Settings& settings) {
    if (observers_.use_traces())
        settings.new_span = new_span_ids;
    else if (observers_.any())
        settings.new_span = [] { return observe::SpanIds(); };  // the operation keeps the context of its peer
    if (!observers_.audited()) return;
    settings.closed = [this]() -> std::optional<Error> {
        if (!observers_.refuse()) return std::nullopt;
        return Error{code::server_error,
                     "The server cannot write its audit log, so it refuses requests. Try again later, or tell its "
                     "operator."};
    };
}

void Server::Impl::ended(const core::Ended& how, TimePoint now, std::string_view transport) const {
    Operation out;
    if (how.caller) describe(out, *how.caller);
    if (how.peer) describe(out, *how.peer);
    out.transport = transport;
    out.took = std::max(now - how.began, Duration::zero());
    out.end = how.end;
    out.error_code = how.error;
    out.reason = how.reason;
    out.limit = how.limit;
    out.task = how.task;
    out.request_bytes = how.request_bytes;
    out.response_bytes = how.response_bytes;
    std::string id, parent;
    if (how.call) {
        describe(out, *how.call);
        out.request_id = id = text_of(how.call->id);
        if (observers_.use_traces()) out.trace = core::trace_of(*how.call, &parent);
        out.parent_span = parent;
    } else if (observers_.use_traces()) {
        out.trace = observe::below({}, new_span_ids());
    }
    report(out);
}

void Server::Impl::task_ended(const core::TaskEnded& task) const {
    const core::Call& call = *task.call;
    Operation out;
    out.kind = Operation::Kind::task;
    describe(out, *call.access.caller);
    describe(out, *call.peer);
    describe(out, call);
    const std::string id = text_of(call.id);
    out.request_id = id;
    out.task = task.id;
    out.transport = task.transport;
    out.took = std::max<WallTime::duration>(task.ended - task.began, {});
    out.end = task.end;
    out.error_code = task.error;
    out.reason = task.reason;
    out.limit = task.limit;
    std::string parent;
    if (observers_.use_traces()) {
        const TraceContext above = core::trace_of(call);
        parent = above.span_id();
        out.trace = observe::below(above, new_span_ids());
        out.parent_span = parent;
    }
    report(out);
}

void Server::Impl::question_ended(const core::Call& call, const core::QuestionSpan& span, std::string_view method,
                                  Duration took, const Result<json::value>& answer,
                                  std::string_view transport) const noexcept {
    if (!answer && detail::is_replayed(answer.error())) return;  // the next round of the call has the answer
    io::survives(
        [&] {
            Operation out;
            out.side = Operation::Side::client;
            describe(out, *call.access.caller);
            describe(out, *call.peer);
            out.method = method;
            out.known_method = true;
            out.transport = transport;
            out.took = std::max<Duration>(span.earlier ? wall_clock_() - span.began : took, {});
            out.trace = span.trace;
            out.parent_span = span.parent;
            const Error why = answer ? Error() : answer.error();  // a copy: error() may return one
            if (!answer) describe_failure(out, why);
            report(out);
        },
        [](const char*) {});
}

void Server::Impl::refused(Operation& operation, const jsonrpc::Request* message, const TraceContext& peer) const {
    std::string id;
    if (message) {
        describe(operation, *message);
        operation.request_id = id = text_of(message->id);
    }
    if (observers_.use_traces()) operation.trace = observe::below(peer, new_span_ids());
    report(operation);
}

// Logs failures, except those that the engine has logged already, with more details.
void Server::Impl::report(Operation& operation) const {
    operation.began = wall_clock_() - std::chrono::duration_cast<std::chrono::system_clock::duration>(operation.took);
    if (log_ && is_worth_a_line(operation) && observe::level_of(operation) >= least_log_level_) log(operation);
    if (observers_.any())
        observers_.report(operation, [this](LogLevel level, std::string_view text) { note(level, text); });
}

// A peer could cause any number of refusals, so only some of them are logged.
void Server::Impl::log(const Operation& operation) const {
    if (operation.end != OperationEnd::refused) return observe::log_operation(log_, operation);
    const std::string_view peer = operation.principal.empty() ? operation.address : operation.principal;
    const auto line = refusal_lines_.count(peer, wall_clock_());
    if (line) observe::log_operation(log_, operation, note_of(*line, "refusals"));
}

void Server::Impl::note_of_peer(std::string_view peer, LogLevel level, std::string_view text,
                                std::initializer_list<LogField> fields) const {
    if (!log_ || level < least_log_level_) return;
    const auto line = peer_lines_.count(peer, wall_clock_());
    if (!line) return;
    const std::string more = note_of(*line, "lines");
    std::vector<LogField> all(fields);
    all.push_back({"note", more});
    write(level, text, all);
}

void Server::Impl::lost(const Lost& what) const noexcept {
    if (what.limit != LimitName::none) limit_hit(what.limit);
    if (!log_ || what.level < least_log_level_) return;
    io::survives(
        [&] {
            note_of_peer(what.principal.empty() ? what.address : what.principal, what.level,
                         std::string(what.what) + ": " + std::string(what.reason),
                         {{"principal", what.principal}, {"address", what.address}, {"limit", to_string(what.limit)}});
        },
        [](const char*) {});
}

void Server::Impl::note(LogLevel level, std::string_view text, std::initializer_list<LogField> fields) const {
    if (log_ && level >= least_log_level_) write(level, text, fields);
}

void Server::Impl::write(LogLevel level, std::string_view text, std::span<const LogField> fields) const {
    std::vector<std::string> texts;
    texts.reserve(fields.size());
    std::vector<LogField> safe;
    for (const auto& [name, value] : fields)
        if (!value.empty()) safe.push_back({name, texts.emplace_back(observe::safe_text(value))});
    log_({.time = wall_clock_(), .level = level, .message = observe::safe_text(text), .fields = safe});
}

}  // namespace tenon
