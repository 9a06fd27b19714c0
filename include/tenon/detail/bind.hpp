// Converts typed handlers to the uniform functions that the library stores.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <utility>

#include <tenon/context.hpp>
#include <tenon/detail/answers.hpp>
#include <tenon/detail/signature.hpp>

#pragma GCC visibility push(default)

namespace tenon::detail {

/// A tool handler after binding. The library owns the arguments (an object) and keeps them until the handler answers.
using ToolHandler = std::function<void(Context&, const json::value& arguments, Reply<ToolResult>)>;
/// The handler of an extension's method after binding. As for tools, the library keeps the parameters.
using MethodHandler = std::function<void(Context&, const json::value& params, Reply<json::object>)>;
using ResourceHandler = std::function<void(Context&, ResourceRequest, Reply<ReadResult>)>;
using PromptHandler = std::function<void(Context&, PromptArguments, Reply<PromptResult>)>;

/// Lets both the handler and the code that catches its exception answer one Reply. The first answer counts.
/// Thread-safe.
template <class Answer>
class FirstAnswer {
 public:
    explicit FirstAnswer(Reply<Answer> reply) : reply_(std::move(reply)) {}
    void send(Result<Answer> result) {
        if (!taken_.test_and_set()) std::move(reply_).send(std::move(result));
    }

