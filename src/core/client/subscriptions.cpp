// subscriptions/listen (2026-07-28): a request that stays open while the server sends notifications of changes. There
// is one for the lists and one for each resource, so that each can end alone. When a connection breaks, its
// subscriptions are requested again.
#include <algorithm>

#include "core/client/engine.hpp"
#include "json/find.hpp"
#include "protocol/meta_keys.hpp"

namespace tenon::core {

namespace {

constexpr Duration first_wait = std::chrono::seconds(1), longest_wait = std::chrono::seconds(30);
constexpr std::size_t max_attempts = 10;

// The wait doubles with each attempt.
Duration wait_before(std::size_t attempt) {
    return attempt > 5 ? longest_wait : std::min(longest_wait, first_wait * (1 << (attempt - 1)));
}

std::string listened_uri(const json::object& listen_params) {
    const json::value* v = listen_params.at("notifications").as_object().if_contains("resourceSubscriptions");
    return v ? std::string(v->at(0).as_string()) : std::string();
}

bool names(const json::object& granted, const json::value& uri) {
    const json::value* v = granted.if_contains("resourceSubscriptions");
    const json::array* uris = v ? v->if_array() : nullptr;
    return uris && std::ranges::find(*uris, uri) != uris->end();
}

}  // namespace

void ClientEngine::start_listening() {
    if (rules_->is_legacy()) return;  // legacy servers notify without a subscription
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
        return finish(calls_.find(id), Error{code::limit_reached, "too many subscriptions: the limit is " +
                                                                      std::to_string(limits_.max_subscriptions) +
                                                                      " (ClientLimits::max_subscriptions); unsubscribe "
                                                                      "from a resource first"});
    if (p.call.kind == Kind::subscribe) {
        json::value uri = p.call.params.at("uri");
        p.call.params = {{"notifications", json::object{{"resourceSubscriptions", json::array{std::move(uri)}}}}};
    }
    rearm(id, p, later(now_, p.time));
    send_request(id, p);
}

// The acknowledgement ends the call. Its request stays open, as a listener.
void ClientEngine::on_acknowledged(const json::object& params) {
    const json::object* meta = json::find_object(params, "_meta");
    const json::value* named = meta ? meta->if_contains(protocol::meta_key::subscription) : nullptr;
    const auto request = named ? jsonrpc::Id::from(*named) : std::nullopt;
    const auto wire = request ? on_wire_.find(*request) : on_wire_.end();
    const auto it = wire == on_wire_.end() ? calls_.end() : calls_.find(wire->second);
    if (it == calls_.end() || it->second.call.method != "subscriptions/listen")
        return note(LogLevel::info, "dropped an acknowledgement of an unknown subscription");

    ListenStream listener{listened_uri(it->second.call.params), it->second.call.params};
    const json::object* granted = json::find_object(params, "notifications");
    if (!listener.uri.empty() && (!granted || !names(*granted, json::value(listener.uri)))) {
        withdraw(it->second, "the server does not notify of this resource");
        return finish(it, Error{code::invalid_answer, "the server does not notify of changes of this resource"});
    }
    const bool was_broken = it->second.call.attempt > 0;
    finish(it, json::object());
    tell_what_may_have_changed(listener, was_broken);
    listeners_.emplace(*request, std::move(listener));
}

void ClientEngine::remember_list(std::string_view method) {
    if (method == "tools/list") requested_lists_.tools = true;
    if (method == "prompts/list") requested_lists_.prompts = true;
    if (method == "resources/list" || method == "resources/templates/list") requested_lists_.resources = true;
}

// A server notifies only of changes after its acknowledgement. So these count as changed: a list that was requested
// before the acknowledgement, and everything when the subscription was broken for a time.
void ClientEngine::tell_what_may_have_changed(const ListenStream& listener, bool was_broken) {
    if (!listener.uri.empty()) {
        if (was_broken) changed("notifications/resources/updated", {{"uri", listener.uri}});
        return;
    }
    const json::object& wanted = listener.params.at("notifications").as_object();
    const auto tell = [&](const char* member, bool requested, const char* method) {
        if (wanted.contains(member) && (was_broken || requested)) changed(method, {});
    };
    tell("toolsListChanged", requested_lists_.tools, "notifications/tools/list_changed");
    tell("resourcesListChanged", requested_lists_.resources, "notifications/resources/list_changed");
    tell("promptsListChanged", requested_lists_.prompts, "notifications/prompts/list_changed");
}

void ClientEngine::unlisten(Calls::iterator it) {
    const std::string_view uri = it->second.call.params.at("uri").as_string();
    const auto listener = std::ranges::find_if(listeners_, [&](const auto& l) { return l.second.uri == uri; });
    if (std::erase_if(broken_, [&](const auto& b) { return b.second.listener.uri == uri; }) > 0)
        return finish(it, json::object());
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

// ---- after a connection broke

bool ClientEngine::listener_broke(const jsonrpc::Id& id, const Error& why) {
    const auto listener = listeners_.find(id);
    if (listener == listeners_.end()) return false;
    note(LogLevel::info, "a subscription was lost and is requested again: " + quote(why.message));
    ListenStream lost = std::move(listener->second);
    listeners_.erase(listener);
    listen_later(std::move(lost), 1);
    return true;
}

void ClientEngine::listen_later(ListenStream listener, std::size_t attempt) {
    broken_.emplace(later(now_, wait_before(attempt)), Broken{std::move(listener), attempt});
}

void ClientEngine::tick_subscriptions() {
    while (!broken_.empty() && broken_.begin()->first <= now_) {
        Broken broken = std::move(broken_.begin()->second);
        broken_.erase(broken_.begin());
        ClientCall again;
        again.kind = Kind::listen;
        again.params = std::move(broken.listener.params);
        again.attempt = broken.attempt;
        call(std::move(again), now_);
    }
}

void ClientEngine::listening_failed(ClientCall& call, const Error& why) {
    if (over_) return;
    ListenStream listener{listened_uri(call.params), call.params};
    if (call.attempt > 0 && call.attempt < max_attempts) return listen_later(std::move(listener), call.attempt + 1);
    const std::string what = listener.uri.empty() ? "lists" : quote(listener.uri);
    note(LogLevel::warning, "a subscription failed (" + what + "): " + quote(why.message));
}

// In the legacy era the log level and the subscriptions belong to the session, so a new session needs them again.
void ClientEngine::restore_session() {
    const auto tell = [this](Kind kind, json::object params) {
        ClientCall again;
        again.kind = kind;
        again.params = std::move(params);
        again.reply = make_reply<json::value>([](const Result<json::value>&) {});
        call(std::move(again), now_);
    };
    if (log_level_) tell(Kind::set_level, {{"level", to_string(*log_level_)}});
    for (const std::string& uri : std::exchange(subscribed_, {})) tell(Kind::subscribe, {{"uri", uri}});
}

}  // namespace tenon::core
