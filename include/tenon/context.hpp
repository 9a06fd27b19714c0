// Context: a handler's view of its call. Progress, logs, questions to the client, cancellation and tasks.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <tenon/caller.hpp>
#include <tenon/deprecated.hpp>
#include <tenon/log.hpp>
#include <tenon/protocol/elicitation.hpp>
#include <tenon/protocol/roots.hpp>
#include <tenon/protocol/sampling.hpp>
#include <tenon/reply.hpp>
#include <tenon/trace_context.hpp>
#include <tenon/typed.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// The kinds of question that Context::ask_all takes.
namespace ask {

/// A form with your own schema. In all questions, an empty `key` means that Tenon chooses one.
struct Elicit {
    using Raw = ElicitResult;
    using Answer = ElicitResult;
    std::string message;
    json::object schema;
    std::string key = {};
    static Answer convert(Raw raw) { return raw; }
};
/// A form for a described struct T.
template <class T>
struct Form {
    using Raw = ElicitResult;
    using Answer = Elicited<T>;
    std::string message;
    std::string key = {};
    static Answer convert(const Raw& raw) {
        if (raw.action != ElicitAction::accept) return {raw.action, std::nullopt};
        return {raw.action, from_json<T>(raw.content, "content").value()};
    }
    operator Elicit() const { return {message, schema_of<T>(), key}; }  // NOLINT: a form is a question with a schema
};
/// A question to the client's model.
struct Sample {
    using Raw = SampleResult;
    using Answer = SampleResult;
    SampleRequest request;
    std::string key = {};
    static Answer convert(Raw raw) { return raw; }
};
/// A request for the folders in which the server may work.
struct Roots {
    using Raw = std::vector<Root>;
    using Answer = std::vector<Root>;
    std::string key = {};
    static Answer convert(Raw raw) { return raw; }
};

/// Makes a form for the user from a described struct.
template <class T>
Form<T> form(std::string message, std::string key = {}) {
    require_flat_form<T>();
    return {std::move(message), std::move(key)};
}
inline Elicit form(std::string message, json::object schema, std::string key = {}) {
    return {std::move(message), std::move(schema), std::move(key)};
}
inline Sample sample(SampleRequest request, std::string key = {}) { return {std::move(request), std::move(key)}; }
inline Roots roots(std::string key = {}) { return {std::move(key)}; }

}  // namespace ask

class Context;

namespace detail {

void throw_any(const std::vector<Error>& errors);

/// Returns the current exception of a handler as an Error. Logs it, unless it is a tenon::Exception.
Error thrown_by_handler(const Context& context);

/// Blocks wait() until arrive() was called `expected` times. Thread-safe; copies share their state.
class Countdown {
 public:
    explicit Countdown(std::size_t expected);
    void arrive() const;
    void wait() const;

 private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace detail

/// A handle to one call. Cheap to copy and thread-safe. May be used after the call has ended: notifications are then
/// dropped, and questions fail.
///
/// The questions (elicit, sample, roots) block until the client answers. They throw tenon::Exception when no answer
/// comes: the client lacks the capability, the call was cancelled, the connection ended, or Limits::ask_time passed. A
/// handler with Placement::inline_ must not block: a question throws there, because it would never be answered. The
/// async_ functions never block.
///
/// **Replay.** In revision 2026-07-28 a question ends the request. Tenon unwinds the handler, the client gets the
/// question, and it calls again with the answer. The handler then runs again from its beginning, and earlier questions
/// return at once with their recorded answers. So whatever the handler did before the question happens again:
///
///     const int row = insert(order);                                         // WRONG: inserts a second row
///     if (!ctx.elicit<Confirmation>("Ship it?")) remove(row);
///
///     const int row = ctx.once("insert", [&] { return insert(order); });     // RIGHT: inserts one row
///     if (!ctx.elicit<Confirmation>("Ship it?")) ctx.once("undo", [&] { remove(row); });
///
/// once() runs its function the first time, and returns the recorded result in later runs. A handler that asks must
///   - ask the same questions in the same order each time,
///   - put side effects, random numbers and times into once(),
///   - never use `catch (...)` around a question: Tenon unwinds the handler with a private exception.
/// Tenon cannot see a row of your database. It sees the questions, the keys of once(), and progress and log messages,
/// and its log warns when a later run differs: see ServerOptions::check_replay. Test handlers that ask with
/// ServerOptions::replay_every_call: then they are replayed for older clients, too, and your test sees the second row.
/// In a task (task_id() is not empty) a question blocks in every revision, and nothing is replayed.
class Context {
 public:
    class Port;
    explicit Context(std::shared_ptr<Port> port) : port_(std::move(port)) {}

