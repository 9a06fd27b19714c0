// Typed calls that are answered by a callback. Each is answered exactly once, also when memory is short.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "core/client/short_memory.hpp"
#include "io/last_resort.hpp"
#include "runtime/client_impl.hpp"

namespace tenon {

// Does nothing if it was answered before.
template <class T>
void fail_with_current_error(Reply<T>& reply) noexcept {
    Error why = core::current_error_or_short();
    io::survives([&] { std::move(reply).send(std::move(why)); }, [](const char*) {});
}

template <class T, class ReadOne>
void convert(const ReadOne& read, const Result<json::value>& answer, Reply<T>& reply) {
    answer ? std::move(reply).send(read(*answer)) : std::move(reply).send(answer.error());
}

inline void convert(std::nullptr_t, const Result<json::value>& answer, Reply<void>& reply) {
    std::move(reply).send(answer ? Result<void>() : Result<void>(answer.error()));
}

// Passes the answer of the server to the user's typed reply. Made in advance, so that the user's reply is taken only
// when nothing can fail any more.
template <class T, class ReadOne>
class TypedAnswer final : public Reply<json::value>::Sink {
 public:
    explicit TypedAnswer(ReadOne read) : read_(std::move(read)) {}
    void answer(Result<json::value>&& answer) override { convert(read_, answer, reply); }
    void lost() noexcept override { fail_with_current_error(reply); }

    Reply<T> reply;

 private:
    const ReadOne read_;
};

// Starts a call. `make` returns it. The reply is answered exactly once, also when memory is short: nothing is thrown.
template <class T, class Make, class ReadOne>
void send_async(Client::Impl& impl, Make make, CallOptions options, ReadOne read, Reply<T> reply) noexcept {
    try {
        core::ClientCall call = make();
        auto sink = std::make_unique<TypedAnswer<T, ReadOne>>(std::move(read));
        sink->reply = std::move(reply);
        impl.run(std::move(call), std::move(options), Reply<json::value>(std::move(sink)));
    } catch (...) {
        fail_with_current_error(reply);
    }
}

}  // namespace tenon
