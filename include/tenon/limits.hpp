// Limits: bounds every queue, buffer and wait of a server. When a request exceeds a limit, the error names that limit.
#pragma once

#include <chrono>
#include <cstddef>

#pragma GCC visibility push(default)

namespace tenon {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Duration = Clock::duration;

/// Returns `now + wait`, or TimePoint::max() on overflow. So Duration::max() as a limit means "no limit".
inline TimePoint later(TimePoint now, Duration wait) {
    return wait > TimePoint::max() - now ? TimePoint::max() : now + wait;
}

/// The limits of one server. Plain data: it is copied when the server is constructed.
struct Limits {
    // Memory. Tenon counts the memory that clients cause the server to hold: bodies being read, decoded messages,
    // running calls, sessions, subscriptions, stored events, tasks and queued output.

    /// Bytes for all clients together. 0: a quarter of the memory that this process may use, and at least 16 MiB. The
    /// process may use the smallest of: the machine's memory, the limits of its control groups, and RLIMIT_AS.
    std::size_t memory_budget = 0;
    /// Bytes that one peer may hold. 0: a quarter of the budget. A peer is a principal or, where callers are anonymous,
    /// a connection. Over stdio there is only one peer, and it may use the whole budget.
    std::size_t peer_memory_share = 0;

    // Messages and calls, over every transport.
    std::size_t max_message_bytes = 16 * 1024 * 1024;  ///< size of one message, in or out
    std::size_t max_depth = 128;                       ///< nesting of JSON arrays and objects
    std::size_t max_members = 10'000;                  ///< members of one JSON object
    std::size_t max_nodes = 1'000'000;                 ///< values and keys of one message; most have under 100
    std::size_t max_id_bytes = 1024;                   ///< size of a request id, and of a progress token
    std::size_t max_uri_bytes = 8 * 1024;              ///< size of a URI or URL in a message
    std::size_t max_client_info_bytes = 64 * 1024;     ///< size of `clientInfo` and `capabilities` together
    std::size_t max_batch = 1000;                      ///< messages in one batch (2025-03-26 and before)
    std::size_t max_concurrent_requests = 1024;        ///< requests of one peer that run at once
    /// Calls of one peer per second, on average: of tools, of methods of extensions, and completions. A burst may have
    /// ten times as many (10,000). A call that asks the client counts once. 0: no limit. A peer is a principal or,
    /// where callers are anonymous, a connection or stdio session.
    std::size_t max_calls_per_second = 1000;
    /// Principals whose calls are counted at once, for max_calls_per_second. Above it, the one that has been silent for
    /// the longest time is forgotten, which changes nothing if it has been silent for ten seconds. Each takes at most
    /// 112 bytes, beside the budget: 1.1 MB for the default.
    std::size_t max_counted_principals = 10'000;
    /// Progress and log messages of one call per second, on average. A burst may have as many. Above the limit, log
    /// messages are dropped and counted. A progress report then waits until a newer one replaces it, or until the
    /// result is sent. 0: no limit.
    std::size_t max_notifications_per_second = 1000;
    std::size_t max_subscriptions = 10'000;   ///< resource subscriptions of one session
    std::size_t max_pending_questions = 256;  ///< questions to the client that wait for an answer
    /// States of calls that wait for the client's input (2026-07-28), if they stay in this process: see
    /// ServerOptions::state_seal. If there are several peers, each may have a quarter of them. Above the limit the
    /// oldest is dropped, and its client must call again from the beginning.
    std::size_t max_request_states = 10'000;
    /// Output that waits to be sent. Above it, stdio stops reading and handlers wait. Over HTTP, handlers wait much
    /// earlier (64 KiB of one stream); above this limit, which inline handlers can reach, the connection is closed.
    std::size_t max_queued_output_bytes = 64 * 1024 * 1024;
    std::size_t max_error_text_bytes = 1024;  ///< bytes of peer text that an error or a log quotes
    std::size_t max_violations = 8;           ///< schema violations that one error lists
    std::size_t page_size = 1000;             ///< entries on one page of a list
    std::size_t max_workers = 64;             ///< threads that run handlers; created when needed

    // HTTP. A peer is one principal or, without authentication, one connection and the sessions that it opened.

    /// Workers that calls of one peer may hold at once. 0: three quarters of max_workers. The last quarter is reserved
    /// for peers that hold no worker, unless you set this limit higher.
    std::size_t max_workers_per_peer = 0;
    std::size_t max_waiting_calls = 1024;  ///< calls of one peer that wait for a worker; more are refused
    /// Open connections. A new connection above the limit replaces one that has no request in flight, the longest idle
    /// first. When there is none to replace, the new connection gets an error and is closed.
    std::size_t max_connections = 20'000;
    /// Sessions (clients of 2025-11-25 and before). A new session above the limit replaces the oldest one that was
    /// never used, or else the one that has been idle for the longest time. When all are in use, the new one is
    /// refused.
    std::size_t max_sessions = 20'000;
    std::size_t max_sessions_per_peer = 1000;          ///< sessions of one principal
    std::size_t max_sessions_per_connection = 100;     ///< sessions that one anonymous connection opened
    std::size_t max_listeners_per_peer = 1000;         ///< open `subscriptions/listen` requests of one peer
    std::size_t max_streams_per_session = 2048;        ///< open streams; above max_concurrent_requests
    std::size_t max_stored_event_bytes = 1024 * 1024;  ///< events that one session stores for reconnecting clients
    std::size_t max_head_bytes = 32 * 1024;            ///< size of an HTTP request line and its header fields
    Duration unused_session_time = std::chrono::minutes(1);   ///< from `initialize` to the next message
    Duration session_idle_time = std::chrono::minutes(30);    ///< before an unused session is ended
    Duration head_time = std::chrono::seconds(10);            ///< to receive the head of a request
    Duration body_time = std::chrono::seconds(60);            ///< to receive the body of a request
    Duration connection_idle_time = std::chrono::minutes(2);  ///< between two requests of a connection
    Duration write_time = std::chrono::seconds(60);           ///< for the client to read some of a response
    Duration stream_keep_alive = std::chrono::seconds(15);    ///< between SSE comments on an idle stream

    // Tasks.
    std::size_t max_tasks = 1000;           ///< tasks that the server keeps, finished ones included
    std::size_t max_tasks_per_owner = 100;  ///< tasks of one principal, session or anonymous connection
    std::chrono::milliseconds task_ttl = std::chrono::hours(1);       ///< lifetime of a task, counted from its start
    std::chrono::milliseconds max_task_ttl = std::chrono::hours(24);  ///< longest lifetime that a client may request
    std::chrono::milliseconds task_poll_interval{1000};               ///< suggested to clients that poll a task

    // Time.
    Duration handler_time = std::chrono::minutes(10);  ///< for a call; then it fails, and its handler is asked to stop
    /// Sends `ping` to a client that has been silent for this time (2025-11-25 and before), and logs when no answer
    /// comes within ask_time. 0 (default): no pings.
    Duration ping_interval = Duration::zero();
    Duration ask_time = std::chrono::minutes(5);   ///< for the client to answer elicit, sample and roots
    std::chrono::seconds request_state_time{600};  ///< for the client to call again with its input (2026-07-28)
    /// For shutting down, after the end of input or a signal: running calls finish and clients read the responses. One
    /// period for all calls together.
    Duration drain_time = std::chrono::seconds(5);
};

}  // namespace tenon

#pragma GCC visibility pop