    /// Reports progress. Sent only when the client asked for progress and `done` has grown.
    void progress(double done, std::optional<double> total = {}, std::string_view message = {}) const;

    /// Sends a log message, if the client asked for this level. The protocol deprecates logging: see deprecated.hpp.
    TENON_DEPRECATED_LOGGING
    void log(LogLevel level, json::value data, std::string_view logger = {}) const;
    TENON_DEPRECATED_LOGGING void debug(std::string_view message) const { log(LogLevel::debug, json::value(message)); }
    TENON_DEPRECATED_LOGGING void info(std::string_view message) const { log(LogLevel::info, json::value(message)); }
    TENON_DEPRECATED_LOGGING void warning(std::string_view message) const {
        log(LogLevel::warning, json::value(message));
    }
    TENON_DEPRECATED_LOGGING void error(std::string_view message) const { log(LogLevel::error, json::value(message)); }

    /// Asks the user to fill in the members of a described struct. `key` names the question and must be unique in this
    /// call; when empty, Tenon chooses one.
    template <class Form>
    Elicited<Form> elicit(std::string message, std::string key = {}) const;
    /// Asks the user to fill in your own form: a JSON Schema of an object with primitive members.
    ElicitResult elicit(std::string message, json::object form, std::string key = {}) const;
    /// Sends the user to a web page, for data that the client must not see. From 2025-11-25 on.
    ElicitResult elicit_url(std::string message, std::string url, std::string elicitation_id) const;
    /// Tells the client that the user has finished with the page of elicit_url().
    void elicitation_complete(std::string_view elicitation_id) const;
    /// Asks the client's model. The protocol deprecates sampling: see deprecated.hpp.
    TENON_DEPRECATED_SAMPLING
    SampleResult sample(SampleRequest request, std::string key = {}) const;
    TENON_DEPRECATED_SAMPLING
    SampleResult sample(std::string prompt, std::int64_t max_tokens = 1000) const;
    /// Returns the folders in which the client lets this server work. The protocol deprecates roots: see
    /// deprecated.hpp.
    TENON_DEPRECATED_ROOTS
    std::vector<Root> roots(std::string key = {}) const;
    /// Asks several questions at once and waits for all answers:
    ///     auto [who, summary] = ctx.ask_all(ask::form<Login>("Who are you?", "who"), ask::sample(request, "summary"));
    template <class... Question>
    std::tuple<typename Question::Answer...> ask_all(Question... questions) const;

    void async_elicit(std::string message, json::object form, Reply<ElicitResult> reply, std::string key = {}) const;
    void async_elicit_url(std::string message, std::string url, std::string elicitation_id,
                          Reply<ElicitResult> reply) const;
    TENON_DEPRECATED_SAMPLING
    void async_sample(SampleRequest request, Reply<SampleResult> reply, std::string key = {}) const;
    TENON_DEPRECATED_ROOTS
    void async_roots(Reply<std::vector<Root>> reply, std::string key = {}) const;

    /// Return whether the client of this call supports the question.
    bool can_elicit() const;
    bool can_elicit_url() const;
    bool can_sample() const;
    bool can_list_roots() const;

    /// Runs `fn` the first time, records its result under `key`, and returns the recorded result after that, also when
    /// the handler is replayed. For side effects that must not happen twice. The result must have a JSON form.
    template <class F>
    auto once(std::string_view key, F&& fn) const -> std::invoke_result_t<F>;

    /// Turns the call into a task, if the tool and the client allow it. The client gets a response at once. The handler
    /// continues, and its return value becomes the result of the task. For tools with TaskStart::by_handler, which may
    /// ask questions first. Calls of other tools are tasks from their start. Returns whether the call is a task now.
    /// Throws when Limits::max_tasks or max_tasks_per_owner is reached.
    bool become_task() const;
    /// Returns the id of the task, or an empty string when the call is not a task.
    std::string task_id() const;
    /// Returns whether the client declared this protocol extension.
    bool client_has_extension(std::string_view name) const;

