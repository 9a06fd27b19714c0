// subscriptions/listen (2026-07-28): a request that stays open while the server tells of changes. One for the lists,
// and one for each resource, so that each can end alone.
#include <algorithm>

#include "core/client_engine.hpp"
#include "protocol/meta_keys.hpp"

namespace tenon::core {

using Kind = ClientCall::Kind;

namespace {

const json::object* object_at(const json::object& o, std::string_view name) {
    const json::value* v = o.if_contains(name);
    return v ? v->if_object() : nullptr;
}

bool names(const json::object& granted, const json::value& uri) {
    const json::value* v = granted.if_contains("resourceSubscriptions");
    const json::array* uris = v ? v->if_array() : nullptr;
    return uris && std::ranges::find(*uris, uri) != uris->end();
}

}  // namespace

void ClientEngine::start_listening() {
    if (rules_->has(protocol::Trait::handshake)) return;  // there it is told without asking
    const ServerCapabilities& has = server_->capabilities;
    json::object wanted;
    if (settings_->hears_tools && has.tools) wanted.emplace("toolsListChanged", true);
    if (settings_->hears_resources && has.resources) wanted.emplace("resourcesListChanged", true);
    if (settings_->hears_prompts && has.prompts) wanted.emplace("promptsListChanged", true);
    if (wanted.empty()) return;
    ClientCall lists;
    lists.kind = Kind::listen;
    lists.params = {{"notifications", std::move(wanted)}};
    call(std::move(lists), now_);
}

void ClientEngine::listen(CallId id, Pending& p) {
    if (listeners_.size() >= limits_.max_subscriptions)
        return finish(calls_.find(id), Error{code::server_error, "too many subscriptions: the limit is " +
                                                                     std::to_string(limits_.max_subscriptions)});
    if (p.call.kind == Kind::subscribe) {
        json::value uri = p.call.params.at("uri");
        p.call.params = {{"notifications", json::object{{"resourceSubscriptions", json::array{std::move(uri)}}}}};
    }
    rearm(id, p, later(now_, p.time));
    send_request(id, p);
}

// The call is over with this; its request stays open, as a listener.
void ClientEngine::on_acknowledged(const json::object& params) {
    const json::object* meta = object_at(params, "_meta");
    const json::value* named = meta ? meta->if_contains(protocol::meta_key::subscription) : nullptr;
    const auto request = named ? jsonrpc::Id::from(*named) : std::nullopt;
    const auto wire = request ? on_wire_.find(*request) : on_wire_.end();
    const auto it = wire == on_wire_.end() ? calls_.end() : calls_.find(wire->second);
    if (it == calls_.end() || it->second.call.method != "subscriptions/listen")
        return note(LogLevel::info, "dropped an acknowledgement of no subscription of ours");

    std::string uri;
    if (it->second.call.kind == Kind::subscribe) {
        const json::value& asked = it->second.call.params.at("notifications").at("resourceSubscriptions").at(0);
        const json::object* granted = object_at(params, "notifications");
        if (!granted || !names(*granted, asked)) {
            withdraw(it->second, "it is of no use");
            return finish(it, Error{code::server_error, "the server does not tell of changes of this resource"});
        }
        uri = asked.get_string();
    }
    listeners_.emplace(*request, Listener{std::move(uri)});
    finish(it, json::object());
}

void ClientEngine::unlisten(Calls::iterator it) {
    const std::string_view uri = it->second.call.params.at("uri").as_string();
    const auto listener = std::ranges::find_if(listeners_, [&](const auto& l) { return l.second.uri == uri; });
    if (listener == listeners_.end())
        return finish(it, Error{code::invalid_params, "there is no subscription to this resource"});
    Pending listening;
    listening.request = listener->first;
    listeners_.erase(listener);
    withdraw(listening, "unsubscribed");
    finish(it, json::object());
}

bool ClientEngine::listener_over(const jsonrpc::Id& id, std::string_view why) {
    const auto listener = listeners_.find(id);
    if (listener == listeners_.end()) return false;
    const std::string what = listener->second.uri.empty() ? "lists" : quote(listener->second.uri);
    note(LogLevel::warning, "a subscription is over (" + what + "): " + std::string(why));
    listeners_.erase(listener);
    return true;
}

}  // namespace tenon::core
