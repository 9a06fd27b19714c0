// Middleware: functions that run before every handler. For audit, rate limits and access control.
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

#include <tenon/error.hpp>
#include <tenon/fwd.hpp>
#include <tenon/log.hpp>
#include <tenon/rate_limits.hpp>
#include <tenon/reply.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// A request whose parameters are valid. The views are valid during the call of the middleware.
struct Request {
    std::string_view method;  ///< tools/call, resources/read, prompts/get, completion/complete or one of an extension
    std::string_view name;    ///< name of the tool, prompt, template or method of an extension; or the URI
};

/// How a request ended.
struct Outcome {
    const Error* error = nullptr;  ///< null on success
    std::string_view result = {};  ///< as JSON
    bool asked = false;            ///< the handler asked a question; the client will call again (2026-07-28)
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
    void refuse(Error error) &&;

 private:
    std::unique_ptr<detail::MiddlewareChain> chain_;
};

/// Runs before the handler, on the handler's thread. It must not block when the handler is inline. An exception becomes
/// an error response. Middleware runs before a call becomes a task, so a refused call creates no task.
using Middleware = std::function<void(Context& ctx, const Request& request, Next next)>;

/// Refuses calls above the limits and tells the client how long to wait. Each principal has its own count for each
/// tool; all anonymous callers share one. ServerOptions::rate_limits installs this middleware.
Middleware limit_rates(RateLimits limits);

/// Runs only requests for which `may` returns true; refuses the others.
Middleware authorise(std::function<bool(std::string_view principal, const Request& request)> may);

/// Logs one line per request: principal, method, name, outcome and duration. Does not log arguments, which may be
/// secret.
Middleware log_requests(LogSink sink);

}  // namespace tenon

#pragma GCC visibility pop
