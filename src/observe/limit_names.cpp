#include "observe/limit_names.hpp"

#include <algorithm>
#include <array>

namespace tenon::observe {
namespace {

// A test compares this list with limits.hpp.
constexpr std::array<std::string_view, 49> names = {
    "memory_budget",
    "peer_memory_share",
    "max_message_bytes",
    "max_depth",
    "max_members",
    "max_nodes",
    "max_id_bytes",
    "max_uri_bytes",
    "max_client_info_bytes",
    "max_batch",
    "max_concurrent_requests",
    "max_calls_per_second",
    "max_counted_principals",
    "max_notifications_per_second",
    "max_subscriptions",
    "max_pending_questions",
    "max_request_states",
    "max_queued_output_bytes",
    "max_error_text_bytes",
    "max_violations",
    "page_size",
    "max_workers",
    "max_workers_per_peer",
    "max_waiting_calls",
    "max_connections",
    "max_sessions",
    "max_sessions_per_peer",
    "max_sessions_per_connection",
    "max_listeners_per_peer",
    "max_streams_per_session",
    "max_stored_event_bytes",
    "max_head_bytes",
    "unused_session_time",
    "session_idle_time",
    "head_time",
    "body_time",
    "connection_idle_time",
    "write_time",
    "stream_keep_alive",
    "max_tasks",
    "max_tasks_per_owner",
    "task_ttl",
    "max_task_ttl",
    "task_poll_interval",
    "handler_time",
    "ping_interval",
    "ask_time",
    "request_state_time",
    "drain_time",
};

bool in_limit_name(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

}  // namespace

std::span<const std::string_view> limit_names() { return names; }

std::string_view limit_named_in(std::string_view message) {
    constexpr std::string_view prefix = "Limits::";
    const std::size_t at = message.find(prefix);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = message.substr(at + prefix.size());
    const auto end = std::ranges::find_if_not(rest, in_limit_name);
    const auto found = std::ranges::find(names, rest.substr(0, static_cast<std::size_t>(end - rest.begin())));
    return found == names.end() ? std::string_view() : *found;
}

}  // namespace tenon::observe
