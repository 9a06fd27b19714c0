// Encodes calls as requests of the server's revision, and sends them.
#include "core/client/engine.hpp"
#include "core/client/short_memory.hpp"
#include "json/members.hpp"
#include "protocol/meta_keys.hpp"

namespace tenon::core {

using protocol::Trait;
using SendKind = OutgoingMessage::Kind;

namespace {

// Returns the tool, prompt, URI or task that a request names; empty when it names none.
std::string target_of(std::string_view method, const json::object& params) {
    const protocol::Method* row = protocol::find_method(method);
    return row && !row->target.empty() ? std::string(json::text_member(params, row->target)) : std::string();
}

}  // namespace

OutgoingMessage ClientEngine::outgoing(SendKind kind, Encoded message) const {
    OutgoingMessage out;
    out.kind = kind;
    out.body = std::move(message.json);
    if (rules_) {
        out.revision = rules_->name();
        out.stateless = rules_->is_modern();
    }
    return out;
}

void ClientEngine::transmit(SendKind kind, Encoded message, std::string_view method, std::int64_t id) {
    OutgoingMessage out = outgoing(kind, std::move(message));
    out.method = method;
    out.id = id;
    actions_.push_back(Transmit{std::move(out)});
}

void ClientEngine::notify(std::string_view method, const Encoded& params) {
    transmit(SendKind::notification, jsonrpc::encode_notification(method, params), method);
}

void ClientEngine::roots_changed() {
    if (phase_ != Phase::ready || !settings_->identity.abilities.roots) return;
    if (rules_->method("notifications/roots/list_changed", protocol::Sender::client))
        notify("notifications/roots/list_changed", {});
}

Result<void> ClientEngine::send_notification(std::string_view method, const json::object& params) {
    if (phase_ != Phase::ready)
        return Error{code::connection_closed, "a notification can be sent only while the server is connected"};
    notify(method, params.empty() ? Encoded{} : Encoded{json::write(params)});
    return {};
}

Encoded ClientEngine::encode_params(const Pending& p, const json::object& params, std::int64_t request) const {
    json::object meta = p.call.meta;
    if (p.call.progress && !p.task) meta.insert_or_assign("progressToken", request);
    for (const auto& [key, value] : request_meta_) meta.insert_or_assign(key, value);
    if (log_level_ && rules_->is_modern()) meta.insert_or_assign(protocol::meta_key::log_level, to_string(*log_level_));

    Encoded out;
    if (meta.empty() && params.empty()) return out;
    json::Writer w(out.json);
    w.begin_object();
    for (const auto& [key, value] : params)
        if (key != "_meta") w.field(key, value);
    if (!p.inputs.empty()) w.field("inputResponses", p.inputs);
    if (p.state) w.field("requestState", *p.state);
    if (!meta.empty()) w.field("_meta", meta);
    w.end_object();
    return out;
}

// A request that does not fit into memory fails its call, like one that cannot be sent.
void ClientEngine::send_method(CallId id, Pending& p, const std::string& method, const json::object& params) {
    Result<void> sent;
    try {
        sent = try_to_send(id, p, method, params);
    } catch (...) {
        sent = current_error_or_short();
    }
    if (!sent) finish(calls_.find(id), sent.error());
}

// Changes nothing when it throws.
Result<void> ClientEngine::try_to_send(CallId id, Pending& p, const std::string& method, const json::object& params) {
    const std::int64_t number = next_request_++;
    Encoded message = jsonrpc::encode_request(jsonrpc::Id(number), method, encode_params(p, params, number));
    if (message.json.size() > limits_.max_message_bytes)
        return Error{code::limit_reached,
                     "the request is longer than the limit of " + std::to_string(limits_.max_message_bytes) + " bytes"};
    std::optional<CallFacts> facts;
    if (p.call.facts) facts = {std::to_string(number), std::string(rules_->name()), message.json.size()};
    OutgoingMessage out = outgoing(SendKind::request, std::move(message));
    out.id = number;
    if (p.call.meta.contains(protocol::meta_key::traceparent)) out.trace = TraceContext::read(p.call.meta);
    out.method = method;
    out.name = target_of(method, params);
    if (method == "tools/call" && rules_->has(Trait::mirrored_parameters))
        out.mirrored = tools_.mirrored(out.name, json::object_member(params, "arguments"));
    ClientActions transmit;
    transmit.push_back(Transmit{std::move(out)});
    on_wire_.emplace(jsonrpc::Id(number), id);  // the last step that may throw
    p.request = jsonrpc::Id(number);
    p.credentials = credentials_;
    if (!p.task) p.last_progress.reset();
    if (facts) *p.call.facts = *std::move(facts);
    actions_.splice(actions_.end(), transmit);
    return {};
}

}  // namespace tenon::core
