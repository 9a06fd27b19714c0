// Questions of the server: elicitation, sampling, roots, ping. Each is answered once, unless the server cancels it.
#include <algorithm>

#include "base/uri.hpp"
#include "core/client/engine.hpp"
#include "core/sampling.hpp"
#include "json/weight.hpp"
#include "protocol/read_server.hpp"

namespace tenon::core {

using protocol::Trait;

namespace {

Error no_handler(std::string_view what) {
    return {code::method_not_found, "Method not found: this client has no handler for " + std::string(what)};
}

}  // namespace

bool ClientEngine::asked_by_server() const {
    return std::ranges::any_of(asks_, [](const auto& ask) { return ask.second.request.has_value(); });
}

void ClientEngine::on_request(jsonrpc::Request& request) {
    if (rules_ && rules_->is_modern()) {
        note(LogLevel::warning, "ignored the request " + quote(request.method) + ": servers of revision " +
                                    std::string(rules_->name()) + " send none");
        return;
    }
    if (request.method == "ping") return respond(request.id, Encoded{"{}"});
    const auto same = [&](const auto& ask) { return ask.second.request && *ask.second.request == request.id; };
    if (std::ranges::any_of(asks_, same))
        return respond(request.id, Error{code::invalid_request, "Invalid request: the id is in use"});
    OpenAsk open;
    open.request = request.id;
    open.bytes = json::weight(request.params);
    if (auto room = has_room_for(1, open.bytes); !room) return respond(request.id, room.error());
    auto ask = rules_ ? read_ask(request.method, request.params, open)
                      : Result<Ask>(Error{code::invalid_request,
                                          "Invalid request: only ping is allowed before the answer to initialize"});
    if (!ask) return respond(request.id, ask.error());
    ask->id = next_ask_++;
    put(*std::move(ask), std::move(open));
}

Result<void> ClientEngine::has_room_for(std::size_t asks, std::size_t bytes) const {
    if (asks_.size() + asks > limits_.max_server_requests)
        return Error{code::server_error, "too many questions at once: the limit is " +
                                             std::to_string(limits_.max_server_requests) +
                                             " (ClientLimits::max_server_requests)"};
    if (ask_bytes_ + bytes > limits_.max_server_request_bytes)
        return Error{code::server_error, "the open questions take too much memory: the limit is " +
                                             std::to_string(limits_.max_server_request_bytes) +
                                             " bytes (ClientLimits::max_server_request_bytes)"};
    return {};
}

Result<Ask> ClientEngine::read_ask(std::string_view method, const json::object& params, OpenAsk& open) const {
    const protocol::ClientAbilities& can = settings_->identity.abilities;
    if (!rules_->method(method, protocol::Sender::server)) return no_handler(quote(method));
    if (method == "roots/list" && can.roots) return Ask{0, RootsRequest{}, {}};
    if (method == "sampling/createMessage" && can.sampling) {
        auto request = protocol::read_sample_request(params);
        if (!request) return request.error();
        if (uses_tools(*request) && !can.sampling_tools)
            return Error{code::invalid_params, "Invalid params: this client does not support tools in sampling"};
        return Ask{0, *std::move(request), {}};
    }
    if (method != "elicitation/create") return no_handler(quote(method));
    if (protocol::asks_for_page(params)) {
        if (!can.elicitation_url || !rules_->has(Trait::url_elicitation)) return no_handler("elicitation by a page");
        auto request = protocol::read_elicit_url_request(params);
        if (!request) return request.error();
        if (!base::parse_uri(request->url))
            return Error{code::invalid_params, "Invalid params: `params.url` must be a URL"};
        return Ask{0, *std::move(request), {}};
    }
    if (!can.elicitation_form) return no_handler("elicitation by a form");
    auto request = protocol::read_elicit_request(params);
    if (!request) return request.error();
    auto form = ElicitForm::compile(request->requestedSchema);
    if (!form) return form.error();
    open.form = *std::move(form);
    return Ask{0, *std::move(request), {}};
}

void ClientEngine::put(Ask ask, OpenAsk open) {
    ask.stop = open.stop.get_token();
    ask_bytes_ += open.bytes;
    asks_.emplace(ask.id, std::move(open));
    actions_.push_back(std::move(ask));
}

void ClientEngine::answered(AskId id, Result<AskAnswer> answer, TimePoint now) {
    now_ = now;
    const auto it = asks_.find(id);
    if (it == asks_.end()) return;  // the question was dropped: its call or session is over, or the server cancelled it
    const OpenAsk open = take_ask(it);
    auto encoded = encode_answer(open, std::move(answer));
    if (open.request) return respond(*open.request, encoded);
    const auto call = calls_.find(open.call);
    if (call == calls_.end()) return;
    call->second.asks.erase(id);
    if (!encoded)
        return finish(
            call, Error{encoded.error().code, "the server's question was not answered: " + encoded.error().message});
    input_arrived(open.call, open.key, *std::move(encoded));
}

Result<Encoded> ClientEngine::encode_answer(const OpenAsk& open, Result<AskAnswer> answer) const {
    if (!answer) return answer.error();
    if (auto* elicited = std::get_if<ElicitResult>(&*answer)) {
        if (!open.form) {
            elicited->content.clear();
        } else {
            auto complete = open.form->complete(std::move(*elicited));
            if (!complete) return complete.error();
            *elicited = *std::move(complete);
        }
        return protocol::encode(*elicited, *rules_);
    }
    if (const auto* sampled = std::get_if<SampleResult>(&*answer)) return protocol::encode(*sampled, *rules_);
    return protocol::encode(std::get<std::vector<Root>>(*answer), *rules_);
}

void ClientEngine::respond(const jsonrpc::Id& id, const Result<Encoded>& answer) {
    if (rules_ && rules_->is_modern()) return;
    if (answer) return transmit(OutgoingMessage::Kind::response, jsonrpc::encode_result(id, *answer));
    transmit(OutgoingMessage::Kind::response, jsonrpc::encode_error(id, answer.error()));
}

ClientEngine::OpenAsk ClientEngine::take_ask(std::map<AskId, OpenAsk>::iterator it) {
    OpenAsk open = std::move(it->second);
    asks_.erase(it);
    ask_bytes_ -= open.bytes;
    return open;
}

void ClientEngine::drop_ask(AskId id) {
    const auto it = asks_.find(id);
    if (it != asks_.end()) actions_.push_back(StopAsk{take_ask(it).stop});
}

void ClientEngine::on_server_cancelled(const json::object& params) {
    const json::value* named = params.if_contains("requestId");
    const auto id = named ? jsonrpc::Id::from(*named) : std::nullopt;
    if (!id || listener_over(*id, "the server cancelled it")) return;
    for (const auto& [ask, open] : asks_)
        if (open.request && *open.request == *id) return drop_ask(ask);
}

}  // namespace tenon::core
