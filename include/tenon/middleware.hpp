// Middleware: what stands between every request that runs a handler, and the handler. For audit, limits, access.
//
//     server.use([](tenon::Context& ctx, const tenon::Request& request, tenon::Next next) {
//         if (request.name == "format_disk" && ctx.principal() != "root")
//             return std::move(next).refuse({tenon::code::server_error, "Only root may do that."});
//         std::move(next).run([](const tenon::Outcome& outcome) { count(outcome.error == nullptr); });
//     });
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <tenon/error.hpp>
#include <tenon/log.hpp>
#include <tenon/reply.hpp>

namespace tenon {

class Context;

/// What a client asked for, once its parameters were found right.
struct Request {
    std::string_view method;  ///< tools/call, resources/read, prompts/get or completion/complete
    std::string_view name;    ///< of the tool, prompt or template; or the URI
};

/// What a request came to.
struct Outcome {
    const Error* error = nullptr;  ///< null when there is none
    std::string_view result = {};  ///< as JSON
    bool asked = false;            ///< neither: it asked the client, and is called again with the answer (2026-07-28)
};

namespace detail {
class Passage;
}

/// The duty to go on, or to answer instead. Move-only; dropping it answers with an internal error. What comes after may
/// answer later and on another thread, so nothing is returned: `run` tells when it has.
class Next {
 public:
    explicit Next(std::unique_ptr<detail::Passage> passage);
    Next(Next&&) noexcept;
    ~Next();

    void run() &&;
    void run(std::function<void(const Outcome&)> then) &&;
    void refuse(Error error) &&;

 private:
    std::unique_ptr<detail::Passage> passage_;
};

/// Runs where the handler will: it must not block when that one is inline. What it throws is the answer. A call becomes
/// a task behind it, so that what it refuses is none.
using Middleware = std::function<void(Context& ctx, const Request& request, Next next)>;

/// So many calls in so much time; as many at once.
struct RateLimit {
    std::uint32_t calls = 0;  ///< 0: no limit
    std::chrono::milliseconds per = std::chrono::minutes(1);
};

struct RateLimits {
    RateLimit each = {};                                       ///< of every tool, for each principal
    std::map<std::string, RateLimit, std::less<>> tools = {};  ///< of tools that have their own
    std::size_t max_counted = 10'000;                          ///< principals and tools that are told apart at once
};

/// Refuses tool calls above the limits, with how long to wait. Every principal has its own count for every tool; all
/// callers share one where the transport does not ask who they are. ServerOptions::rate_limits is this.
Middleware limit_rates(RateLimits limits);

/// Lets through what `may` says yes to, by who calls (Context::principal) and what; the rest is refused and not run.
Middleware authorise(std::function<bool(std::string_view principal, const Request& request)> may);

/// A line for each request: who, what, how it ended and how long it took. Never arguments, which may be secret.
Middleware log_requests(LogSink sink);

}  // namespace tenon
