// Questions in a result (2026-07-28): the call ends with the questions, and the client calls again with the answers.
// The handler then runs again from its beginning, and its earlier questions are answered at once.
#include <algorithm>
#include <string>

#include "core/server/engine.hpp"
#include "core/server/message_meta.hpp"
#include "core/server/replay_words.hpp"
#include "json/collisions.hpp"
#include "json/find.hpp"
#include "json/reader.hpp"
#include "protocol/write.hpp"

namespace tenon::core {

using protocol::Trait;

namespace {

using Members = std::vector<const json::object::value_type*>;

void write_sorted(json::Writer& w, Members members);

// Writes members sorted by name, so the order in which the client wrote them does not matter.
void write_sorted(json::Writer& w, const json::value& v) {
    if (const auto* a = v.if_array()) {
        w.begin_array();
        for (const auto& element : *a) write_sorted(w, element);
        w.end_array();
    } else if (const auto* o = v.if_object()) {
        Members members;
        for (const auto& member : *o) members.push_back(&member);
        write_sorted(w, std::move(members));
    } else {
        w.value(v);
    }
}

void write_sorted(json::Writer& w, Members members) {
    std::ranges::sort(members, {}, [](const auto* m) { return std::string_view(m->key()); });
    w.begin_object();
    for (const auto* member : members) {
        w.key(member->key());
        write_sorted(w, member->value());
    }
    w.end_object();
}

// Returns the parameters of a question, with its trace if it has one.
Encoded question_params(const Call& call, const Question& question) {
    if (!question.span) return question.params;
    return protocol::with_meta(question.params, question_meta(call, "", question));
}

// The spans of questions without an answer are a part of the request state, so the round that gets the answer can
// report them: it may run in another process.
json::value save_span(const QuestionSpan& span) {
    const auto began = std::chrono::duration_cast<std::chrono::microseconds>(span.began.time_since_epoch());
    return json::array{span.trace.traceparent, span.trace.tracestate, span.parent, began.count()};
}

void load_span(const json::value& saved, QuestionSpan& span) {
    const json::array* parts = saved.if_array();
    if (!parts || parts->size() != 4 || !(*parts)[3].is_int64()) return;
    for (std::size_t i = 0; i < 3; ++i)
        if (!(*parts)[i].is_string()) return;
    span.trace.traceparent = std::string_view((*parts)[0].get_string());
    span.trace.tracestate = std::string_view((*parts)[1].get_string());
    span.parent = std::string_view((*parts)[2].get_string());
    span.began = WallTime(std::chrono::microseconds((*parts)[3].get_int64()));
    span.earlier = span.sent = true;
}

// Returns the text that a request state is bound to: the principal, the method and its parameters.
std::string binding(const Call& call) {
    Members relevant;
    for (const auto& member : call.params)
        if (!ServerEngine::is_round_parameter(member.key())) relevant.push_back(&member);
    std::string out;
    json::Writer w(out);
    w.begin_array();
    w.string(call.principal());
    w.string(call.method);
    write_sorted(w, std::move(relevant));
    w.end_array();
    return out;
}

Error bad_state() {
    return {code::invalid_params,
            "Invalid params: `params.requestState` was not issued by this server for this request, or has expired; "
            "call again without it"};
}

}  // namespace

bool ServerEngine::is_round_parameter(std::string_view parameter) {
    return parameter == "_meta" || parameter == "inputResponses" || parameter == "requestState";
}

Replay& ServerEngine::replay_of(const Call& call) { return call.state_.rare().replay; }

Result<void> ServerEngine::read_replay(Call& call) {
    if (call.peer->rules.is_legacy() || !protocol::may_ask(call.method)) return {};
    json::Reader r(call.params, "params");
    const auto sealed = r.optional_string("requestState");
    const json::object* responses = r.optional_object("inputResponses");
    if (!r.ok()) return r.error();

    if (sealed) {
        const auto state =
            settings_->unseal ? settings_->unseal(*sealed, binding(call)) : Result<std::string>(bad_state());
        if (!state) {
            note(LogLevel::warning, "refused a requestState: " + state.error().message);
            return bad_state();
        }
        const auto memory = json::parse(*state, {limits_.max_depth + 2});
        if (!memory) return bad_state();
        call.continued = true;
        replay_of(call).answers = memory->at("answers").as_object();
        replay_of(call).memory = memory->at("memory").as_object();
        if (const json::object* spans = json::find_object(memory->as_object(), "spans")) replay_of(call).spans = *spans;
        if (const json::value* steps = json::find(memory->as_object(), "steps"); steps && steps->is_array())
            replay_of(call).trace.load(steps->get_array());
    }
    if (responses) {
        for (const auto& [key, answer] : *responses)
            if (!answer.is_object())
                return Error{code::invalid_params,
                             "Invalid params: `params.inputResponses." + quote(key) + "` must be an object"};
        if (!json::merge(replay_of(call).answers, *responses))
            return Error{code::invalid_params, "Invalid params: " + std::string(json::colliding_keys)};
    }
    return {};
}

void ServerEngine::ask_by_result(const CallPtr& call, std::vector<Question> questions) {
    std::vector<Question> missing;
    for (Question& question : questions) {
        ++replay_of(*call).asked;
        if (question.key.empty()) question.key = "input-" + std::to_string(replay_of(*call).asked);
        if (settings_->check_replay) {
            ReplayTrace& trace = replay_of(*call).trace;
            trace.quote_texts(!settings_->redact);
            check_replay(*call, trace.step(question_step(question), question.params.json));
        }
        json::object& spans = replay_of(*call).spans;
        if (const json::value* saved = question.span ? spans.if_contains(question.key) : nullptr)
            load_span(*saved, *question.span);
        if (const json::value* answer = replay_of(*call).answers.if_contains(question.key)) {
            spans.erase(question.key);
            actions_.push_back(Deliver{std::move(question.reply), *answer});
        } else {
            if (question.span) spans.insert_or_assign(question.key, save_span(*question.span));
            missing.push_back(std::move(question));
        }
    }
    if (missing.empty()) return;
    require_input(call, missing);
    for (Question& question : missing) fail(std::move(question.reply), detail::replayed_error());
}

Result<std::string> ServerEngine::seal_state(const Call& call) const {
    const Replay& replay = replay_of(call);
    json::object state{{"answers", replay.answers}, {"memory", replay.memory}, {"steps", replay.trace.save()}};
    if (!replay.spans.empty()) state.emplace("spans", replay.spans);
    return settings_->seal(json::write(state), binding(call), identity_.account);
}

// A handler that runs again must do the same steps. If not, something happened outside of Context::once().
void ServerEngine::check_replay(const Call& call, const std::optional<std::string>& difference) {
    if (difference) note(LogLevel::warning, replay_warning(call, *difference));
}

void ServerEngine::require_input(const CallPtr& call, const std::vector<Question>& missing) {
    const auto state = settings_->seal ? std::optional(seal_state(*call)) : std::nullopt;
    if (state && !*state) {
        answer(call, state->error());
        return actions_.push_back(Stop{call});
    }
    Encoded out;
    json::Writer w(out.json);
    w.begin_object();
    w.key("inputRequests");
    w.begin_object();
    for (const Question& question : missing) {
        w.key(question.key);
        w.begin_object();
        w.field("method", question.method);
        const Encoded params = question_params(*call, question);
        if (!params.json.empty()) {
            w.key("params");
            w.raw(params.json);
        }
        w.end_object();
    }
    w.end_object();
    if (state) w.field("requestState", state->value());
    w.end_object();
    answer(call, HandlerResult{std::move(out), "input_required"});
    actions_.push_back(Stop{call});
}

std::optional<json::value> ServerEngine::recall(const CallPtr& call, std::string_view key) {
    if (settings_->check_replay && call->peer->rules.is_modern())
        check_replay(*call, replay_of(*call).trace.step(once_step(key)));
    const json::value* v = replay_of(*call).memory.if_contains(key);
    return v ? std::optional(*v) : std::nullopt;
}

void ServerEngine::remember(const CallPtr& call, std::string_view key, json::value v) {
    replay_of(*call).memory.insert_or_assign(key, std::move(v));
}

}  // namespace tenon::core
