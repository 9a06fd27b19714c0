// Questions of the server: elicitation, sampling, roots, ping. Each is answered once, unless the server cancels it.
#include <algorithm>

#include "core/client/engine.hpp"
#include "core/sampling.hpp"
#include "json/weight.hpp"
#include "protocol/question_rules.hpp"
#include "protocol/read_server.hpp"
#include "protocol/root_rules.hpp"
#include "protocol/sampling_rules.hpp"

namespace tenon::core {

using protocol::Trait;

namespace {

Error no_handler(std::string_view what) {
    return {code::method_not_found, "Method not found: this client has no handler for " + std::string(what)};
}

Error undeclared_mode(std::string_view mode) {
    return {code::invalid_params, "Invalid params: this client did not declare elicitation by a " + std::string(mode)};
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

Result<Ask> ClientEngine::read_ask(std::string_view method, const json::object& params, OpenAsk& open) {
    auto out = read_question(method, params, open);
    if (!out) return out;
    out->method = method;
    const json::value* meta = params.if_contains("_meta");
    if (meta && meta->is_object()) out->trace = TraceContext::read(meta->get_object());
    return out;
}

Result<Ask> ClientEngine::read_question(std::string_view method, const json::object& params, OpenAsk& open) {
    const protocol::ClientAbilities& can = settings_->identity.abilities;
    const bool elicits = can.elicitation_form || (can.elicitation_url && rules_->has(Trait::url_elicitation));
    if (!rules_->method(method, protocol::Sender::server)) return no_handler(quote(method));
    if (method == "roots/list" && can.roots) return Ask{0, RootsRequest{}, {}};
    if (method == "sampling/createMessage" && can.sampling) return read_sampling(params);
    if (method != "elicitation/create" || !elicits) return no_handler(quote(method));
    return protocol::asks_for_page(params) ? read_page(params) : read_form(params, open);
}

Result<Ask> ClientEngine::read_sampling(const json::object& params) {
    const protocol::ClientAbilities& can = settings_->identity.abilities;
    auto request = protocol::read_sample_request(params);
    if (!request) return request.error();
    if (uses_tools(*request) && !can.sampling_tools)
        return Error{code::invalid_params, "Invalid params: this client does not support tools in sampling"};
    if (auto ok = protocol::check_tool_turns(request->messages); !ok) return ok.error();
    if (!can.sampling_context && !request->includeContext.empty() && request->includeContext != "none") {
        note(LogLevel::info, "removed `includeContext` from a sampling request: this client did not declare it");
        request->includeContext.clear();
    }
    if (auto ok = may_ask_now(); !ok) return ok.error();
    return Ask{0, *std::move(request), {}};
}

Result<Ask> ClientEngine::read_page(const json::object& params) {
    if (!settings_->identity.abilities.elicitation_url || !rules_->has(Trait::url_elicitation))
        return undeclared_mode("web page (mode `url`)");
    auto request = protocol::read_elicit_url_request(params);
    if (!request) return request.error();
    if (auto wrong = protocol::wrong_page_url(request->url)) return *std::move(wrong);
    if (auto ok = may_ask_now(); !ok) return ok.error();
    pages_.add(request->elicitationId);
    return Ask{0, *std::move(request), {}};
}

// Both kinds cost the user's time or money, so a server must not ask without end.
Result<void> ClientEngine::may_ask_now() {
    if (question_rate_.take(now_)) return {};
    return Error{code::server_error, "too many questions: the limit is " +
                                         std::to_string(limits_.max_questions_per_minute) +
                                         " per minute (ClientLimits::max_questions_per_minute)"};
}

// Remembers the pages of an error -32042. The server reports their end, too.
void ClientEngine::remember_pages(const Error& error) {
    const json::object* data = error.code == code::url_elicitation_required ? error.data.if_object() : nullptr;
    const json::value* pages = data ? data->if_contains("elicitations") : nullptr;
    if (!pages || !pages->is_array()) return;
    for (const json::value& page : pages->get_array()) {
        const json::object* o = page.if_object();
        const json::value* id = o ? o->if_contains("elicitationId") : nullptr;
        if (id && id->is_string()) pages_.add(id->get_string());
    }
}

Result<Ask> ClientEngine::read_form(const json::object& params, OpenAsk& open) {
    if (!settings_->identity.abilities.elicitation_form) return undeclared_mode("form (mode `form`)");
    auto request = protocol::read_elicit_request(params);
    if (!request) return request.error();
    auto form = ElicitForm::compile(request->requestedSchema);
    if (!form) return form.error();
    if (auto ok = may_ask_now(); !ok) return ok.error();
    open.form = *std::move(form);
    return Ask{0, *std::move(request), {}};
}

void ClientEngine::put(Ask ask, OpenAsk open) {
    ask.stop = open.stop.get_token();
    open.drop.push_back(StopAsk{open.stop});
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

Result<Encoded> ClientEngine::encode_answer(const OpenAsk& open, Result<AskAnswer> answer) {
    if (!answer) return Error{rules_->error_code(answer.error().code), answer.error().message, answer.error().data};
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
    const auto& roots = std::get<std::vector<Root>>(*answer);
    if (auto ok = protocol::check_roots(roots); !ok) {
        note(LogLevel::error, "on_roots returned an invalid root: " + ok.error().message);
        return Error{code::internal_error, "the client has an invalid root: " + ok.error().message};
    }
    return protocol::encode(roots, *rules_);
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

void ClientEngine::drop_ask(AskId id) noexcept {
    const auto it = asks_.find(id);
    if (it != asks_.end()) actions_.splice(actions_.end(), take_ask(it).drop);
}

void ClientEngine::on_server_cancelled(const json::object& params) {
    const json::value* named = params.if_contains("requestId");
    const auto id = named ? jsonrpc::Id::from(*named) : std::nullopt;
    if (!id || listener_over(*id, "the server cancelled it")) return;
    const json::value* said = params.if_contains("reason");
    const std::string reason = said && said->is_string() ? quote(said->get_string()) : "no reason given";
    for (const auto& [ask, open] : asks_)
        if (open.request && *open.request == *id) {
            note(LogLevel::info, "the server cancelled its question " + quote(id->text()) + ": " + reason);
            return drop_ask(ask);
        }
}

}  // namespace tenon::core
