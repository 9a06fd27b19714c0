// Limits: every queue, buffer and wait of a server has one. When a limit is hit, the answer names it.
#pragma once

#include <chrono>
#include <cstddef>

namespace tenon {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Duration = Clock::duration;

/// `now + wait`, or the end of time when that is beyond it: Duration::max() as a limit means none.
inline TimePoint later(TimePoint now, Duration wait) {
    return wait > TimePoint::max() - now ? TimePoint::max() : now + wait;
}

struct Limits {
    // Memory. What clients make the server hold is counted: bodies being read, decoded messages, running calls,
    // sessions, subscriptions, stored events, tasks and queued output.
    std::size_t memory_budget = 0;  ///< bytes for all clients together; 0: a quarter of the memory that the process may
                                    ///< use (the machine's, its control groups', RLIMIT_AS), and at least 16 MiB
    std::size_t peer_memory_share = 0;  ///< bytes that one peer may hold; 0: a quarter of the budget. A peer is a
                                        ///< principal or, where callers are anonymous, a connection. The only peer of
                                        ///< stdio has the whole budget

    std::size_t max_message_bytes = 16 * 1024 * 1024;        ///< of one message, in or out
    std::size_t max_depth = 128;                             ///< JSON arrays and objects inside each other
    std::size_t max_members = 10'000;                        ///< members of one JSON object
    std::size_t max_nodes = 1'000'000;                       ///< values and keys of one message; most have under 100
    std::size_t max_id_bytes = 1024;                         ///< of the id of a request, and of a progress token
    std::size_t max_uri_bytes = 8 * 1024;                    ///< of a URI or URL in a message
    std::size_t max_client_info_bytes = 64 * 1024;           ///< of `clientInfo` and `capabilities` together
    std::size_t max_batch = 1000;                            ///< messages in one batch (2025-03-26 and before)
    std::size_t max_concurrent_requests = 1024;              ///< requests of one peer that run at once
    std::size_t max_subscriptions = 10'000;                  ///< resource subscriptions of one session
    std::size_t max_pending_asks = 256;                      ///< requests to the client that wait for an answer
    std::size_t max_queued_output_bytes = 64 * 1024 * 1024;  ///< above this reading pauses and handlers wait (stdio),
                                                             ///< or the reader is disconnected (HTTP)
    std::size_t max_error_text_bytes = 1024;  ///< of a string from outside that is quoted in an error or a log
    std::size_t max_violations = 8;           ///< schema violations that one error lists
    std::size_t page_size = 1000;             ///< entries of a list answer
    std::size_t max_workers = 64;             ///< threads that run handlers; made when needed

    // HTTP. A peer is one principal or, without authentication, one connection and the sessions that it began.
    std::size_t max_workers_per_peer = 0;  ///< of max_workers, that calls of one peer may hold; 0: three quarters. The
                                           ///< last quarter goes only to peers that hold none, unless this is more
    std::size_t max_waiting_calls = 1024;  ///< calls of one peer that wait for a worker; more are refused
    std::size_t max_connections = 20'000;  ///< open at once; one more takes the place of the one that has waited
                                           ///< longest without a request in flight, or is told so and closed
    std::size_t max_sessions = 20'000;  ///< of clients of 2025-11-25 and before; when there are more, the session that
                                        ///< was unused for the longest time is ended for the new one
    std::size_t max_sessions_per_peer = 1000;          ///< of them, for each principal
    std::size_t max_sessions_per_connection = 100;     ///< of them, begun by one connection of an anonymous caller
    std::size_t max_listeners_per_peer = 1000;         ///< `subscriptions/listen` requests of one peer that are open
    std::size_t max_streams_per_session = 2048;        ///< open at once: max_concurrent_requests, and some listeners
    std::size_t max_stored_event_bytes = 1024 * 1024;  ///< a session, for clients that lost their connection
    std::size_t max_head_bytes = 32 * 1024;            ///< of an HTTP request: its first line and fields
    Duration unused_session_time = std::chrono::minutes(1);   ///< for the first message after `initialize`
    Duration session_idle_time = std::chrono::minutes(30);    ///< after this a session nobody uses is ended
    Duration head_time = std::chrono::seconds(10);            ///< for the head of a request to arrive
    Duration body_time = std::chrono::seconds(60);            ///< for its body
    Duration connection_idle_time = std::chrono::minutes(2);  ///< between requests of a connection
    Duration write_time = std::chrono::seconds(60);           ///< for a reader to take some of what is sent
    Duration stream_keep_alive = std::chrono::seconds(15);    ///< between comments on a silent stream

    std::size_t max_tasks = 1000;           ///< tasks that a server keeps, those at their end included
    std::size_t max_tasks_per_owner = 100;  ///< of them, for each principal, session or anonymous connection

    std::chrono::milliseconds task_ttl = std::chrono::hours(1);       ///< how long a task is kept from its start on
    std::chrono::milliseconds max_task_ttl = std::chrono::hours(24);  ///< the longest that a client may ask for
    std::chrono::milliseconds task_poll_interval{1000};               ///< how often clients should look at a task
    Duration handler_time = std::chrono::minutes(10);  ///< after this a call is answered with an error and stopped
    Duration ask_time = std::chrono::minutes(5);       ///< for the client's answer to elicit, sample and roots
    std::chrono::seconds request_state_time{600};      ///< how long a client may take to call again with its input
    Duration drain_time = std::chrono::seconds(5);     ///< for running calls to finish after the end of input or a
                                                       ///< signal, and for their answers to be read: for all together
};

}  // namespace tenon
