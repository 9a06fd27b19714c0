// Handlers that are Boost.Asio coroutines. Optional: apart from client_asio.hpp, no other public header includes Asio.
//
//     boost::asio::thread_pool pool(1);
//     server.tool("fetch", "Fetches a page", args(arg<std::string>("url")),
//                 tenon::co(pool.get_executor(),
//                           [](tenon::Context ctx, std::string url) -> boost::asio::awaitable<std::string> {
//                               const auto roots = co_await tenon::co_roots(ctx);
//                               co_return co_await fetch(url);
//                           }));
//
// The coroutine runs on the executor and holds no worker while it waits. When the call is cancelled, the coroutine is
// cancelled too (cancellation_type::terminal).
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <stop_token>

#include <tenon/detail/signature.hpp>
#include <tenon/server.hpp>

#pragma GCC visibility push(default)

namespace tenon {
namespace detail {

template <class T>
struct AwaitedBy;
template <class T, class Executor>
struct AwaitedBy<boost::asio::awaitable<T, Executor>> {
    using type = T;
};

/// Forwards the stop token of a call to the cancellation of a coroutine. Emits on the coroutine's executor, because a
/// cancellation_signal is not thread-safe.
class StopForwarder : public std::enable_shared_from_this<StopForwarder> {
 public:
    explicit StopForwarder(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

    boost::asio::cancellation_slot slot() { return signal_.slot(); }
    void listen(std::stop_token token) { callback_.emplace(std::move(token), Emit{weak_from_this()}); }
    void end() { callback_.reset(); }

 private:
    struct Emit {
        std::weak_ptr<StopForwarder> weak;
        void operator()() const {
            if (auto self = weak.lock())
                boost::asio::post(self->executor_,
                                  [self] { self->signal_.emit(boost::asio::cancellation_type::terminal); });
        }
    };
    boost::asio::any_io_executor executor_;
    boost::asio::cancellation_signal signal_;
    std::optional<std::stop_callback<Emit>> callback_;
};

template <class T, class F, class... A>
std::function<void(Context, A..., Reply<T>)> spawn_with(boost::asio::any_io_executor executor, F fn,
                                                        std::tuple<A...>*) {
    return [executor, fn](Context context, A... arguments, Reply<T> reply) {
        // The coroutine's frame holds a copy of `f`, so `f` may be a lambda with captures.
        auto task = [](F f, Context ctx, A... a) -> boost::asio::awaitable<T> {
            if constexpr (Signature<F>::takes_context) {
                co_return co_await f(ctx, std::move(a)...);
            } else {
                co_return co_await f(std::move(a)...);
            }
        };
        auto stop = std::make_shared<StopForwarder>(executor);
        auto finish = [stop, context, reply = std::move(reply)](std::exception_ptr failure, T value) mutable {
            stop->end();
            if (!failure) return std::move(reply).send(std::move(value));
            try {
                std::rethrow_exception(failure);
            } catch (...) {
                std::move(reply).send(thrown_by_handler(context));
            }
        };
        const std::stop_token token = context.stop_token();
        boost::asio::co_spawn(executor, task(fn, std::move(context), std::move(arguments)...),
                              boost::asio::bind_cancellation_slot(stop->slot(), std::move(finish)));
        boost::asio::post(executor, [stop, token] { stop->listen(token); });
    };
}

/// Calls `start(Reply<T>)` and waits until that Reply is answered. Throws tenon::Exception when the answer is an error.
template <class T, class Start>
boost::asio::awaitable<T> answer_of(Start start) {
    const auto initiate = [&start](auto handler) {
        const auto executor = boost::asio::prefer(boost::asio::get_associated_executor(handler),
                                                  boost::asio::execution::outstanding_work.tracked);
        start(make_reply<T>([executor, handler = std::move(handler)](Result<T> answer) mutable {
            boost::asio::post(executor, [handler = std::move(handler), answer = std::move(answer)]() mutable {
                std::move(handler)(std::move(answer));
            });
        }));
    };
    Result<T> answer = co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void(Result<T>)>(
        initiate, boost::asio::use_awaitable);
    if (!answer) throw_any({answer.error()});
    co_return *std::move(answer);
}

}  // namespace detail

/// Turns a coroutine function `awaitable<T>(Context?, arguments...)` into a handler that runs on `executor`.
template <class F>
auto co(boost::asio::any_io_executor executor, F fn) {
    using S = detail::Signature<F>;
    using T = typename detail::AwaitedBy<typename S::Answer>::type;
    static_assert(
        !std::is_void_v<T>,
        "tenon: a coroutine handler returns a value; return tenon::ToolResult{} when there is nothing to say");
    return detail::spawn_with<T>(std::move(executor), std::move(fn), static_cast<typename S::Arguments*>(nullptr));
}

/// Ask the same questions as elicit(), sample() and roots() of Context, without blocking a thread.
inline boost::asio::awaitable<ElicitResult> co_elicit(Context ctx, std::string message, json::object form) {
    co_return co_await detail::answer_of<ElicitResult>(
        [&](Reply<ElicitResult> reply) { ctx.async_elicit(std::move(message), std::move(form), std::move(reply)); });
}
inline boost::asio::awaitable<SampleResult> co_sample(Context ctx, SampleRequest request) {
    co_return co_await detail::answer_of<SampleResult>(
        [&](Reply<SampleResult> reply) { ctx.async_sample(std::move(request), std::move(reply)); });
}
inline boost::asio::awaitable<std::vector<Root>> co_roots(Context ctx) {
    co_return co_await detail::answer_of<std::vector<Root>>(
        [&](Reply<std::vector<Root>> reply) { ctx.async_roots(std::move(reply)); });
}

}  // namespace tenon

#pragma GCC visibility pop
