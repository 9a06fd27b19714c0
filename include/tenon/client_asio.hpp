// The calls of Client for Boost.Asio coroutines. Optional: apart from asio.hpp, no other public header includes Asio.
//
//     boost::asio::awaitable<void> ask(tenon::Client& client) {
//         json::object city{{"city", "Oslo"}};  // not inside co_await: g++ 12 cannot compile lists in braces there
//         const tenon::ToolResult result = co_await tenon::co_call_tool(client, "forecast", std::move(city));
//     }
//
// A coroutine resumes on its own executor. Cancelling the coroutine cancels the call, which then fails with
// code::call_cancelled. Errors are thrown as in the blocking calls. The client must outlive the call.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include <tenon/client.hpp>

#pragma GCC visibility push(default)

namespace tenon {
namespace detail {

/// Combines two causes into one stop token: the caller's own token, and the cancellation of the coroutine.
class JoinedStop {
 public:
    explicit JoinedStop(const std::stop_token& other) : by_other_(other, Stop{source_}) {}
    std::stop_token token() const { return source_.get_token(); }
    void request() { source_.request_stop(); }

 private:
    struct Stop {
        std::stop_source source;
        void operator()() { source.request_stop(); }
    };
    std::stop_source source_;
    std::stop_callback<Stop> by_other_;
};

/// Calls `start(Reply<T>, CallOptions)` and waits until that Reply is answered. Throws tenon::Exception when the answer
/// is an error.
template <class T, class Start>
boost::asio::awaitable<T> client_answer(CallOptions options, Start start) {
    namespace asio = boost::asio;
    const auto stop = std::make_shared<JoinedStop>(options.stop);
    options.stop = stop->token();
    const auto initiate = [&](auto handler) {
        auto slot = asio::get_associated_cancellation_slot(handler);
        if (slot.is_connected()) slot.assign([stop](asio::cancellation_type) { stop->request(); });
        const auto executor =
            asio::prefer(asio::get_associated_executor(handler), asio::execution::outstanding_work.tracked);
        start(make_reply<T>([executor, slot, handler = std::move(handler)](Result<T> answer) mutable {
                  asio::post(executor, [slot, handler = std::move(handler), answer = std::move(answer)]() mutable {
                      if (slot.is_connected()) slot.clear();
                      std::move(handler)(std::move(answer));
                  });
              }),
              std::move(options));
    };
    Result<T> answer =
        co_await asio::async_initiate<const asio::use_awaitable_t<>, void(Result<T>)>(initiate, asio::use_awaitable);
    if (!answer) throw Exception(answer.error());
    if constexpr (!std::is_void_v<T>) co_return *std::move(answer);
}

}  // namespace detail

template <class T>
using Awaitable = boost::asio::awaitable<T>;

/// Waits for the connection and returns the server's description of itself.
inline Awaitable<ServerInfo> co_connect(Client& client, CallOptions options = {}) {
    return detail::client_answer<ServerInfo>(std::move(options), [&client](Reply<ServerInfo> reply, CallOptions o) {
        client.async_connect(std::move(reply), std::move(o));
    });
}

/// Return one page of a list. Pass the nextCursor of a page to get the next page.
inline Awaitable<Page<Tool>> co_list_tools(Client& client, std::optional<std::string> cursor = {},
                                           CallOptions options = {}) {
    return detail::client_answer<Page<Tool>>(
        std::move(options), [&client, cursor = std::move(cursor)](Reply<Page<Tool>> reply, CallOptions o) {
            client.async_list_tools(cursor, std::move(reply), std::move(o));
        });
}
inline Awaitable<Page<Resource>> co_list_resources(Client& client, std::optional<std::string> cursor = {},
                                                   CallOptions options = {}) {
    return detail::client_answer<Page<Resource>>(
        std::move(options), [&client, cursor = std::move(cursor)](Reply<Page<Resource>> reply, CallOptions o) {
            client.async_list_resources(cursor, std::move(reply), std::move(o));
        });
}
inline Awaitable<Page<ResourceTemplate>> co_list_resource_templates(Client& client,
                                                                    std::optional<std::string> cursor = {},
                                                                    CallOptions options = {}) {
    return detail::client_answer<Page<ResourceTemplate>>(
        std::move(options), [&client, cursor = std::move(cursor)](Reply<Page<ResourceTemplate>> reply, CallOptions o) {
            client.async_list_resource_templates(cursor, std::move(reply), std::move(o));
        });
}
inline Awaitable<Page<Prompt>> co_list_prompts(Client& client, std::optional<std::string> cursor = {},
                                               CallOptions options = {}) {
    return detail::client_answer<Page<Prompt>>(
        std::move(options), [&client, cursor = std::move(cursor)](Reply<Page<Prompt>> reply, CallOptions o) {
            client.async_list_prompts(cursor, std::move(reply), std::move(o));
        });
}

inline Awaitable<ToolResult> co_call_tool(Client& client, std::string name, json::object arguments = {},
                                          CallOptions options = {}) {
    return detail::client_answer<ToolResult>(
        std::move(options), [&client, name = std::move(name), arguments = std::move(arguments)](Reply<ToolResult> reply,
                                                                                                CallOptions o) mutable {
            client.async_call_tool(std::move(name), std::move(arguments), std::move(reply), std::move(o));
        });
}
inline Awaitable<ReadResult> co_read_resource(Client& client, std::string uri, CallOptions options = {}) {
    return detail::client_answer<ReadResult>(std::move(options),
                                             [&client, uri = std::move(uri)](Reply<ReadResult> reply, CallOptions o) {
                                                 client.async_read_resource(uri, std::move(reply), std::move(o));
                                             });
}
inline Awaitable<PromptResult> co_get_prompt(Client& client, std::string name, PromptArguments arguments = {},
                                             CallOptions options = {}) {
    return detail::client_answer<PromptResult>(
        std::move(options),
        [&client, name = std::move(name), arguments = std::move(arguments)](Reply<PromptResult> reply, CallOptions o) {
            client.async_get_prompt(name, arguments, std::move(reply), std::move(o));
        });
}
inline Awaitable<Completion> co_complete(Client& client, CompletionTarget target, CompletionRequest request,
                                         CallOptions options = {}) {
    return detail::client_answer<Completion>(
        std::move(options),
        [&client, target = std::move(target), request = std::move(request)](Reply<Completion> reply, CallOptions o) {
            client.async_complete(target, request, std::move(reply), std::move(o));
        });
}

inline Awaitable<void> co_set_log_level(Client& client, LogLevel level, CallOptions options = {}) {
    return detail::client_answer<void>(std::move(options), [&client, level](Reply<void> reply, CallOptions o) {
        client.async_set_log_level(level, std::move(reply), std::move(o));
    });
}
inline Awaitable<void> co_subscribe(Client& client, std::string uri, CallOptions options = {}) {
    return detail::client_answer<void>(std::move(options),
                                       [&client, uri = std::move(uri)](Reply<void> reply, CallOptions o) {
                                           client.async_subscribe(uri, std::move(reply), std::move(o));
                                       });
}
inline Awaitable<void> co_unsubscribe(Client& client, std::string uri, CallOptions options = {}) {
    return detail::client_answer<void>(std::move(options),
                                       [&client, uri = std::move(uri)](Reply<void> reply, CallOptions o) {
                                           client.async_unsubscribe(uri, std::move(reply), std::move(o));
                                       });
}
inline Awaitable<void> co_ping(Client& client, CallOptions options = {}) {
    return detail::client_answer<void>(std::move(options), [&client](Reply<void> reply, CallOptions o) {
        client.async_ping(std::move(reply), std::move(o));
    });
}
/// Sends a request of any method and returns its raw result.
inline Awaitable<json::value> co_request(Client& client, std::string method, json::object params = {},
                                         CallOptions options = {}) {
    return detail::client_answer<json::value>(
        std::move(options), [&client, method = std::move(method), params = std::move(params)](Reply<json::value> reply,
                                                                                              CallOptions o) mutable {
            client.async_request(std::move(method), std::move(params), std::move(reply), std::move(o));
        });
}

}  // namespace tenon

#pragma GCC visibility pop
