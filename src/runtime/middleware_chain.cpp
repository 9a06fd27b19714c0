#include "runtime/middleware_chain.hpp"

#include <exception>
#include <mutex>
#include <thread>

#include <tenon/detail/bind.hpp>

#include "base/printable.hpp"
#include "core/server/rate_limiter.hpp"
#include "io/random.hpp"
#include "protocol/methods.hpp"

namespace tenon {
namespace detail {

const json::object& no_params() {
    static const json::object none;
    return none;
}

/// The rest of the chain: the middlewares that have not run yet, and the job.
class MiddlewareChain {
 public:
    MiddlewareChain(Middlewares list, std::size_t at, Context context, core::CallPtr call, Job job,
                    Reply<core::HandlerResult> reply, std::function<void()> failed)
        : list_(std::move(list)),
          at_(at),
          context_(std::move(context)),
          call_(std::move(call)),
          job_(std::move(job)),
          reply_(std::move(reply)),
          failed_(std::move(failed)) {}

    void observe(std::function<void(const Outcome&)> then) {
        reply_ = make_reply<core::HandlerResult>(
            [then = std::move(then), reply = std::move(reply_)](Result<core::HandlerResult> answer) mutable {
                const Error error = answer ? Error() : answer.error();
                const bool asked = !answer && is_replayed(error);
                try {
                    then(Outcome{answer || asked ? nullptr : &error, answer ? answer->result.json : "", asked,
                                 answer && answer->says_error});
                } catch (...) {  // an observer: its exceptions are ignored
                }
                std::move(reply).send(std::move(answer));
            });
    }
    void change(std::function<Result<json::object>(Result<json::object>)> change) {
        reply_ =
            make_reply<core::HandlerResult>([change = std::move(change), context = context_, failed = failed_,
                                             reply = std::move(reply_)](Result<core::HandlerResult> answer) mutable {
                const bool asked = answer ? answer->type != "complete" : is_replayed(answer.error());
                std::move(reply).send(asked ? std::move(answer) : changed(change, context, failed, std::move(answer)));
            });
    }
    void answer(const json::object& result) {
        std::move(reply_).send(core::HandlerResult{core::Encoded{json::write(result)}});
    }
    void refuse(Error error) { std::move(reply_).send(std::move(error)); }

    static void go(std::unique_ptr<MiddlewareChain> chain) {
        if (chain->at_ == chain->list_->size()) return chain->job_(chain->context_, std::move(chain->reply_));
        const Middleware& next = (*chain->list_)[chain->at_++];
        const core::CallPtr call = chain->call_;
        Context context = chain->context_;
        const auto keep = chain->list_;
        const auto failed = chain->failed_;
        // If the middleware throws before there is an answer, the exception is the answer. The exception also destroys
        // the Next, but the default answer of that dropped reply must not count.
        const auto reply = std::make_shared<FirstAnswer<core::HandlerResult>>(std::move(chain->reply_));
        chain->reply_ = make_reply<core::HandlerResult>(
            [reply, thread = std::this_thread::get_id(), flying = std::uncaught_exceptions()](auto answer) {
                const bool dropped = std::this_thread::get_id() == thread && std::uncaught_exceptions() > flying;
                if (!dropped) reply->send(std::move(answer));
            });
        try {
            next(context, Request{call->method, call->name, call->params, call->continued}, Next(std::move(chain)));
        } catch (const detail::Unwind&) {  // the middleware asked the client, and the question was sent as the answer
        } catch (...) {
            reply->send(thrown(context, failed));
        }
    }

 private:
    // Returns the current exception of middleware as an Error.
    static Error thrown(const Context& context, const std::function<void()>& failed) {
        try {
            throw;
        } catch (const Exception& refusal) {
            return refusal.error();
        } catch (...) {
            failed();
            return thrown_by_handler(context);
        }
    }

    static Result<core::HandlerResult> changed(const std::function<Result<json::object>(Result<json::object>)>& change,
                                               const Context& context, const std::function<void()>& failed,
                                               Result<core::HandlerResult> answer) {
        try {
            Result<json::object> before = answer ? Result<json::object>(json::parse(answer->result.json)->as_object())
                                                 : Result<json::object>(answer.error());
            Result<json::object> after = change(std::move(before));
            if (!after) return after.error();
            core::HandlerResult out(core::Encoded{json::write(*after)});
            if (answer && !answer->meta().empty()) out.own_meta() = std::move(answer->own_meta());
            const json::value* is_error = after->if_contains("isError");
            out.says_error = is_error && *is_error == true;
            return out;
        } catch (...) {
            return thrown(context, failed);
        }
    }

