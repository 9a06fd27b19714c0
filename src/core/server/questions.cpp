// Questions to the client: elicitation, sampling, roots. Each one ends with an answer, a timeout, or its call.
#include <algorithm>

#include "core/sampling.hpp"
#include "core/server/engine.hpp"
#include "core/server/message_meta.hpp"
#include "protocol/question_rules.hpp"
#include "protocol/sampling_rules.hpp"
#include "protocol/write.hpp"

namespace tenon::core {

using protocol::Needs;
using protocol::Trait;

namespace {

// Returns the error for a missing capability. Its code and data depend on the revision.
Error lacks(const protocol::Rules& rules, std::string_view capability, std::string_view part) {
    std::string name(capability);
    if (!part.empty()) name += "." + std::string(part);
    std::string message = "the client did not declare the capability `" + name + "`";
    if (rules.is_legacy()) return {code::server_error, std::move(message)};
    json::object needed;
    if (!part.empty()) needed.emplace(part, json::object());
    return {code::missing_capability, std::move(message),
            json::object{{"requiredCapabilities", json::object{{capability, std::move(needed)}}}}};
}

std::optional<Error> error_of(const Result<void>& checked) {
    return checked ? std::nullopt : std::optional(checked.error());
}

// Returns the name of the capability, and whether the client has it.
std::pair<std::string_view, bool> capability(const protocol::ClientCapabilities& c, Needs needs,
                                             std::string_view part) {
    switch (needs) {
        case Needs::roots: return {"roots", c.roots};
        case Needs::sampling: return {"sampling", part == "tools" ? c.sampling_tools : c.sampling};
        case Needs::elicitation: return {"elicitation", part == "url" ? c.elicitation_url : c.elicitation_form};
        default: return {"", true};
    }
}

}  // namespace

Question elicit_question(const Call& call, std::string key, std::string_view message, const json::object& form,
                         Reply<json::value> reply) {
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    if (call.peer->rules.has(Trait::url_elicitation)) w.field("mode", "form");
    w.neutralise();  // people read the message; the patterns of the schema must stay as they are
    w.field("message", message);
    w.neutralise(false);
    w.field("requestedSchema", form);
    w.end_object();
    return {std::move(key), "elicitation/create", std::move(params), std::move(reply), ""};
}

Question elicit_url_question(const Call& call, std::string key, std::string_view message, std::string_view url,
                             std::string_view elicitation_id, Reply<json::value> reply) {
    Encoded params;
    json::Writer w(params.json);
    w.neutralise();
    w.begin_object();
    w.field("mode", "url");
    w.field("message", message);
    w.field("url", url);
    if (call.peer->rules.is_legacy()) w.field("elicitationId", elicitation_id);
    w.end_object();
    return {std::move(key), "elicitation/create",         std::move(params), std::move(reply),
            "url",          protocol::wrong_page_url(url)};
}

Question sample_question(const Call& call, std::string key, const SampleRequest& request, Reply<json::value> reply) {
    return {
        std::move(key),   "sampling/createMessage",           protocol::encode(request, call.peer->rules),
        std::move(reply), uses_tools(request) ? "tools" : "", error_of(protocol::check_tool_turns(request.messages))};
}

Question roots_question(std::string key, Reply<json::value> reply) {
    return {std::move(key), "roots/list", {}, std::move(reply), ""};
}

Result<void> ServerEngine::may_ask(const Call& call, const Question& question) const {
    if (!call.state_.open && call.state_.task().empty())
        return Error{code::server_error, "the request has ended, so the client cannot be asked"};
    const protocol::Rules& rules = call.peer->rules;
    if (rules.is_modern() && call.state_.task().empty() && !protocol::may_ask(call.method))
        return Error{code::internal_error, "the result of " + call.method + " cannot ask the client (2026-07-28)"};
    if (rules.is_legacy()) {
        if (input_ended_) return Error{code::server_error, "the connection is closed, so the client cannot answer"};
        if (!initialized_) return Error{code::server_error, "the client has not sent notifications/initialized yet"};
    }
    if (auto ok = client_can_answer(*call.peer, question); !ok) return ok;
    if (questions_.size() >= limits_.max_pending_questions)
        return Error{
            code::server_error,
            "too many questions to the client at once: the limit is " + std::to_string(limits_.max_pending_questions),
            LimitName::max_pending_questions};
    return {};
}

Result<void> client_can_answer(const Peer& peer, const Question& question) {
    if (question.wrong) return *question.wrong;
    const protocol::Rules& rules = peer.rules;
    const protocol::Method* row = rules.method(question.method, protocol::Sender::server);
    if (!row)
        return Error{code::server_error,
                     "revision " + std::string(rules.name()) + " has no " + std::string(question.method)};
    const bool part_exists =
        question.needs.empty() || rules.has(question.needs == "url" ? Trait::url_elicitation : Trait::sampling_tools);
    const auto [name, has] = capability(peer.capabilities, row->needs, question.needs);
    if (!has || !part_exists) {
        const bool only_pages =
            question.needs.empty() && row->needs == Needs::elicitation && peer.capabilities.elicitation_url;
        return lacks(rules, name, only_pages ? "form" : question.needs);
    }
    return {};
}

void ServerEngine::ask(const CallPtr& call, std::vector<Question> questions, TimePoint now) {
    std::vector<Question> allowed;
    for (Question& question : questions) {
        if (auto ok = may_ask(*call, question); !ok) {
            fail(std::move(question.reply), ok.error());
        } else {
            allowed.push_back(std::move(question));
        }
    }
    if (call->peer->rules.is_modern()) return ask_by_result(call, std::move(allowed));
    for (Question& question : allowed) ask_by_request(call, std::move(question), now);
}

void ServerEngine::ask_by_request(const CallPtr& call, Question question, TimePoint now) {
    const auto id = questions_.add(call, std::move(question.reply), later(now, limits_.ask_time));
    const json::object meta = question_meta(*call, call->state_.task(), question);
    if (question.span) question.span->sent = true;
    const CallPtr stream = stream_of(call);
    actions_.push_back(Send{
        .message = jsonrpc::encode_request(questions_.wire_id(id), question.method,
                                           meta.empty() ? question.params : protocol::with_meta(question.params, meta)),
        .reply_to = stream ? stream->reply_to : 0,
        .question = id});
}

void ServerEngine::on_response(jsonrpc::Response& response) {
    if (ping_ && response.id == questions_.wire_id(*ping_)) ping_.reset();
    auto reply = questions_.answered(response.id);
    if (!reply) return note(LogLevel::warning, "dropped a response with an unknown id: " + quote(response.id.text()));
    actions_.push_back(Deliver{*std::move(reply), std::move(response.outcome)});
}

void ServerEngine::withdraw(const std::vector<PendingQuestions::QuestionId>& ids, Error why) {
    if (why.code != code::request_timeout) why.kind = detail::ErrorKind::withdrawn;
    for (const auto id : ids) {
        PendingQuestions::Withdrawn question = questions_.withdraw(id, why.message);
        if (!input_ended_)
            send(jsonrpc::encode_notification("notifications/cancelled", question.cancelled),
                 question.call ? stream_of(question.call) : nullptr);
        fail(std::move(question.reply), why);
    }
}

void ServerEngine::withdraw_questions_of(const CallPtr& call, std::string_view why) {
    if (questions_.size() > 0) withdraw(questions_.asked_by(call), {code::server_error, std::string(why)});
}

void ServerEngine::end_of_input() {
    end_listeners();
    input_ended_ = true;
    withdraw(questions_.all(), {code::server_error, "the connection was closed before the client answered"});
}

}  // namespace tenon::core
