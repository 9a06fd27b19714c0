// LimitName: the limits of a server, as values. An Error says with it which limit refused a request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#pragma GCC visibility push(default)

namespace tenon {

/// The limits of a server: the members of Limits, in their order, and one of HttpOptions. They are the label `limit` of
/// the metric tenon_limits_hit_total.
enum class LimitName : std::uint8_t {
    none,  ///< not a limit
    memory_budget,
    peer_memory_share,
    max_message_bytes,
    max_depth,
    max_members,
    max_nodes,
    max_id_bytes,
    max_uri_bytes,
    max_client_info_bytes,
    max_batch,
    max_concurrent_requests,
    max_calls_per_second,
    max_counted_principals,
    max_notifications_per_second,
    max_subscriptions,
    max_pending_questions,
    max_request_states,
    max_queued_output_bytes,
    max_error_text_bytes,
    max_violations,
    page_size,
    max_workers,
    max_workers_per_peer,
    max_waiting_calls,
    max_connections,
    max_sessions,
    max_sessions_per_peer,
    max_sessions_per_connection,
    max_listeners_per_peer,
    max_streams_per_session,
    max_stored_event_bytes,
    max_head_bytes,
    unused_session_time,
    session_idle_time,
    head_time,
    body_time,
    connection_idle_time,
    write_time,
    stream_keep_alive,
    max_tasks,
    max_tasks_per_owner,
    task_ttl,
    max_task_ttl,
    task_poll_interval,
    handler_time,
    ping_interval,
    ask_time,
    request_state_time,
    drain_time,
    max_connections_per_address,  ///< of HttpOptions
    rate_limits,                  ///< the middleware of rate_limits.hpp
};

/// The number of limits, with `none`.
inline constexpr std::size_t limit_count = static_cast<std::size_t>(LimitName::rate_limits) + 1;

/// Returns the name, for example "max_sessions"; empty for LimitName::none.
std::string_view to_string(LimitName name);

}  // namespace tenon

#pragma GCC visibility pop
