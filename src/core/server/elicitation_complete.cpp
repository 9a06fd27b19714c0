// Tells the client that the user has finished the page of a URL elicitation.
#include "core/server/engine.hpp"

namespace tenon::core {

void ServerEngine::elicitation_complete(const CallPtr& call, std::string_view elicitation_id) {
    if (!initialized_ || shut_down_ || !call->peer->capabilities.elicitation_url) return;
    if (!call->peer->rules.method("notifications/elicitation/complete", protocol::Sender::server)) return;
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    w.field("elicitationId", elicitation_id);
    write_meta(w, call);
    w.end_object();
    send(jsonrpc::encode_notification("notifications/elicitation/complete", params),
         call->state_.open ? call : nullptr);
}

}  // namespace tenon::core
