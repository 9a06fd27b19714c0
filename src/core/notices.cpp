// Notifications to the client.
#include "core/server_engine.hpp"
#include "protocol/write.hpp"

namespace tenon {

namespace {
constexpr std::string_view level_names[] = {"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};
}

std::string_view to_string(LogLevel level) { return level_names[static_cast<std::size_t>(level)]; }

std::optional<LogLevel> log_level(std::string_view name) {
    for (std::size_t i = 0; i < std::size(level_names); ++i)
        if (level_names[i] == name) return static_cast<LogLevel>(i);
    return std::nullopt;
}

}  // namespace tenon

namespace tenon::core {

void ServerEngine::progress(const CallPtr& call, double done, std::optional<double> total, std::string_view message) {
    if (!call->open || !call->progress_token) return;
    if (call->last_progress && !(done > *call->last_progress)) return;  // NaN never grows
    call->last_progress = done;
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    w.field("progressToken", *call->progress_token);
    w.field("progress", done);
    if (total) w.field("total", *total);
    if (!message.empty() && call->peer->rules.has(protocol::Trait::progress_message)) w.field("message", message);
    w.end_object();
    send(jsonrpc::encode_notification("notifications/progress", params), call);
}

void ServerEngine::log(const CallPtr& call, LogLevel level, const json::value& data, std::string_view logger) {
    if (!declared_.logging || shut_down_ || level < log_level_) return;
    if (call && !call->open) return;
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    w.field("level", to_string(level));
    if (!logger.empty()) w.field("logger", logger);
    w.field("data", data);
    w.end_object();
    send(jsonrpc::encode_notification("notifications/message", params), call);
}

void ServerEngine::elicitation_complete(const CallPtr& call, std::string_view elicitation_id) {
    if (!initialized_ || shut_down_ || !call->peer->rules.method("notifications/elicitation/complete", protocol::Sender::server)) return;
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    w.field("elicitationId", elicitation_id);
    w.end_object();
    send(jsonrpc::encode_notification("notifications/elicitation/complete", params), call->open ? call : nullptr);
}

void ServerEngine::list_changed(ListKind kind) {
    if (!initialized_ || shut_down_) return;
    if (kind == ListKind::tools && declared_.tools) send(jsonrpc::encode_notification("notifications/tools/list_changed", {}));
    if (kind == ListKind::resources && declared_.resources) send(jsonrpc::encode_notification("notifications/resources/list_changed", {}));
    if (kind == ListKind::prompts && declared_.prompts) send(jsonrpc::encode_notification("notifications/prompts/list_changed", {}));
}

void ServerEngine::resource_updated(std::string_view uri) {
    if (!initialized_ || shut_down_ || !subscriptions_.contains(std::string(uri))) return;
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    w.field("uri", uri);
    w.end_object();
    send(jsonrpc::encode_notification("notifications/resources/updated", params));
}

}  // namespace tenon::core
