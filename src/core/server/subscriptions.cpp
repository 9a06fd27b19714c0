// subscriptions/listen (2026-07-28): a request whose answer is a stream of notifications.
#include "base/uri.hpp"
#include "core/server/engine.hpp"
#include "json/reader.hpp"
#include "protocol/meta_keys.hpp"

namespace tenon::core {
namespace {

constexpr std::string_view id_key = protocol::meta_key::subscription;

void write_subscription(json::Writer& w, const jsonrpc::Id& id) {
    w.key("_meta");
    w.begin_object();
    w.key(id_key);
    id.write(w);
    w.end_object();
}

}  // namespace

void ServerEngine::listen(const CallPtr& call, const json::object& params) {
    json::Reader r(params, "params");
    json::Reader f(r.object("notifications"), "params.notifications");
    if (!r.ok()) return answer(call, r.error());

    // Only features that the server has are granted. The acknowledgement lists what is granted.
    const Declared& has = call->peer->declared;
    ListenCall listener{call};
    listener.tools = f.optional_boolean("toolsListChanged").value_or(false) && has.tools;
    listener.resources = f.optional_boolean("resourcesListChanged").value_or(false) && has.resources;
    listener.prompts = f.optional_boolean("promptsListChanged").value_or(false) && has.prompts;
    if (const json::array* uris = f.optional_array("resourceSubscriptions")) {
        for (const json::value& uri : *uris) {
            if (!uri.is_string() || !base::parse_uri(uri.get_string()))
                f.complain("resourceSubscriptions", "an array of URIs");
            if (f.ok() && has.resources) listener.uris.emplace(uri.get_string());
        }
        if (uris->size() > limits_.max_subscriptions)
            f.complain("resourceSubscriptions", "at most " + std::to_string(limits_.max_subscriptions) + " URIs");
    }
    if (!f.ok()) return answer(call, f.error());
    if (auto ok = pay_for(listener); !ok) return answer(call, ok.error());
    std::vector<TaskRecord> tasks;
    if (auto ok = listen_to_tasks(listener, r.object("notifications"), tasks); !ok) return answer(call, ok.error());
    if (auto ok = may_run(); !ok) return answer(call, ok.error());

    running_.insert(call);
    call->runs = true;
    Encoded acknowledged;
    json::Writer w(acknowledged.json);
    w.begin_object();
    write_subscription(w, call->id);
    w.key("notifications");
    w.begin_object();
    if (listener.tools) w.field("toolsListChanged", true);
    if (listener.resources) w.field("resourcesListChanged", true);
    if (listener.prompts) w.field("promptsListChanged", true);
    if (!listener.uris.empty()) {
        w.key("resourceSubscriptions");
        w.begin_array();
        for (const std::string& uri : listener.uris) w.string(uri);
        w.end_array();
    }
    if (!tasks.empty()) {
        w.key("taskIds");
        w.begin_array();
        for (const TaskRecord& task : tasks) w.string(task.id);
        w.end_array();
    }
    w.end_object();
    w.end_object();
    const ListenCall& kept = listeners_.emplace(call.get(), std::move(listener)).first->second;
    send(jsonrpc::encode_notification("notifications/subscriptions/acknowledged", acknowledged), call);
    // A task may have changed since it started. So each listener first gets the current state of its tasks.
    for (const TaskRecord& task : tasks) tell_of_task(kept, task);
}

Result<void> ServerEngine::pay_for(ListenCall& listener) const {
    std::size_t bytes = bytes_of_session;  // over HTTP this request has a session of its own
    for (const std::string& uri : listener.uris) bytes += uri.size() + bytes_of_entry;
    listener.charge = new_charge();
    if (const auto verdict = listener.charge.resize(bytes); verdict != MemoryDecision::granted)
        return memory_error(verdict, listener.charge);
    return {};
}

Result<void> ServerEngine::listen_to_tasks(ListenCall& listener, const json::object& wanted,
                                           std::vector<TaskRecord>& found) const {
    json::Reader f(wanted, "params.notifications");
    const json::array* ids = f.optional_array("taskIds");
    if (!f.ok()) return f.error();
    if (!ids || ids->empty() || !listener.call->peer->declared.tasks) return {};
    if (auto ok = may_use_tasks(*listener.call); !ok) return ok;
    if (ids->size() > limits_.max_subscriptions)
        f.complain("taskIds", "at most " + std::to_string(limits_.max_subscriptions) + " ids");
    for (const json::value& id : *ids) {
        if (!id.is_string()) f.complain("taskIds", "an array of strings");
        if (!f.ok()) return f.error();
        auto task = settings_->find_task(id.get_string(), reach(*listener.call));
        if (task && listener.tasks.insert(task->id).second) found.push_back(*std::move(task));
    }
    return {};
}

void ServerEngine::tell_listener(const ListenCall& listener, std::string_view method, const Encoded& members) {
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    write_subscription(w, listener.call->id);
    w.members(members.json);
    w.end_object();
    send(jsonrpc::encode_notification(method, params), listener.call);
}

void ServerEngine::end_listeners() {
    while (!listeners_.empty()) {
        const CallPtr call = listeners_.begin()->second.call;
        const auto id = json::parse(call->id.text());
        answer(call, HandlerResult{Encoded{"{}"}, json::object{{id_key, id ? *id : json::value()}}});
    }
}

}  // namespace tenon::core
