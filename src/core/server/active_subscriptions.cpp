#include "core/server/active_subscriptions.hpp"

#include <functional>

#include "base/uri.hpp"
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

void read_uris(json::Reader& filter, ListenCall& listener, std::size_t limit) {
    const json::array* uris = filter.optional_array("resourceSubscriptions");
    if (!uris) return;
    for (const json::value& uri : *uris) {
        if (!uri.is_string() || !base::parse_uri(uri.get_string()))
            filter.complain("resourceSubscriptions", "an array of URIs");
        if (filter.ok() && listener.call->peer->declared.resources) listener.uris.emplace(uri.get_string());
    }
    if (uris->size() > limit) filter.complain("resourceSubscriptions", "at most " + std::to_string(limit) + " URIs");
}

template <class Range, class TextOf>
void write_texts(json::Writer& w, std::string_view name, const Range& range, TextOf text_of) {
    if (range.empty()) return;
    w.key(name);
    w.begin_array();
    for (const auto& element : range) w.string(text_of(element));
    w.end_array();
}

}  // namespace

Result<ListenCall> read_listen(const CallPtr& call, const Limits& limits) {
    json::Reader r(call->params, "params");
    json::Reader f(r.object("notifications"), "params.notifications");
    if (!r.ok()) return r.error();
    const Declared& has = call->peer->declared;
    ListenCall listener{call};
    listener.tools = f.optional_boolean("toolsListChanged").value_or(false) && has.tools;
    listener.resources = f.optional_boolean("resourcesListChanged").value_or(false) && has.resources;
    listener.prompts = f.optional_boolean("promptsListChanged").value_or(false) && has.prompts;
    read_uris(f, listener, limits.max_subscriptions);
    if (!f.ok()) return f.error();
    return listener;
}

Encoded encode_acknowledgement(const ListenCall& listener, const std::vector<TaskRecord>& tasks) {
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    write_subscription(w, listener.call->id);
    w.key("notifications");
    w.begin_object();
    if (listener.tools) w.field("toolsListChanged", true);
    if (listener.resources) w.field("resourcesListChanged", true);
    if (listener.prompts) w.field("promptsListChanged", true);
    write_texts(w, "resourceSubscriptions", listener.uris, std::identity());
    write_texts(w, "taskIds", tasks, [](const TaskRecord& task) -> const std::string& { return task.id; });
    w.end_object();
    w.end_object();
    return jsonrpc::encode_notification("notifications/subscriptions/acknowledged", params);
}

Encoded encode_for(const ListenCall& listener, std::string_view method, const Encoded& members) {
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    write_subscription(w, listener.call->id);
    w.members(members.json);
    w.end_object();
    return jsonrpc::encode_notification(method, params);
}

json::object end_of_listen(const Call& call) {
    const auto id = json::parse(call.id.text());
    return {{id_key, id ? *id : json::value()}};
}

Result<void> ActiveSubscriptions::add(const std::string& uri, const Limits& limits, const MemoryAccountPtr& account) {
    if (uris_.contains(uri)) return {};
    if (uris_.size() >= limits.max_subscriptions)
        return Error{code::server_error,
                     "Too many subscriptions: the limit is " + std::to_string(limits.max_subscriptions),
                     LimitName::max_subscriptions};
    if (uris_.empty()) charge_ = MemoryCharge(account);
    const auto decision = charge_.resize(charge_.bytes() + uri.size() + bytes_of_entry);
    if (decision != MemoryDecision::granted) return memory_error(decision, charge_);
    uris_.insert(uri);
    return {};
}

void ActiveSubscriptions::remove(const std::string& uri) {
    if (uris_.erase(uri) > 0) charge_.resize(charge_.bytes() - uri.size() - bytes_of_entry);
}

Result<void> ActiveSubscriptions::charge(ListenCall& listener, const MemoryAccountPtr& account) {
    std::size_t bytes = bytes_of_session;  // over HTTP this request has a session of its own
    for (const std::string& uri : listener.uris) bytes += uri.size() + bytes_of_entry;
    listener.charge = MemoryCharge(account);
    if (const auto decision = listener.charge.resize(bytes); decision != MemoryDecision::granted)
        return memory_error(decision, listener.charge);
    return {};
}

const ListenCall& ActiveSubscriptions::add(ListenCall listener) {
    const Call* key = listener.call.get();
    return listeners_.emplace(key, std::move(listener)).first->second;
}

}  // namespace tenon::core
