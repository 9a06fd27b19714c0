#include "runtime/live_call.hpp"

#include <tenon/schema.hpp>

#include "core/server/message_meta.hpp"
#include "core/server/redaction.hpp"
#include "core/server/replay_words.hpp"

namespace tenon {
namespace {

// Converts the client's raw answer to the type of the question.
template <class T, class Read>
Reply<json::value> reading(Reply<T> reply, Read read) {
    return make_reply<json::value>([reply = std::move(reply), read](Result<json::value> answer) mutable {
        std::move(reply).send(answer ? read(*answer) : Result<T>(answer.error()));
    });
}

Result<ElicitResult> read_form(const json::value& answer, const json::object& form) {
    auto result = protocol::read_elicit_result(answer);
    if (!result || result->action != ElicitAction::accept) return result;
    const auto schema = schema::Schema::compile(form);
    if (!schema)
        return Error{code::internal_error,
                     "the form of the question is not a valid JSON Schema: " + schema.error().message};
    const auto violations = schema->check(result->content, 1, "content");
    if (!violations.empty())
        return Error{code::internal_error, "The client's answer does not fit the form: " + violations.front().message};
    return result;
}

}  // namespace

LiveCall::LiveCall(std::shared_ptr<Session::Impl> session, core::CallPtr call)
    : session_(std::move(session)),
      call_(std::move(call)),
      rehearsal_(session_->server().replays_every_call() && call_->peer->rules.is_legacy()
                     ? std::make_shared<Rehearsal>(*session_->server().settings())
                     : nullptr) {}

void LiveCall::progress(double done, std::optional<double> total, std::string_view message) {
    const core::Redaction redaction(*session_->server().settings());
    if (redaction && !message.empty()) {
        std::string redacted(message);
        redaction.apply(redacted);
        return send_progress(done, total, redacted);
    }
    send_progress(done, total, message);
}

void LiveCall::send_progress(double done, std::optional<double> total, std::string_view message) {
    if (const auto as_task = task()) return as_task->progress(done, total, message);
    if (rehearsal_ && repeats("progress", std::to_string(done) + " " + std::string(message))) return;
    session_->notify(
        call_, [&](core::ServerEngine& engine) { engine.progress(call_, done, total, message, session_->now()); });
}

void LiveCall::log(LogLevel level, const json::value& data, std::string_view logger) {
    const core::Redaction redaction(*session_->server().settings());
    if (redaction) {
        json::value redacted(data, json::storage_ptr());
        std::string name(logger);
        redaction.apply(redacted);
        redaction.apply(name);
        return send_log(level, redacted, name);
    }
    send_log(level, data, logger);
}

void LiveCall::send_log(LogLevel level, const json::value& data, std::string_view logger) {
    if (const auto as_task = task()) return as_task->log(level, data, logger);
    if (rehearsal_ && repeats(core::log_step(level, logger), json::write(data))) return;
    session_->notify(call_,
                     [&](core::ServerEngine& engine) { engine.log(call_, level, data, logger, session_->now()); });
}

void LiveCall::ask(std::vector<PortQuestion> questions) {
    std::vector<core::Question> translated;
    translated.reserve(questions.size());
    for (PortQuestion& question : questions) translated.push_back(translate(std::move(question)));
    if (rehearsal_ && !is_task()) return rehearse(std::move(translated));
    for (core::Question& question : translated) observe(question);
    if (const auto as_task = task()) return as_task->ask(std::move(translated));
    session_->with_engine(
        [&](core::ServerEngine& engine) { engine.ask(call_, std::move(translated), session_->now()); });
}

// Returns whether an earlier run has done this step, so its message was sent already.
bool LiveCall::repeats(std::string step, std::string_view text) {
    const Rehearsal::Repeated repeated = rehearsal_->step(std::move(step), text);
    if (repeated.difference) warn(*repeated.difference);
    return !repeated.is_new;
}

void LiveCall::rehearse(std::vector<core::Question> questions) {
    const auto answered = [rehearsal = rehearsal_](const std::string& key, const Result<json::value>& answer) {
        for (Rehearsal::Known& known : rehearsal->answered(key, answer))
            std::move(known.reply).send(std::move(known.answer));
    };
    auto plan = rehearsal_->ask(std::move(questions), answered);
    for (const std::string& difference : plan.differences) warn(difference);
    for (core::Question& question : plan.to_send) observe(question);
    if (!plan.to_send.empty())
        session_->with_engine(
            [&](core::ServerEngine& engine) { engine.ask(call_, std::move(plan.to_send), session_->now()); });
    for (Rehearsal::Known& known : plan.known) std::move(known.reply).send(std::move(known.answer));
}

void LiveCall::warn(const std::string& difference) const {
    session_->server().note(LogLevel::warning, core::replay_warning(*call_, difference));
}

core::Question LiveCall::translate(PortQuestion question) const {
    if (auto* form = std::get_if<ask::Elicit>(&question.what)) {
        auto reply = reading(std::get<Reply<ElicitResult>>(std::move(question.reply)),
                             [schema = form->schema](const json::value& answer) { return read_form(answer, schema); });
        return core::elicit_question(*call_, std::move(form->key), form->message, form->schema, std::move(reply));
    }
    if (auto* page = std::get_if<ElicitUrl>(&question.what)) {
        auto reply = reading(std::get<Reply<ElicitResult>>(std::move(question.reply)), protocol::read_elicit_result);
        return core::elicit_url_question(*call_, page->elicitation_id, page->message, page->url, page->elicitation_id,
                                         std::move(reply));
    }
    if (auto* sample = std::get_if<ask::Sample>(&question.what)) {
        auto reply = reading(std::get<Reply<SampleResult>>(std::move(question.reply)), protocol::read_sample_result);
        return core::sample_question(*call_, std::move(sample->key), sample->request, std::move(reply));
    }
    auto reply = reading(std::get<Reply<std::vector<Root>>>(std::move(question.reply)), protocol::read_roots);
    return core::roots_question(std::get<ask::Roots>(std::move(question.what)).key, std::move(reply));
}

// Gives the question a span of its own, and a record when it ends.
void LiveCall::observe(core::Question& question) const {
    if (!session_->server().observed()) return;
    auto span = std::make_shared<core::QuestionSpan>();
    const TraceContext& above = trace();
    span->parent = above.span_id();
    span->trace = observe::below(above, new_span_ids());
    span->began = session_->server().wall_now();
    question.span = span;
    question.reply = make_reply<json::value>([session = session_, call = call_, span, method = question.method,
                                              start = session_->now(),
                                              reply = std::move(question.reply)](Result<json::value> answer) mutable {
        if (span->sent)
            session->server().question_ended(*call, *span, method, session->now() - start, answer,
                                             session->transport());
        std::move(reply).send(std::move(answer));
    });
}

const TraceContext& LiveCall::trace() const {
    const std::lock_guard lock(mutex_);
    if (!trace_) trace_ = core::trace_of(*call_);
    return *trace_;
}

const json::object& LiveCall::meta() const {
    const std::lock_guard lock(mutex_);
    if (!meta_) meta_.emplace(call_->meta(), json::storage_ptr());
    return *meta_;
}

void LiveCall::elicitation_complete(std::string_view elicitation_id) {
    session_->with_engine([&](core::ServerEngine& engine) { engine.elicitation_complete(call_, elicitation_id); });
}

void LiveCall::let_poll(std::chrono::milliseconds retry) {
    session_->with_engine([&](core::ServerEngine& engine) { engine.let_poll(call_, retry); });
}

std::optional<json::value> LiveCall::recall(std::string_view key) {
    if (rehearsal_ && !is_task()) repeats(core::once_step(key), "");
    std::optional<json::value> found;
    session_->with_engine([&](core::ServerEngine& engine) { found = engine.recall(call_, key); });
    return found;
}

void LiveCall::remember(std::string_view key, json::value v) {
    session_->with_engine([&](core::ServerEngine& engine) { engine.remember(call_, key, std::move(v)); });
}

// In revisions where a question ends the call, questions do not wait. In a task they always wait.
bool LiveCall::must_not_wait() const {
    const bool waits = is_task() || call_->peer->rules.is_legacy();
    return waits && Session::Impl::must_not_wait();
}

std::shared_ptr<LiveTask> LiveCall::task() const {
    if (!is_task()) return nullptr;
    const std::lock_guard lock(mutex_);
    return task_;
}

Result<TaskRecord> LiveCall::create_task() {
    Result<TaskRecord> created = Error{};
    // Before visit(): source() may run stop callbacks, which must not happen under the lock.
    const std::stop_source& stop = call_->stop.source();
    session_->server().tasks().visit([&](core::TaskBoard& board, WallTime now) {
        created = board.create({Tasks::new_id(), *call_->task_terms, call_->peer->rules, stop,
                                std::string(session_->task_session()), call_, session_->transport()},
                               now);
    });
    return created;
}

// Answers the request with its task.
Result<void> LiveCall::adopt(Session::Impl& session, const core::CallPtr& call, const TaskRecord& task) {
    bool began_it = false;
    session.with_engine([&](core::ServerEngine& engine) { began_it = engine.became_task(call, task); });
    if (began_it) return {};
    session.server().tasks().forget(task.id);
    return Error{code::server_error, "the request is over, so it cannot become a task"};
}

void LiveCall::now_is(const std::string& task) {
    auto began = std::make_shared<LiveTask>(session_, call_, task);
    const std::lock_guard lock(mutex_);
    task_ = std::move(began);
    is_task_.store(true, std::memory_order_release);
}

Result<void> LiveCall::begin_task() {
    const auto created = create_task();
    if (!created) return created.error();
    if (auto ok = adopt(*session_, call_, *created); !ok) return ok;
    now_is(created->id);
    return {};
}

void LiveCall::begin_shared_task(const std::shared_ptr<LiveCall>& live, Reply<void> reply) {
    const auto created = live->create_task();
    if (!created) return std::move(reply).send(created.error());
    live->session().server().tasks().publish(
        *created,
        make_reply<void>([live, task = *created, reply = std::move(reply)](const Result<void>& stored) mutable {
            auto outcome = stored ? adopt(live->session(), live->call(), task) : stored;
            if (outcome) live->now_is(task.id);
            std::move(reply).send(std::move(outcome));
        }));
}

// The handler goes on, as a task, while the store takes it. If the store does not, the request gets an error, and the
// handler is stopped.
void LiveCall::become_shared_task() {
    const auto created = create_task();
    if (!created) throw Exception(created.error());
    now_is(created->id);
    session_->server().tasks().publish(
        *created, make_reply<void>([session = session_, call = call_, task = *created](const Result<void>& stored) {
            if (stored) return static_cast<void>(adopt(*session, call, task));
            session->with_engine([&](core::ServerEngine& engine) { engine.answered(call, stored.error()); });
        }));
}

bool LiveCall::become_task() {
    if (is_task()) return true;
    if (!call_->task_terms) return false;
    if (session_->server().tasks().is_shared())
        become_shared_task();
    else if (auto ok = begin_task(); !ok)
        throw Exception(ok.error());
    return true;
}

std::string LiveCall::task_id() const {
    const auto as_task = task();
    return as_task ? as_task->id() : std::string();
}

void LiveCall::threw(std::string_view type, std::string_view what) noexcept {
    try {
        const std::string id = call_->id.text();
        const Caller& caller = *call_->access.caller;
        const std::string_view peer = caller.principal.empty() ? caller.address : caller.principal;
        session_->server().note_of_peer(
            peer, LogLevel::error, "a handler threw an exception",
            {{"method", call_->method}, {"name", call_->name}, {"id", id}, {"type", type}, {"what", what}});
    } catch (...) {  // memory is short; the client still gets the error
    }
}

Context::Port::Abilities LiveCall::abilities() const {
    const protocol::ClientCapabilities& c = call_->peer->capabilities;
    const bool pages = call_->peer->rules.has(protocol::Trait::url_elicitation);
    return {c.elicitation_form, c.elicitation_url && pages, c.sampling, c.roots};
}

}  // namespace tenon
