// Notifications to the client.
#include <cmath>

#include "core/server/engine.hpp"
#include "protocol/write.hpp"

namespace tenon::core {

void ServerEngine::progress(const CallPtr& call, double done, std::optional<double> total, std::string_view message) {
    if ((!call->state_.open && call->state_.task.empty()) || !call->state_.progress_token) return;
    if (!std::isfinite(done) || (call->state_.last_progress && done <= *call->state_.last_progress)) return;
    call->state_.last_progress = done;
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    w.field("progressToken", *call->state_.progress_token);
    w.field("progress", done);
    if (total && std::isfinite(*total)) w.field("total", *total);
    if (!message.empty() && call->peer->rules.has(protocol::Trait::progress_message)) w.field("message", message);
    tie_to_task(w, call);
    w.end_object();
    send(jsonrpc::encode_notification("notifications/progress", params), stream_of(call));
}

bool ServerEngine::wants_log(const CallPtr& call, LogLevel level) const {
    if (shut_down_ || (call && !call->state_.open && call->state_.task.empty())) return false;
    const Peer* peer = call ? call->peer.get() : peer_.get();
    if (!peer || !peer->declared.logging) return false;
    if (peer->rules.is_modern()) return peer->log_level && level >= *peer->log_level;
    return level >= log_level_;
}

void ServerEngine::log(const CallPtr& call, LogLevel level, const json::value& data, std::string_view logger) {
    if (!wants_log(call, level)) return;
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    w.field("level", to_string(level));
    if (!logger.empty()) w.field("logger", logger);
    w.field("data", data);
    tie_to_task(w, call);
    w.end_object();
    send(jsonrpc::encode_notification("notifications/message", params), call ? stream_of(call) : nullptr);
}

void ServerEngine::let_poll(const CallPtr& call, std::chrono::milliseconds retry) {
    if (call->state_.open) actions_.push_back(LetPoll{call->reply_to, retry});
}

void ServerEngine::list_changed(ListKind kind) {
    if (shut_down_) return;
    const auto wanted = [kind](const auto& has) {
        return kind == ListKind::tools ? has.tools : kind == ListKind::resources ? has.resources : has.prompts;
    };
    const std::string_view method = kind == ListKind::tools       ? "notifications/tools/list_changed"
                                    : kind == ListKind::resources ? "notifications/resources/list_changed"
                                                                  : "notifications/prompts/list_changed";
    if (initialized_ && wanted(peer_->declared)) send(jsonrpc::encode_notification(method, {}));
    for (const auto& [call, listener] : subscriptions_.listeners())
        if (wanted(listener)) tell_listener(listener, method);
}

void ServerEngine::resource_updated(std::string_view uri) {
    if (shut_down_) return;
    const std::string key(uri);
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    w.field("uri", uri);
    w.end_object();
    if (initialized_ && subscriptions_.contains(key))
        send(jsonrpc::encode_notification("notifications/resources/updated", params));
    for (const auto& [call, listener] : subscriptions_.listeners())
        if (listener.uris.contains(key)) tell_listener(listener, "notifications/resources/updated", params);
}

}  // namespace tenon::core