    Middlewares list_;
    std::size_t at_;
    Context context_;
    core::CallPtr call_;
    Job job_;
    Reply<core::HandlerResult> reply_;
    std::function<void()> failed_;
};

}  // namespace detail

using detail::MiddlewareChain;

Next::Next(std::unique_ptr<MiddlewareChain> chain) : chain_(std::move(chain)) {}
Next::Next(Next&&) noexcept = default;
Next::~Next() = default;

void Next::run() && {
    if (chain_) MiddlewareChain::go(std::move(chain_));
}

void Next::run(std::function<void(const Outcome&)> then) && {
    if (!chain_) return;
    chain_->observe(std::move(then));
    MiddlewareChain::go(std::move(chain_));
}

void Next::transform(std::function<Result<json::object>(Result<json::object>)> change) && {
    if (!chain_) return;
    chain_->change(std::move(change));
    MiddlewareChain::go(std::move(chain_));
}

void Next::answer(json::object result) && {
    if (chain_) std::exchange(chain_, nullptr)->answer(result);
}

void Next::refuse(Error error) && {
    if (chain_) std::exchange(chain_, nullptr)->refuse(std::move(error));
}

void pass(const Middlewares& middlewares, Context context, const core::CallPtr& call, Job job,
          Reply<core::HandlerResult> reply, std::function<void()> failed) {
    MiddlewareChain::go(std::make_unique<MiddlewareChain>(middlewares, 0, std::move(context), call, std::move(job),
                                                          std::move(reply), std::move(failed)));
}

namespace {

constexpr std::size_t longest_name = 128;  // of a tool or a method
constexpr std::size_t most_quoted = 200;   // bytes of a client's text in a log line or an error

std::string printable(std::string_view text) { return base::printable(text, most_quoted); }

// Counts a call of a tool on all nodes. Returns the time until one is allowed.
std::optional<Duration> refuse_shared(SharedRates& shared, const RateLimit& limit, std::string_view principal,
                                      std::string_view tool) {
    constexpr std::chrono::milliseconds longest_period = std::chrono::hours(24 * 365);
    if (limit.calls == 0 || limit.per.count() <= 0) return std::nullopt;
    const auto pace = base::BucketPace::of(limit.calls, std::min(limit.per, longest_period));
    const Duration wait = shared.count(tool, principal, pace);
    return wait > Duration::zero() ? std::optional(wait) : std::nullopt;
}

}  // namespace

Middleware limit_rates(RateLimits limits) { return limit_rates(std::move(limits), base::MemoryCharge()); }

Middleware limit_rates(RateLimits limits, base::MemoryCharge charge, std::function<SharedRates*()> shared) {
    struct State {
        State(RateLimits l, base::MemoryCharge c) : limiter(std::move(l), io::random_bytes<16>(), std::move(c)) {}
        std::mutex mutex;
        core::RateLimiter limiter;
    };
    const auto state = std::make_shared<State>(std::move(limits), std::move(charge));
    return [state, shared = std::move(shared)](Context& ctx, const Request& request, Next next) {
        // A longer name is not that of a tool, and is not kept.
        if (protocol::rate_class(request.method) != protocol::RateClass::call || request.name.size() > longest_name)
            return std::move(next).run();
        std::optional<Duration> wait;
        RateLimit limit;
        {
            const std::lock_guard lock(state->mutex);
            limit = state->limiter.limit_of(request.name);
            wait = state->limiter.refuse(ctx.principal(), request.name, Clock::now(), request.continued);
        }
        if (SharedRates* const all = shared ? shared() : nullptr; all && !wait && !request.continued)
            wait = refuse_shared(*all, limit, ctx.principal(), request.name);
        if (!wait) return std::move(next).run();
        const auto ms = std::chrono::ceil<std::chrono::milliseconds>(*wait).count();
        Error why(code::too_many_calls,
                  "Too many calls of " + printable(request.name) + ": the limit is " + std::to_string(limit.calls) +
                      " in " + std::to_string(limit.per.count()) + " ms; try again in " + std::to_string(ms) + " ms",
                  json::object{{"retryAfterMs", ms}});
        why.limit = LimitName::rate_limits;
        std::move(next).refuse(std::move(why));
    };
}

AccessRule authorise(std::function<bool(std::string_view, const Request&)> may) {
    return {[may = std::move(may)](const Caller& caller, const Request& request) {
        return may(caller.principal, request);
    }};
}

AccessRule authorise(std::function<bool(const Caller&, const Request&)> may) { return {std::move(may)}; }

}  // namespace tenon
