// Context: what a handler can do besides returning a result.
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

#include <tenon/log.hpp>
#include <tenon/protocol/elicitation.hpp>
#include <tenon/protocol/roots.hpp>
#include <tenon/protocol/sampling.hpp>
#include <tenon/reply.hpp>
#include <tenon/typed.hpp>

namespace tenon {

/// The questions of Context::ask_all.
namespace ask {

struct Elicit {
    using Raw = ElicitResult;
    using Answer = ElicitResult;
    std::string message;
    json::object schema;
    std::string key = {};
    static Answer convert(Raw raw) { return raw; }
};
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
struct Sample {
    using Raw = SampleResult;
    using Answer = SampleResult;
    SampleRequest request;
    std::string key = {};
    static Answer convert(Raw raw) { return raw; }
};
struct Roots {
    using Raw = std::vector<Root>;
    using Answer = std::vector<Root>;
    std::string key = {};
    static Answer convert(Raw raw) { return raw; }
};

/// A described struct as a form for the user.
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

namespace detail {

void throw_any(const std::vector<Error>& errors);

/// Waits until as many have arrived as were expected.
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

/// One call in progress, as its handler sees it. A handle: cheap to copy, usable from any thread, and harmless when the
/// call is over (notifications are dropped then, questions fail).
///
/// The questions (elicit, sample, roots) wait for the client's answer and throw tenon::Exception when there is none:
/// the client lacks the capability, the call was cancelled, the connection ended, or Limits::ask_time went by. A
/// handler marked Placement::inline_ must not wait; it gets an exception instead of a deadlock. The async_ forms never
/// wait.
///
/// In 2026-07-28 a question ends the call: the handler is unwound, the client is asked, and when it calls again the
/// handler runs from its beginning, with the earlier answers already there. So a handler must ask the same questions in
/// the same order, keep side effects in once(), and let what it did not throw pass (no `catch (...)` around a
/// question). In a task (Context::task_id() is not empty) a question waits in every revision, until the client looks.
class Context {
 public:
    class Port;
    explicit Context(std::shared_ptr<Port> port) : port_(std::move(port)) {}

    /// Tells the client how far the work is. Sent only when the client asked for it and the value grew.
    void progress(double done, std::optional<double> total = {}, std::string_view message = {}) const;

    /// Sends a log message, when the client wants this level.
    void log(LogLevel level, json::value data, std::string_view logger = {}) const;
    void debug(std::string_view message) const { log(LogLevel::debug, json::value(message)); }
    void info(std::string_view message) const { log(LogLevel::info, json::value(message)); }
    void warning(std::string_view message) const { log(LogLevel::warning, json::value(message)); }
    void error(std::string_view message) const { log(LogLevel::error, json::value(message)); }

    /// Asks the user for the members of a described struct. `key` names the question where several travel together and
    /// must then be the question's own; one is made up when it is empty.
    template <class Form>
    Elicited<Form> elicit(std::string message, std::string key = {}) const;
    /// Asks the user with a form of your own: a JSON Schema of an object with primitive members.
    ElicitResult elicit(std::string message, json::object form, std::string key = {}) const;
    /// Sends the user to a page, for what must not pass through the client. From 2025-11-25 on.
    ElicitResult elicit_url(std::string message, std::string url, std::string elicitation_id) const;
    /// Tells the client that what the page of elicit_url was for has happened.
    void elicitation_complete(std::string_view elicitation_id) const;
    /// Asks the client's model.
    SampleResult sample(SampleRequest request, std::string key = {}) const;
    SampleResult sample(std::string prompt, std::int64_t max_tokens = 1000) const;
    /// The folders the client lets this server work in.
    std::vector<Root> roots(std::string key = {}) const;
    /// Asks several questions at once and waits for all answers:
    ///     auto [who, summary] = ctx.ask_all(ask::form<Login>("Who are you?", "who"), ask::sample(request, "summary"));
    template <class... Question>
    std::tuple<typename Question::Answer...> ask_all(Question... questions) const;

    void async_elicit(std::string message, json::object form, Reply<ElicitResult> reply, std::string key = {}) const;
    void async_elicit_url(std::string message, std::string url, std::string elicitation_id,
                          Reply<ElicitResult> reply) const;
    void async_sample(SampleRequest request, Reply<SampleResult> reply, std::string key = {}) const;
    void async_roots(Reply<std::vector<Root>> reply, std::string key = {}) const;

    /// What the client of this call can be asked.
    bool can_elicit() const;
    bool can_elicit_url() const;
    bool can_sample() const;
    bool can_list_roots() const;

    /// Runs `fn` the first time this call meets `key`, and gives its result again after that, also when the call is
    /// replayed. For side effects that must not happen twice.
    template <class F>
    auto once(std::string_view key, F&& fn) const -> std::invoke_result_t<F>;

    /// From here on the call is a task, where the tool and the client allow that: the client has its answer, the
    /// handler goes on, and what it returns is what the task comes to. For tools with TaskStart::by_handler, which may
    /// ask the client before; the others are tasks from the start. Whether it is one now. Throws when there are too
    /// many.
    bool become_task() const;
    /// The id of the task that this call is; empty when it is none.
    std::string task_id() const;
    /// Whether the client of this call declared an extension of the protocol.
    bool client_has_extension(std::string_view name) const;

    /// Becomes requested when the client cancels, the call runs out of time, or the connection ends.
    std::stop_token stop_token() const;
    bool cancelled() const { return stop_token().stop_requested(); }

    /// The `_meta` of the request; empty when there was none.
    const json::object& meta() const;
    /// Who the client says it is.
    const Implementation& client() const;
    /// Who sent the request, as the transport found out; empty where it does not ask.
    const std::string& principal() const;

    /// Ends the connection that waits for this call's answer, and not the call: the client comes back for the rest
    /// after `retry`. For work that takes so long that a connection is better not held. Over HTTP in 2025-11-25 only;
    /// does nothing elsewhere.
    void let_poll(std::chrono::milliseconds retry = std::chrono::seconds(1)) const;
    /// The request's id as JSON, for logs.
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
