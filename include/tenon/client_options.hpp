// Options of a client and of its calls: plain structs with defaults.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/fwd.hpp>
#include <tenon/limits.hpp>
#include <tenon/log.hpp>
#include <tenon/operation.hpp>
#include <tenon/protocol/common.hpp>
#include <tenon/protocol/elicitation.hpp>
#include <tenon/protocol/notifications.hpp>
#include <tenon/protocol/roots.hpp>
#include <tenon/protocol/sampling.hpp>
#include <tenon/trace_context.hpp>
#include <tenon/wire_tap.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// How a client introduces itself: by a handshake that opens a session (until 2025-11-25), or in each request
/// (2026-07-28).
enum class Era {
    automatic,  ///< sends `server/discover` first, then `initialize` unless the server answers as a modern one
    legacy,     ///< sends `initialize` at once
    modern,     ///< only 2026-07-28; connecting to an older server fails
};

/// Bounds every queue, buffer and wait of a client. When a call exceeds a limit, the error names that limit.
struct ClientLimits {
    std::size_t max_message_bytes = 16 * 1024 * 1024;         ///< size of one message, in or out
    std::size_t max_depth = 128;                              ///< nesting of JSON arrays and objects
    std::size_t max_members = 10'000;                         ///< members of one JSON object
    std::size_t max_nodes = 1'000'000;                        ///< values and keys of one message; most have under 100
    std::size_t max_id_bytes = 1024;                          ///< size of a request id, and of a progress token
    std::size_t max_uri_bytes = 8 * 1024;                     ///< size of a URI or URL in a message
    std::size_t max_batch = 1000;                             ///< messages in one batch (2025-03-26 and before)
    std::size_t max_pending_calls = 4096;                     ///< calls that wait for their response
    std::size_t max_server_requests = 64;                     ///< questions of the server being answered at once
    std::size_t max_server_request_bytes = 64 * 1024 * 1024;  ///< memory for those questions; more are refused
    /// Sampling and elicitation requests of the server per minute, on average. A burst may have as many. More are
    /// refused.
    std::size_t max_questions_per_minute = 120;
    std::size_t max_elicitations = 256;      ///< web pages of URL elicitations that are not finished; drops the oldest
    std::size_t max_input_rounds = 16;       ///< times that one call is sent again with input
    std::size_t max_input_requests = 64;     ///< questions in one response that asks for input
    std::size_t max_pages = 1000;            ///< pages of one list
    std::size_t max_list_entries = 100'000;  ///< entries of one list, on all pages
    std::size_t max_list_bytes = 64 * 1024 * 1024;  ///< memory for one list, for all pages
    std::size_t max_tools = 10'000;                 ///< tools whose definition is remembered
    /// Memory for their output schemas. Results of further tools are not validated, which is logged.
    std::size_t max_tool_bytes = 64 * 1024 * 1024;
    std::size_t max_subscriptions = 1000;            ///< open subscriptions (2026-07-28)
    std::size_t max_cache_entries = 256;             ///< cached results
    std::size_t max_cache_bytes = 16 * 1024 * 1024;  ///< memory for cached results; the oldest are dropped first
    std::size_t max_queued_output_bytes = 64 * 1024 * 1024;  ///< unsent output; calls fail while there is more
    std::size_t max_queued_events = 10'000;                  ///< queued notifications; more are dropped and logged
    std::size_t max_queued_event_bytes = 64 * 1024 * 1024;   ///< memory for queued notifications; more are dropped
    std::size_t max_queued_reports = 1000;                   ///< queued progress of one blocking call; drops the oldest
    std::size_t max_error_text_bytes = 1024;                 ///< bytes of peer text that an error or a log quotes
    std::size_t max_restarts = 5;                            ///< restarts of a dead server, see ClientOptions::restart
    std::size_t max_violations = 8;                          ///< schema violations that one error lists
    std::size_t max_workers = 8;  ///< threads that answer the server's questions; created when needed

    Duration connect_time = std::chrono::seconds(60);      ///< to open the connection
    Duration probe_time = std::chrono::seconds(5);         ///< for `server/discover`; then `initialize` is tried
    Duration request_time = std::chrono::seconds(60);      ///< for a response; each progress report restarts it
    Duration max_request_time = std::chrono::minutes(30);  ///< for a response, with or without progress reports
    Duration list_time = std::chrono::minutes(10);         ///< for one list, for all pages
    Duration learn_time = std::chrono::seconds(10);        ///< for the list of tools that a call waits for
    Duration task_poll_time = std::chrono::seconds(1);     ///< between polls of a task, if the server does not say
    Duration min_task_poll_time = std::chrono::milliseconds(100);  ///< between polls, even if the server says less
    Duration max_restart_wait = std::chrono::seconds(30);          ///< before a dead server is started again
    Duration max_cache_time = std::chrono::hours(24);  ///< to cache a result, even if the server allows more
    Duration close_time = std::chrono::seconds(5);     ///< for close() without an argument, and the destructor
};