 private:
    Reply<Answer> reply_;
    std::atomic_flag taken_ = {};
};

/// Calls `fn(context?, arguments..., reply?)`, converts its result with `convert`, and sends it to `reply`. An
/// exception becomes an error.
template <class Answer, class F, class Arguments, class Convert>
void call_handler(F& fn, Context& context, Arguments&& arguments, Reply<Answer> reply, Convert convert) {
    using S = Signature<F>;
    const auto invoke = [&](auto&&... extra) -> decltype(auto) {
        return std::apply(
            [&](auto&&... a) -> decltype(auto) {
                if constexpr (S::takes_context) {
                    return fn(context, std::forward<decltype(a)>(a)..., std::forward<decltype(extra)>(extra)...);
                } else {
                    return fn(std::forward<decltype(a)>(a)..., std::forward<decltype(extra)>(extra)...);
                }
            },
            std::forward<Arguments>(arguments));
    };
    if constexpr (S::takes_reply) {
        using V = typename S::Answer;
        // Stack unwinding destroys the handler's Reply, which would answer with a generic error. That answer is
        // ignored, and the exception is sent instead. If neither side answers, the last owner of `first` sends the
        // generic error.
        const auto first = std::make_shared<FirstAnswer<Answer>>(std::move(reply));
        const int before = std::uncaught_exceptions();
        try {
            invoke(make_reply<V>([first, before, convert](Result<V> result) {
                if (!result && std::uncaught_exceptions() > before) return;
                first->send(result ? convert(*std::move(result)) : Result<Answer>(result.error()));
            }));
        } catch (...) {
            first->send(thrown_by_handler(context));
        }
    } else {
        const auto outcome = [&]() -> Result<Answer> {
            try {
                if constexpr (std::is_void_v<typename S::Answer>) {
                    invoke();
                    return Answer{};
                } else {
                    return convert(invoke());
                }
            } catch (...) {
                return thrown_by_handler(context);
            }
        };
        std::move(reply).send(outcome());
    }
}

/// Binds a handler whose parameters are named by `args`.
template <class Answer, class F, class Convert, class... T>
std::function<void(Context&, const json::value&, Reply<Answer>)> bind_args(Args<T...> args, F fn, Convert convert) {
    using S = Signature<F>;
    static_assert(S::arity == sizeof...(T),
                  "tenon: the handler must take one parameter for each arg() of args(), besides Context and Reply");
    if constexpr (S::arity == sizeof...(T)) {
        static_assert([]<class... P>(std::tuple<P...>*) { return (std::is_convertible_v<T, P> && ...); }(
                          static_cast<typename S::Arguments*>(nullptr)),
                      "tenon: the handler's parameters must have the types of args(), in the same order");
        return [args = std::move(args), fn = std::move(fn), convert](Context& context, const json::value& arguments,
                                                                     Reply<Answer> reply) mutable {
            auto decoded = args.decode(arguments.get_object());
            if (!decoded) return std::move(reply).send(decoded.error());
            call_handler(fn, context, *std::move(decoded), std::move(reply), convert);
        };
    }
}

/// Binds a handler that takes all arguments as one value: a described struct, or the JSON object itself. Errors call
/// that value `path`.
template <class Answer, class Whole, class F, class Convert>
std::function<void(Context&, const json::value&, Reply<Answer>)> bind_whole(F fn, Convert convert, const char* path) {
    return [fn = std::move(fn), convert, path](Context& context, const json::value& arguments,
                                               Reply<Answer> reply) mutable {
        Result<Whole> decoded = from_json<Whole>(arguments, path);
        if (!decoded) return std::move(reply).send(decoded.error());
        call_handler(fn, context, std::tuple<Whole>(*std::move(decoded)), std::move(reply), convert);
    };
}

/// Returns the schema of a struct that holds all arguments of a tool. As with args(), others are refused.
template <class Whole>
json::object whole_schema() {
    if constexpr (std::is_same_v<Whole, json::object>) {
        return schema_of<Whole>();
    } else {
        return closed(schema_of<Whole>());
    }
}

inline constexpr auto to_tool_answer = [](auto&& v) { return tool_answer(std::forward<decltype(v)>(v)); };
inline constexpr auto to_method_answer = [](auto&& v) { return method_answer(std::forward<decltype(v)>(v)); };

template <class F, class... T>
ToolHandler bind_tool(Args<T...> args, F fn) {
    return bind_args<ToolResult>(std::move(args), std::move(fn), to_tool_answer);
}
template <class Whole, class F>
ToolHandler bind_whole_tool(F fn) {
    return bind_whole<ToolResult, Whole>(std::move(fn), to_tool_answer, "arguments");
}

template <class F, class... T>
MethodHandler bind_method(Args<T...> args, F fn) {
    return bind_args<json::object>(std::move(args), std::move(fn), to_method_answer);
}
template <class Whole, class F>
MethodHandler bind_whole_method(F fn) {
    return bind_whole<json::object, Whole>(std::move(fn), to_method_answer, "params");
}

/// Returns whether the only argument of a handler is the request.
template <class S>
consteval bool takes_request() {
    if constexpr (S::arity == 1) {
        return std::is_same_v<std::tuple_element_t<0, typename S::Arguments>, ResourceRequest>;
    } else {
        return false;
    }
}

template <class F>
ResourceHandler bind_resource(F fn, std::string mime_type) {
    using S = Signature<F>;
    static_assert(takes_request<S>() || S::arity == 0,
                  "tenon: a resource handler takes (Context?, const ResourceRequest&?, Reply<...>?)");
    if constexpr (takes_request<S>() || S::arity == 0)
        return [fn = std::move(fn), mime_type = std::move(mime_type)](Context& context, ResourceRequest request,
                                                                      Reply<ReadResult> reply) mutable {
            const auto convert = [uri = request.uri, mime_type](auto&& v) {
                return resource_answer(std::forward<decltype(v)>(v), uri, mime_type);
            };
            if constexpr (S::arity == 1) {
                call_handler(fn, context, std::tuple<ResourceRequest>(std::move(request)), std::move(reply), convert);
            } else {
                call_handler(fn, context, std::tuple<>(), std::move(reply), convert);
            }
        };
}

/// Binds a prompt handler. Prompt arguments are strings in the protocol; a handler may also take an enum or an optional
/// string.
template <class... T, class F>
PromptHandler bind_prompt(Args<T...> args, F fn) {
    static_assert(Signature<F>::arity == sizeof...(T),
                  "tenon: the handler must take one parameter for each arg() of args(), besides Context and Reply");
    if constexpr (Signature<F>::arity == sizeof...(T)) {
        return [args = std::move(args), fn = std::move(fn)](Context& context, PromptArguments given,
                                                            Reply<PromptResult> reply) mutable {
            json::object arguments;
            for (auto& [name, value] : given) arguments.emplace(name, std::move(value));
            auto decoded = args.decode(arguments);
            if (!decoded) return std::move(reply).send(decoded.error());
            call_handler(fn, context, *std::move(decoded), std::move(reply),
                         [](auto&& v) { return prompt_answer(std::forward<decltype(v)>(v)); });
        };
    }
}

}  // namespace tenon::detail

#pragma GCC visibility pop
