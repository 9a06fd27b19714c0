// Notifications to the client.
#include <cmath>

#include "core/server/apps.hpp"
#include "core/server/engine.hpp"
#include "core/server/uses.hpp"
#include "protocol/write.hpp"

namespace tenon::core {
namespace {

constexpr std::string_view too_long = "[left out: longer than Limits::max_message_bytes allows]";

}  // namespace

void ServerEngine::progress(const CallPtr& call, double done, std::optional<double> total, std::string_view message,
                            std::optional<TimePoint> now) {
    if ((!call->state_.open && call->state_.task().empty()) || !call->state_.progress_token) return;
    RareCallState& rare = call->state_.rare();
    if (!std::isfinite(done) || (rare.last_progress && done <= *rare.last_progress)) return;
    rare.last_progress = done;
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    w.field("progressToken", *call->state_.progress_token);
    w.field("progress", done);
    if (total && std::isfinite(*total)) w.field("total", *total);
    w.neutralise(settings_->neutralise_control_characters);
    if (!message.empty() && call->peer->rules.has(protocol::Trait::progress_message))
        w.field("message", message.size() > limits_.max_message_bytes / 2 ? too_long : message);
    write_meta(w, call);
    w.end_object();
    if (!may_notify(*call, now.value_or(now_))) {
        rare.delayed_progress = std::move(params);
        return;
    }
    rare.delayed_progress.reset();
    send(jsonrpc::encode_notification("notifications/progress", params), stream_of(call));
}

// Sends the delayed progress report, and logs how many log messages were dropped. Called before the response.
void ServerEngine::flush_notifications(const CallPtr& call) {
    RareCallState* rare = call->state_.rare_if_any();
    if (!rare) return;
    if (rare->delayed_progress) {
        send(jsonrpc::encode_notification("notifications/progress", *rare->delayed_progress), stream_of(call));
        rare->delayed_progress.reset();
    }
    if (rare->dropped_logs == 0) return;
    note(LogLevel::warning, "dropped " + std::to_string(std::exchange(rare->dropped_logs, 0)) + " log messages of " +
                                call->method + " " + quote(call->name) +
                                ": above Limits::max_notifications_per_second");
}

bool ServerEngine::wants_log(const CallPtr& call, LogLevel level) const {
    if (shut_down_ || (call && !call->state_.open && call->state_.task().empty())) return false;
    const Peer* peer = call ? call->peer.get() : peer_.get();
    if (!peer || !peer->declared.logging) return false;
    if (peer->rules.is_modern()) return peer->log_level && level >= *peer->log_level;
    return level >= log_level_;
}

void ServerEngine::log(const CallPtr& call, LogLevel level, const json::value& data, std::string_view logger,
                       std::optional<TimePoint> now) {
    if (!wants_log(call, level)) return;
    if (call && !may_notify(*call, now.value_or(now_))) {
        ++call->state_.rare().dropped_logs;
        return;
    }
    Encoded params;
    json::Writer w(params.json);
    w.neutralise(settings_->neutralise_control_characters);
    w.begin_object();
    w.field("level", to_string(level));
    if (!logger.empty()) w.field("logger", logger);
    const std::string before = params.json;
    w.field("data", data);
    if (params.json.size() > limits_.max_message_bytes / 2) {
        params.json = before;
        w.raw(R"("data":")" + std::string(too_long) + "\"");
    }
    write_meta(w, call);
    w.end_object();
    Encoded message = jsonrpc::encode_notification("notifications/message", params);
    call ? send(std::move(message), stream_of(call)) : send_everywhere(std::move(message));
}

void ServerEngine::let_poll(const CallPtr& call, std::chrono::milliseconds retry) {
    if (call->state_.open) actions_.push_back(LetPoll{call->reply_to, retry});
}

void ServerEngine::list_changed(const ListChange& change) {
    if (shut_down_) return;
    const auto wanted = [&change](const auto& has, const Peer& peer) {
        const bool of_kind = change.kind == ListKind::tools       ? has.tools
                             : change.kind == ListKind::resources ? has.resources
                                                                  : has.prompts;
        return of_kind && (!change.only_for_apps || shows_apps(peer.capabilities));
    };
    if (initialized_ && wanted(peer_->declared, *peer_)) tell_if_visible(reader_, change, nullptr);
    for (const auto& [call, listener] : subscriptions_.listeners())
        if (wanted(listener, *call->peer)) tell_if_visible(call->access, change, listener.call);
}

// A client that may not see an entry does not learn that it was added or removed.
void ServerEngine::tell_if_visible(Access access, const ListChange& change, const CallPtr& listener) {
    if (settings_->access_rules) access.rules = settings_->access_rules();  // rules may be newer than the session
    if (access.rules) {
        actions_.push_back(CheckListChange{std::move(access), change, listener});
    } else if (!access.restricts() || access.allows(change.use())) {
        tell_list_changed(change.kind, listener);
    }
}

void ServerEngine::tell_list_changed(ListKind kind, const CallPtr& listener) {
    const std::string_view method = kind == ListKind::tools       ? "notifications/tools/list_changed"
                                    : kind == ListKind::resources ? "notifications/resources/list_changed"
                                                                  : "notifications/prompts/list_changed";
    if (shut_down_) return;
    if (!listener) return send_everywhere(jsonrpc::encode_notification(method, {}));
    const auto open = subscriptions_.listeners().find(listener.get());
    if (open != subscriptions_.listeners().end()) tell_listener(open->second, method);
}

void ServerEngine::resource_updated(std::string_view uri) {
    if (shut_down_) return;
    const std::string key(uri);
    if (initialized_ && subscriptions_.contains(key)) update(subscriber_, key, nullptr);
    for (const auto& [call, listener] : subscriptions_.listeners())
        if (listener.uris.contains(key)) update(listener.call->access, key, listener.call);
    features_.reset();
}

// A client that may not read a resource does not learn of its changes, even if it could subscribe earlier.
void ServerEngine::update(const Access& access, const std::string& uri, const CallPtr& listener) {
    if (access.rules) {
        actions_.push_back(CheckUpdate{access, uri, listener});
        return;
    }
    const auto use = access.restricts() ? use_of_resource(features(), uri) : std::nullopt;
    if (!use || access.allows(*use)) tell_updated(uri, listener);
}

void ServerEngine::tell_updated(std::string_view uri, const CallPtr& listener) {
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    w.field("uri", uri);
    w.end_object();
    constexpr std::string_view method = "notifications/resources/updated";
    if (shut_down_) return;
    if (!listener) {
        if (subscriptions_.contains(std::string(uri))) send_everywhere(jsonrpc::encode_notification(method, params));
        return;
    }
    const auto open = subscriptions_.listeners().find(listener.get());
    if (open != subscriptions_.listeners().end()) tell_listener(open->second, method, params);
}

}  // namespace tenon::core