    /// Returns the token whose stop is requested when the client cancels, the call times out, or the connection ends.
    std::stop_token stop_token() const;
    bool cancelled() const { return stop_token().stop_requested(); }

    /// Returns the `_meta` of the request; empty when it had none.
    const json::object& meta() const;
    /// Returns the trace that the request belongs to: from `_meta`, or from the header fields of HTTP. Empty when it
    /// had none. If the server is observed (ServerOptions::observers, audit), its span is that of this request, and a
    /// request without a trace begins one. Questions and notifications of this call carry it on. Pass it to calls of
    /// other servers: CallOptions::trace. A reference into this call.
    const TraceContext& trace() const;
    /// Returns the name and version that the client claims. Not verified.
    const Implementation& client() const;
    /// Returns the authenticated identity of the caller; empty for anonymous callers.
    const std::string& principal() const { return caller().principal; }
    /// Returns what the transport knows about the caller: principal, scopes, claims, session, address, header fields.
    const Caller& caller() const;
    /// Returns whether the caller's token has this scope.
    bool has_scope(std::string_view scope) const;

    /// Closes the HTTP connection that waits for this call. The call continues; the client reconnects after `retry` and
    /// gets the rest. For long work that should not hold a connection. Only for HTTP in 2025-11-25; otherwise does
    /// nothing.
    void let_poll(std::chrono::milliseconds retry = std::chrono::seconds(1)) const;
    /// Returns the request's id as JSON, for logs.
    std::string request_id() const;

 private:
    struct Questions;
    struct DeleteQuestions {
        void operator()(Questions* q) const;
    };
    using QuestionsPtr = std::unique_ptr<Questions, DeleteQuestions>;
    static QuestionsPtr new_questions();
    void add(Questions& batch, ask::Elicit question, Reply<ElicitResult> reply) const;
    void add(Questions& batch, ask::Sample question, Reply<SampleResult> reply) const;
    void add(Questions& batch, ask::Roots question, Reply<std::vector<Root>> reply) const;
    void ask(Questions& batch) const;
    void refuse_to_wait_inline() const;

    std::optional<json::value> recall(std::string_view key) const;
    void remember(std::string_view key, json::value v) const;

    friend Error detail::thrown_by_handler(const Context& context);
    std::shared_ptr<Port> port_;
};

template <class Form>
Elicited<Form> Context::elicit(std::string message, std::string key) const {
    return std::get<0>(ask_all(ask::form<Form>(std::move(message), std::move(key))));
}

template <class... Question>
std::tuple<typename Question::Answer...> Context::ask_all(Question... questions) const {
    refuse_to_wait_inline();
    const detail::Countdown answers(sizeof...(Question));
    const auto slots = std::make_shared<std::tuple<std::optional<Result<typename Question::Raw>>...>>();
    QuestionsPtr batch = new_questions();
    return [&]<std::size_t... I>(std::index_sequence<I...>)->std::tuple<typename Question::Answer...> {
        (add(*batch, std::move(questions), make_reply<typename Question::Raw>([slots, answers](auto result) {
             std::get<I>(*slots) = std::move(result);
             answers.arrive();
         })),
         ...);
        ask(*batch);
        answers.wait();
        std::vector<Error> errors;
        ((std::get<I>(*slots)->has_error() ? errors.push_back(std::get<I>(*slots)->error()) : void()), ...);
        detail::throw_any(errors);
        return {Question::convert(**std::move(std::get<I>(*slots)))...};
    }
    (std::index_sequence_for<Question...>());
}

template <class F>
auto Context::once(std::string_view key, F&& fn) const -> std::invoke_result_t<F> {
    using R = std::invoke_result_t<F>;
    const std::optional<json::value> before = recall(key);
    if constexpr (std::is_void_v<R>) {
        if (before) return;
        std::forward<F>(fn)();
        remember(key, nullptr);
    } else {
        static_assert(Describable<R>, "tenon: the result of once() must have a JSON form, so that it can be kept");
        if (before) return from_json<R>(*before).value();
        R result = std::forward<F>(fn)();
        remember(key, to_json(result));
        return result;
    }
}

}  // namespace tenon

#pragma GCC visibility pop
