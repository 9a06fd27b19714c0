// Requests to the client: elicitation, sampling, roots. Each one ends: with an answer, in time, or with its call.
#include <algorithm>

#include "core/server_engine.hpp"
#include "protocol/write.hpp"

namespace tenon::core {

using protocol::Needs;
using protocol::Trait;

namespace {

Error lacks(std::string_view what) {
    return {code::server_error, "the client did not declare the capability `" + std::string(what) + "`"};
}

bool capable(const protocol::ClientCapabilities& c, Needs needs) {
    switch (needs) {
        case Needs::roots: return c.roots;
        case Needs::sampling: return c.sampling;
        case Needs::elicitation: return c.elicitation_form || c.elicitation_url;
        default: return true;
    }
}

std::string_view capability_name(Needs needs) {
    return needs == Needs::roots ? "roots" : needs == Needs::sampling ? "sampling" : "elicitation";
}

bool speaks_of_tools(const SampleRequest& request) {
    const auto is_tool_block = [](const SamplingContent& block) {
        return std::holds_alternative<ToolUse>(block) || std::holds_alternative<ToolUseResult>(block);
    };
    return !request.tools.empty() || std::ranges::any_of(request.messages, [&](const SamplingMessage& m) {
        return std::ranges::any_of(m.content, is_tool_block);
    });
}

}  // namespace

Result<void> ServerEngine::may_ask(const Call& call, std::string_view method) const {
    if (!call.open) return Error{code::server_error, "the request is over, so nothing can be asked for it"};
    if (input_ended_) return Error{code::server_error, "the connection is closed, so the client cannot answer"};
    if (!initialized_) return Error{code::server_error, "the client has not sent notifications/initialized yet"};
    const protocol::Method* row = call.peer->rules.method(method, protocol::Sender::server);
    if (!row) return Error{code::server_error, "revision " + std::string(call.peer->rules.name()) + " has no " + std::string(method)};
    if (!capable(call.peer->capabilities, row->needs)) return lacks(capability_name(row->needs));
    if (asks_.size() >= limits_.max_pending_asks)
        return Error{code::server_error, "too many questions to the client at once: the limit is " + std::to_string(limits_.max_pending_asks)};
    return {};
}

void ServerEngine::ask(const CallPtr& call, std::string_view method, Encoded params, TimePoint now, Reply<json::value> reply) {
    if (auto ok = may_ask(*call, method); !ok) return fail(std::move(reply), ok.error());
    const std::int64_t id = next_ask_++;
    asks_.emplace(id, PendingAsk{std::move(reply), call, now + limits_.ask_time, method});
    send(jsonrpc::encode_request(jsonrpc::Id(id), method, params), call);
}

void ServerEngine::elicit(const CallPtr& call, std::string_view message, const json::object& form, TimePoint now, Reply<json::value> reply) {
    if (call->peer->capabilities.elicitation_url && !call->peer->capabilities.elicitation_form)
        return fail(std::move(reply), lacks("elicitation.form"));
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    if (call->peer->rules.has(Trait::url_elicitation)) w.field("mode", "form");
    w.field("message", message);
    w.field("requestedSchema", form);
    w.end_object();
    ask(call, "elicitation/create", std::move(params), now, std::move(reply));
}

void ServerEngine::elicit_url(const CallPtr& call, std::string_view message, std::string_view url, std::string_view elicitation_id,
                              TimePoint now, Reply<json::value> reply) {
    if (!call->peer->rules.has(Trait::url_elicitation) || !call->peer->capabilities.elicitation_url)
        return fail(std::move(reply), lacks("elicitation.url"));
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    w.field("mode", "url");
    w.field("message", message);
    w.field("url", url);
    w.field("elicitationId", elicitation_id);
    w.end_object();
    ask(call, "elicitation/create", std::move(params), now, std::move(reply));
}

void ServerEngine::sample(const CallPtr& call, const SampleRequest& request, TimePoint now, Reply<json::value> reply) {
    if (speaks_of_tools(request) && !(call->peer->rules.has(Trait::sampling_tools) && call->peer->capabilities.sampling_tools))
        return fail(std::move(reply), lacks("sampling.tools"));
    ask(call, "sampling/createMessage", protocol::encode(request, call->peer->rules), now, std::move(reply));
}

void ServerEngine::roots(const CallPtr& call, TimePoint now, Reply<json::value> reply) {
    ask(call, "roots/list", {}, now, std::move(reply));
}

void ServerEngine::on_response(jsonrpc::Response& response) {
    for (auto it = asks_.begin(); it != asks_.end(); ++it) {
        if (!(jsonrpc::Id(it->first) == response.id)) continue;
        actions_.push_back(Deliver{std::move(it->second.reply), std::move(response.outcome)});
        asks_.erase(it);
        return;
    }
    note(LogLevel::warning, "dropped a response to no request of ours: id " + quote(response.id.text()));
}

void ServerEngine::give_up(std::int64_t id, Error why) {
    const auto it = asks_.find(id);
    if (!input_ended_) {
        Encoded params;
        json::Writer w(params.json);
        w.begin_object();
        w.field("requestId", id);
        w.field("reason", why.message);
        w.end_object();
        send(jsonrpc::encode_notification("notifications/cancelled", params), it->second.call.lock());
    }
    fail(std::move(it->second.reply), std::move(why));
    asks_.erase(it);
}

void ServerEngine::give_up_asks_of(const CallPtr& call, const Error& why) {
    std::vector<std::int64_t> ids;
    for (const auto& [id, pending] : asks_)
        if (pending.call.lock() == call) ids.push_back(id);
    for (const auto id : ids) give_up(id, why);
}

void ServerEngine::end_of_input() {
    input_ended_ = true;
    while (!asks_.empty()) give_up(asks_.begin()->first, {code::server_error, "the connection was closed before the client answered"});
}

}  // namespace tenon::core