/// Options of one call.
struct CallOptions {
    std::optional<Duration> timeout = {};  ///< empty: ClientLimits::request_time
    std::stop_token stop = {};             ///< cancels the call
    /// Asks the server for progress reports and receives them. In a blocking call it runs on the calling thread, before
    /// the call returns. In an async call it runs on the thread that answers the Reply, before the answer. Empty: no
    /// progress is requested.
    std::function<void(const Progress&)> on_progress = {};
    json::object meta = {};  ///< added to `_meta` of the request
    /// The trace that the call belongs to, for example Context::trace(). Sent with all requests of the call; malformed
    /// parts are left out. Empty: none.
    SharedTrace trace = {};
    bool fresh = false;  ///< true: do not use the cache
    /// How long the server should keep a task and its result, from its creation. Only 2025-11-25. Empty: the server
    /// decides.
    std::optional<std::chrono::milliseconds> task_ttl = {};
};

/// Options of a Client. All callbacks may call the client, except `log`. Empty callbacks are not called.
struct ClientOptions {
    Implementation info = {"tenon", "0.1.0"};  ///< name and version of this client
    Era era = Era::automatic;
    std::string revision = {};  ///< revision that `initialize` requests, for tests; empty: the newest
    ClientLimits limits = {};
    bool validate_results = true;  ///< refuse a tool's result that violates the tool's output schema
    /// List the tools once, when a call needs their definitions. A call needs them for its headers (2026-07-28 over
    /// HTTP), to validate the result, or to learn whether it must be a task. Not done when the host has listed the
    /// tools itself. If the list fails or takes longer than ClientLimits::learn_time, the call continues without it.
    bool learn_tools = true;
    /// Call a tool as a task when it requires that, and follow tasks to their end. Declares the tasks extension
    /// (2026-07-28). See ClientTask for more control.
    bool tasks = true;
    /// Start a server process again when it died: after 1 s, then 2 s, 4 s, ..., at most ClientLimits::max_restarts
    /// times in a row. Running calls fail with code::connection_closed, because they may have had an effect. Later
    /// calls wait for the new process.
    bool restart = true;
    /// Send a ping when the server has sent nothing for this long, and close the connection when it does not answer
    /// within ClientLimits::request_time. Only servers with a session (until 2025-11-25). Zero: never.
    Duration ping_interval = Duration::zero();
    /// Protocol extensions that this client supports: their settings, by identifier, such as "com.example/search". The
    /// constructor of Client throws when an identifier has no prefix. Default: none.
    json::object extensions = {};

    // Handlers for the server's questions. Setting a handler declares the capability. They run on worker threads, and
    // the same handler may run several times at once. There is no time limit; a stop is requested when the answer is no
    // longer needed. An exception becomes an error response.
    std::function<ElicitResult(const ElicitRequest&, std::stop_token)> on_elicit = {};
    std::function<ElicitResult(const ElicitUrlRequest&, std::stop_token)> on_elicit_url = {};
    std::function<SampleResult(const SampleRequest&, std::stop_token)> on_sample = {};  ///< deprecated.hpp
    bool sample_tools = false;    ///< whether on_sample supports requests with tools
    bool sample_context = false;  ///< whether on_sample supports includeContext; if not, it is removed from requests
    std::function<std::vector<Root>(std::stop_token)> on_roots = {};  ///< deprecated.hpp

    // Callbacks for the server's notifications. They run one at a time and in order, on the thread that also answers
    // the Reply of async calls. The first four may also run when nothing has changed: after a new connection or
    // subscription, a change before it may have gone unnoticed.
    std::function<void()> on_tools_changed = {};
    std::function<void()> on_resources_changed = {};
    std::function<void()> on_prompts_changed = {};
    std::function<void(const std::string& uri)> on_resource_updated = {};
    std::function<void(const LogMessage&)> on_log = {};  ///< a log message of the server; see Client::set_log_level()
    std::function<void(const std::string& elicitation_id)> on_elicitation_complete = {};  ///< a page is finished
    /// Receives every notification except progress, also those that have their own callback above.
    std::function<void(const std::string& method, const json::object& params)> on_notification = {};

    /// Each gets one Operation for every call of this client that has ended, in any way. Runs before the call returns,
    /// on the thread of the caller, or on the thread that answers the Reply. Each page of a list is a call. With an
    /// observer or an audit, each call gets a span of its own, which it sends to the server.
    std::vector<OperationObserver> observers = {};
    /// Writes a record of every call: see audit.hpp. Default: none.
    std::shared_ptr<AuditLog> audit = {};

    WireTap tap = {};  ///< sees every message: see wire_tap.hpp. Empty: only TENON_TRACE in the environment counts
    LogSink log = {};  ///< for Tenon's own log; must be quick, and must not call the client
};

}  // namespace tenon

#pragma GCC visibility pop
