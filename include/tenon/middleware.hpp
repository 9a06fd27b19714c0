// Middleware: functions that run around every request. For audit, caching, transformation, rate limits and access
// control.
//
//     server.use([](tenon::Context& ctx, const tenon::Request& request, tenon::Next next) {
//         if (request.name == "format_disk" && ctx.principal() != "root")
//             return std::move(next).refuse({tenon::code::server_error, "Only root may do that."});
//         std::move(next).run([](const tenon::Outcome& outcome) { count(outcome.error == nullptr); });
//     });
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <tenon/caller.hpp>
#include <tenon/error.hpp>
#include <tenon/fwd.hpp>
#include <tenon/log.hpp>
#include <tenon/rate_limits.hpp>
#include <tenon/reply.hpp>

#pragma GCC visibility push(default)

namespace tenon {

namespace detail {
const json::object& no_params();
}

/// A request of any method. The views are valid until the middleware has returned.
struct Request {
    /// For example tools/call, tools/list, initialize, tasks/get, or a method of an extension.
    std::string_view method;
    /// The name of the tool, prompt, template, task or method of an extension, or the URI. Empty when the method has
    /// none. Not checked: there may be no such tool.
    std::string_view name = {};
    /// The parameters as the client sent them. Not checked. Empty in an access rule that is asked about an entry of a
    /// list.
    const json::object& params = detail::no_params();
    /// True when the client sends the request again, with its answers to questions (2026-07-28). It is the same call.
    bool continued = false;
};

/// How a request ended.
struct Outcome {
    const Error* error = nullptr;  ///< null on success
    std::string_view result = {};  ///< as JSON
    bool asked = false;            ///< the handler asked a question; the client will call again (2026-07-28)
    bool tool_failed = false;      ///< a tool returned a result with isError
};

namespace detail {
class MiddlewareChain;
}

/// Continues with the next middleware or the handler, or refuses the request. Use it exactly once. Destroying it unused
/// answers with an internal error. Move-only; not thread-safe.
class Next {
 public:
    explicit Next(std::unique_ptr<detail::MiddlewareChain> chain);
    Next(Next&&) noexcept;
    ~Next();

    void run() &&;
    /// Runs the handler and calls `then` with its outcome, maybe later and on another thread.
    void run(std::function<void(const Outcome&)> then) &&;
    /// Runs the handler and passes its answer through `change`, which may return another result or error. A question to
    /// the client is not changed. An exception of `change` becomes the error.
    void transform(std::function<Result<json::object>(Result<json::object> answer)> change) &&;
    /// Answers with this result without running the handler, for example from a cache. Access was checked before: a
    /// caller that may not use a feature never gets this result, but the key of a cache should contain the principal.
    void answer(json::object result) &&;
    void refuse(Error error) &&;

 private:
    std::unique_ptr<detail::MiddlewareChain> chain_;
};

/// Runs around every request, before its parameters are checked. It also sees requests that Tenon refuses: an unknown
/// method, a denied access, a rate limit. Their outcome is the refusal, and middleware cannot change it.
///
/// Runs on the thread of the handler. Lists and completions run on a worker. Other methods without a handler of yours
/// run on the thread that read the message. There, and for inline handlers, middleware must not block. An exception
/// becomes an error response. Middleware runs before a call becomes a task, so a refused call creates no task. The
/// outcome of a task is the outcome of its handler.
using Middleware = std::function<void(Context& ctx, const Request& request, Next next)>;

/// Refuses calls above the limits and tells the client how long to wait. Each principal has its own count for each
/// tool; all anonymous callers share one. ServerOptions::rate_limits installs this middleware.
Middleware limit_rates(RateLimits limits);

/// Decides which tools, resources, prompts and methods of extensions a caller may use. Make one with authorise(), and
/// add it with Server::use().
struct AccessRule {
    std::function<bool(const Caller& caller, const Request& request)> may;
};

/// Makes an access rule. Everything that touches a feature follows it: calling, reading, lists, templates, completion,
/// subscriptions and notifications of updates. For a caller that may not use a feature, the feature does not exist.
///
/// The rule gets a Request for a feature. Its method and name do not depend on the method that the client called:
///   - a tool: {"tools/call", its name};
///   - a resource: {"resources/read", its URI};
///   - a template, in a list and for completions: {"resources/read", the template};
///   - a prompt: {"prompts/get", its name};
///   - a method of an extension: {its name, its name}.
/// Several rules must all agree. A rule runs on any thread, several times at once. Keep it quick: a list asks once for
/// each entry. An exception counts as "no".
AccessRule authorise(std::function<bool(std::string_view principal, const Request& request)> may);
AccessRule authorise(std::function<bool(const Caller& caller, const Request& request)> may);

}  // namespace tenon

#pragma GCC visibility pop
