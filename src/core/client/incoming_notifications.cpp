// Notifications of the server.
#include <cmath>

#include "core/client/engine.hpp"
#include "json/find.hpp"
#include "protocol/meta_keys.hpp"
#include "protocol/read_server.hpp"

namespace tenon::core {

using protocol::Trait;

namespace {

const json::value* subscription_of(const json::object& params) {
    const json::value* v = params.if_contains("_meta");
    const json::object* meta = v ? v->if_object() : nullptr;
    return meta ? meta->if_contains(protocol::meta_key::subscription) : nullptr;
}

}  // namespace

// Returns false for a modern notification that names a subscription which is not open.
bool ClientEngine::is_for_us(const jsonrpc::Notification& n) const {
    if (rules_->is_legacy()) return true;
    const json::value* named = subscription_of(n.params);
    if (!named) return true;  // belongs to a request, not to a subscription
    const auto id = jsonrpc::Id::from(*named);
    return id && listeners_.contains(*id);
}

void ClientEngine::on_notification(jsonrpc::Notification& n) {
    if (n.method == "notifications/progress") return on_progress(n.params);
    if (n.method == "notifications/cancelled") return on_server_cancelled(n.params);
    if (n.method == "notifications/subscriptions/acknowledged") return on_acknowledged(n.params);
    if (rules_ && !is_for_us(n)) {
        note(LogLevel::info, "dropped " + quote(n.method) + " for an unknown subscription");
        return;
    }
    if (n.method == "notifications/elicitation/complete" && !pages_.take(json::find_text(n.params, "elicitationId")))
        return note(LogLevel::info, "dropped the end of an unknown elicitation");
    changed(std::move(n.method), std::move(n.params));
}

void ClientEngine::changed(std::string method, json::object params) {
    if (method == "notifications/tools/list_changed") {
        cache_.forget("tools/list");
        forget_tools();
    }
    if (method == "notifications/prompts/list_changed") cache_.forget("prompts/list");
    if (method == "notifications/resources/list_changed") {
        cache_.forget("resources/list");
        cache_.forget("resources/templates/list");
    }
    if (method == "notifications/resources/updated")
        if (const json::value* uri = params.if_contains("uri"); uri && uri->is_string())
            cache_.forget_resource(uri->get_string());
    actions_.push_back(Announce{std::move(method), std::move(params)});
}

// Returns the call of a progress token. In 2025-11-25 the token stays valid when the call becomes a task.
std::optional<CallId> ClientEngine::call_of(const jsonrpc::Id& token) const {
    if (const auto wire = on_wire_.find(token); wire != on_wire_.end()) return wire->second;
    const auto task = task_progress_.find(token);
    return task == task_progress_.end() ? std::nullopt : std::optional(task->second);
}

void ClientEngine::on_progress(const json::object& params) {
    const json::value* token = params.if_contains("progressToken");
    const auto request = token ? jsonrpc::Id::from(*token) : std::nullopt;
    const auto call = request ? call_of(*request) : std::nullopt;
    if (!call) return note(LogLevel::debug, "dropped progress for an unknown request");
    Pending& p = calls_.at(*call);
    auto progress = protocol::read_progress(params);
    if (!progress) return note(LogLevel::warning, "dropped progress: " + quote(progress.error().message));
    if (!p.call.progress) return note(LogLevel::debug, "dropped progress that was not requested");
    if (p.last_progress && progress->progress <= *p.last_progress)
        return note(LogLevel::debug, "dropped progress that does not increase");
    p.last_progress = progress->progress;
    if (p.step == Step::response) rearm(*call, p, later(now_, p.time));
    actions_.push_back(ReportProgress{p.call.progress, *std::move(progress)});
}

}  // namespace tenon::core
