// Context: what a handler can do besides returning a result.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/log.hpp>
#include <tenon/protocol/elicitation.hpp>
#include <tenon/protocol/roots.hpp>
#include <tenon/protocol/sampling.hpp>
#include <tenon/reply.hpp>
#include <tenon/typed.hpp>

namespace tenon {

/// One call in progress, as its handler sees it. A handle: cheap to copy, usable from any thread, and harmless when the
/// call is over (notifications are dropped then, questions fail).
///
/// The questions (elicit, sample, roots) wait for the client's answer and throw tenon::Exception when there is none: the
/// client lacks the capability, the call was cancelled, the connection ended, or Limits::ask_time went by. A handler
/// marked Placement::inline_ must not wait; it gets an exception instead of a deadlock. The async_ forms never wait.
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

    /// Asks the user for the members of a described struct.
    template <class Form>
    Elicited<Form> elicit(std::string message) const;
    /// Asks the user with a form of your own: a JSON Schema of an object with primitive members.
    ElicitResult elicit(std::string message, json::object form) const;
    /// Sends the user to a page, for what must not pass through the client. From 2025-11-25 on.
    ElicitResult elicit_url(std::string message, std::string url, std::string elicitation_id) const;
    /// Tells the client that what the page of elicit_url was for has happened.
    void elicitation_complete(std::string_view elicitation_id) const;
    /// Asks the client's model.
    SampleResult sample(SampleRequest request) const;
    SampleResult sample(std::string prompt, std::int64_t max_tokens = 1000) const;
    /// The folders the client lets this server work in.
    std::vector<Root> roots() const;

    void async_elicit(std::string message, json::object form, Reply<ElicitResult> reply) const;
    void async_elicit_url(std::string message, std::string url, std::string elicitation_id, Reply<ElicitResult> reply) const;
    void async_sample(SampleRequest request, Reply<SampleResult> reply) const;
    void async_roots(Reply<std::vector<Root>> reply) const;

    /// Runs `fn` the first time this call meets `key`, and gives its result again after that, also when the call is
    /// replayed. For side effects that must not happen twice.
    template <class F>
    auto once(std::string_view key, F&& fn) const -> std::invoke_result_t<F>;

    /// Becomes requested when the client cancels, the call runs out of time, or the connection ends.
    std::stop_token stop_token() const;
    bool cancelled() const { return stop_token().stop_requested(); }

    /// The `_meta` of the request; empty when there was none.
    const json::object& meta() const;
    /// Who the client says it is.
    const Implementation& client() const;
    /// The request's id as JSON, for logs.
    std::string request_id() const;

 private:
    std::optional<json::value> recall(std::string_view key) const;
    void remember(std::string_view key, json::value v) const;

    std::shared_ptr<Port> port_;
};

template <class Form>
Elicited<Form> Context::elicit(std::string message) const {
    require_flat_form<Form>();
    const ElicitResult answer = elicit(std::move(message), schema_of<Form>());
    if (answer.action != ElicitAction::accept) return {answer.action, std::nullopt};
    return {answer.action, from_json<Form>(answer.content, "content").value()};
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
