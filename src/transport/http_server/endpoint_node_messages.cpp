// What a node does when it hears of changes on other nodes, and how it tells them of its own.
#include "transport/http_server/legacy_session.hpp"
#include "transport/http_server/session_record.hpp"
#include "transport/http_server/shared_session.hpp"

namespace tenon {
namespace {

std::string text(const json::object& message, std::string_view name) {
    const json::value* v = message.if_contains(name);
    return v && v->is_string() ? std::string(v->get_string()) : std::string();
}

}  // namespace

void HttpEndpoint::on_node_message(const json::object& message, bool own) {
    const std::string kind = text(message, "kind"), id = text(message, "session");
    if (id.empty()) {
        auto announced = decode_announcement(message);
        if (announced && own) announced = sent_.take(announced->key);
        if (announced) announce_here(*announced);
        return;
    }
    if (own) return;
    if (kind == "ended") options_.cluster->mark_ended(id), end_tasks_of(id);
    if (const SessionPtr session = local(id); session && session->shared()) on_session_message(session, kind, message);
    options_.cluster->confirm(message);
}

void HttpEndpoint::on_session_message(const SessionPtr& session, std::string_view kind, const json::object& message) {
    const json::value* changes = message.if_contains("changes");
    const json::value* params = message.if_contains("params");
    if (kind == "ended") {
        end(session, why_client_ended);
    } else if (kind == "resumed") {
        leave_stream(session, text(message, "log"), nullptr);
    } else if (kind == "changed" && changes) {
        session->with_engine([&](core::ServerEngine& engine) {
            for (const core::StateChange& change : decode_changes(*changes))
                if (!engine.apply_change(change)) session->shared()->set_stale(true);
        });
    } else if (kind == "cancel" && params && params->is_object()) {
        jsonrpc::Incoming in;
        in.messages.emplace_back(jsonrpc::Notification{"notifications/cancelled", params->get_object()});
        session->receive(std::move(in), core::Origin());
    }
}

// Announces through the bus, also on this node. So every node makes announcements and changes of sessions in the same
// order.
void HttpEndpoint::announce(const Announcement& what) {
    const KeyedAnnouncement announcement = with_new_key(what);
    if (const auto oldest = sent_.add(announcement)) announce_here(*oldest);
    options_.cluster->publish(encode(announcement),
                              [self = shared_from_this(), key = announcement.key](const std::optional<Error>& error) {
                                  const auto unsent = error ? self->sent_.take(key) : std::nullopt;
                                  if (unsent) self->announce_here(*unsent);
                              });
}

void HttpEndpoint::announce_here(const KeyedAnnouncement& announcement) {
    const SharedSession::Announcing announcing(announcement.key);
    server_->announce_here(announcement.what);
}

void HttpEndpoint::on_gap() {
    for (const KeyedAnnouncement& lost : sent_.take_all()) announce_here(lost);
    const std::lock_guard lock(mutex_);
    sessions_.for_each([](const SessionPtr& session) {
        if (session->shared()) session->shared()->set_stale(true);
    });
}

}  // namespace tenon
