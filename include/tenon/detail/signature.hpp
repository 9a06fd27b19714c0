// Splits the parameters of a handler: an optional Context first, then the arguments, an optional Reply last.
#pragma once

#include <tuple>
#include <type_traits>

#include <tenon/context.hpp>

#pragma GCC visibility push(default)

namespace tenon::detail {

template <class T>
struct ReplyValue {
    static constexpr bool is_reply = false;
    using type = void;
};
template <class T>
struct ReplyValue<Reply<T>> {
    static constexpr bool is_reply = true;
    using type = T;
};

template <class... P>
constexpr bool starts_with_context() {
    if constexpr (sizeof...(P) == 0) {
        return false;
    } else {
        return std::is_same_v<std::decay_t<std::tuple_element_t<0, std::tuple<P...>>>, Context>;
    }
}

template <class... P>
struct LastReply : ReplyValue<void> {};
template <class P>
struct LastReply<P> : ReplyValue<std::decay_t<P>> {};
template <class First, class Second, class... Rest>
struct LastReply<First, Second, Rest...> : LastReply<Second, Rest...> {};

/// `Count` elements of a tuple, from index `Skip` on: the parameters between the Context and the Reply.
template <std::size_t Skip, std::size_t Count, class Tuple>
struct Slice;
template <std::size_t Skip, std::size_t Count, class... P>
struct Slice<Skip, Count, std::tuple<P...>> {
    template <std::size_t... I>
    static auto pick(std::index_sequence<I...>)
        -> std::tuple<std::decay_t<std::tuple_element_t<Skip + I, std::tuple<P...>>>...>;
    using type = decltype(pick(std::make_index_sequence<Count>()));
};

template <class R, class... P>
struct HandlerShape {
    static constexpr bool takes_context = starts_with_context<P...>();
    static constexpr bool takes_reply = LastReply<P...>::is_reply;
    static constexpr std::size_t arity = sizeof...(P) - takes_context - takes_reply;
    using Arguments = typename Slice<takes_context, arity, std::tuple<P...>>::type;
    /// The type of the handler's answer: its return type, or T of its Reply<T>.
    using Answer = std::conditional_t<takes_reply, typename LastReply<P...>::type, std::decay_t<R>>;
};

template <class F>
struct SignatureOf {
    static_assert(
        requires { &F::operator(); },
        "tenon: a handler must be a function or a lambda whose parameters have types (no `auto`), "
        "because its schema is made from them");
    using type = typename SignatureOf<decltype(&F::operator())>::type;
};
template <class R, class... P>
struct SignatureOf<R (*)(P...)> {
    using type = HandlerShape<R, P...>;
};
template <class R, class... P>
struct SignatureOf<R(P...)> {
    using type = HandlerShape<R, P...>;
};
template <class C, class R, class... P>
struct SignatureOf<R (C::*)(P...)> {
    using type = HandlerShape<R, P...>;
};
template <class C, class R, class... P>
struct SignatureOf<R (C::*)(P...) const> {
    using type = HandlerShape<R, P...>;
};
template <class C, class R, class... P>
struct SignatureOf<R (C::*)(P...) noexcept> {
    using type = HandlerShape<R, P...>;
};
template <class C, class R, class... P>
struct SignatureOf<R (C::*)(P...) const noexcept> {
    using type = HandlerShape<R, P...>;
};

template <class F>
using Signature = typename SignatureOf<std::decay_t<F>>::type;

}  // namespace tenon::detail

#pragma GCC visibility pop
