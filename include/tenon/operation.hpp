// Operation: one request or task that has ended. A server makes one record for each request it receives, also for a
// refused one, and one for the end of each task; a client makes one for each call. A question has a record on both
// sides. Audit, metrics and traces are made from this record.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string_view>

#include <tenon/json.hpp>
#include <tenon/limit_name.hpp>
#include <tenon/trace_context.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// How an operation ended.
enum class OperationEnd {
    ok,
    tool_error,      ///< the tool returned a result with isError
    protocol_error,  ///< a JSON-RPC error of the handler or of the protocol
    cancelled,       ///< by the peer, or because its connection or session is lost
    timed_out,
    refused,         ///< the handler did not run: 401, 403, scope, unknown name, invalid arguments, rate or other limit
    input_required,  ///< the handler asked a question; the client calls again (2026-07-28)
};

/// Returns the name as it is in audit records and metrics, for example "tool_error".
std::string_view to_string(OperationEnd end);

/// One request or task that has ended. The views are valid only during the callback. All text is claimed by the peer
/// unless it says otherwise, and may contain control characters: the writers of logs, audit and traces escape it.
struct Operation {
    /// The side of this program: a server received the request, a client sent it. A server that asks its client a
    /// question is the client of that request.
    enum class Side { server, client };
    enum class Kind {
        request,
        task,  ///< the work of a task, from its start to its end. `method` and `name` are those of the request that
               ///< started it, which has a record of its own. `took` has milliseconds
    };

    Side side = Side::server;
    Kind kind = Kind::request;
    std::chrono::system_clock::time_point began = {};
    std::chrono::nanoseconds took = {};

    std::string_view method = {};      ///< for example "tools/call"; empty if the message could not be read
    std::string_view name = {};        ///< the tool, prompt, task or method of an extension, or the URI; empty: none
    bool known_method = false;         ///< `method` is in the method table or registered: safe as a label of a metric
    bool known_name = false;           ///< `name` is a registered tool or prompt: safe as a label of a metric
    std::string_view request_id = {};  ///< as JSON; empty: none
    std::string_view task = {};        ///< the id of the task that the request started, or that has ended
    const json::object* params = nullptr;  ///< null if the request has no parameters or they are unreadable

    std::string_view principal = {};       ///< checked by Tenon; empty: anonymous
    std::string_view session_id = {};      ///< only revisions with sessions
    std::string_view revision = {};        ///< for example "2026-07-28"; empty if not known yet
    std::string_view client_name = {};     ///< from clientInfo
    std::string_view client_version = {};  ///< from clientInfo
    std::string_view address = {};         ///< of the peer, checked by Tenon; empty for stdio
    std::string_view transport = {};       ///< "pipe" or "tcp", as OpenTelemetry names them

    OperationEnd end = OperationEnd::ok;
    int error_code = 0;                 ///< the code of the JSON-RPC error; 0: none
    int http_status = 0;                ///< of a request that was refused before it was read; 0: none
    std::string_view reason = {};       ///< the error message, or what was refused and why; empty on success
    LimitName limit = LimitName::none;  ///< that the request exceeded
    std::size_t request_bytes = 0;      ///< size of the request as JSON
    std::size_t response_bytes = 0;

    TraceContext trace = {};            ///< the trace of this operation, with the span id of this operation
    std::string_view parent_span = {};  ///< the span of the peer; empty: this operation began the trace
};

/// Receives each operation that has ended. Called on any thread, also on several at once, and never under a lock of
/// Tenon. Must be quick and must not block. An exception is logged and otherwise ignored.
using OperationObserver = std::function<void(const Operation&)>;

}  // namespace tenon

#pragma GCC visibility pop
