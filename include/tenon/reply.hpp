// Reply: answers one request, exactly once.
#pragma once

#include <memory>
#include <new>
#include <string>
#include <utility>

#include <tenon/error.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// Answers one request, exactly once. Answering consumes the Reply, so a second answer is impossible. Destroying it
/// unanswered sends an internal error, so every request gets an answer. Move-only. Not thread-safe, but may be moved to
/// another thread.
template <class T>
class Reply {
 public:
    /// Receives the answer. Implemented by the library.
    class Sink {
     public:
        virtual ~Sink() = default;
        virtual void answer(Result<T>&& result) = 0;
        /// Called after answer() has thrown, for example because memory is short. The last chance to end the request.
        virtual void lost() noexcept {}
    };

    Reply() = default;
    explicit Reply(std::unique_ptr<Sink> sink) : sink_(std::move(sink)) {}
    Reply(Reply&&) noexcept = default;
    Reply& operator=(Reply&& other) noexcept {
        if (this != &other) {
            if (sink_) drop();
            sink_ = std::move(other.sink_);
        }
        return *this;
    }
    ~Reply() {
        if (sink_) drop();  // most are empty here: they were answered, or moved
    }

    /// Answers with a value or an Error: `std::move(reply).send(value)`. Throws what the receiver throws.
    void send(Result<T> result) && {
        const auto sink = std::move(sink_);
        if (!sink) return;
        try {
            sink->answer(std::move(result));
        } catch (...) {
            sink->lost();
            throw;
        }
    }
    /// Answers with code::internal_error and this message.
    void fail(std::string message) && { std::move(*this).send(Error{code::internal_error, std::move(message)}); }

    /// Returns whether this Reply can still answer.
    explicit operator bool() const { return sink_ != nullptr; }

 private:
    // Called by the destructor, so it must not throw, also when memory is short.
    void drop() noexcept {
        const auto sink = std::move(sink_);
        if (!sink) return;
        try {
            sink->answer(no_answer());
        } catch (...) {
            sink->lost();
        }
    }
    static Error no_answer() {
        try {
            return Error{code::internal_error, "the handler gave no answer"};
        } catch (const std::bad_alloc&) {
            return Error{code::internal_error, "no answer"};  // short enough to need no memory
        }
    }

    std::unique_ptr<Sink> sink_;
};

/// Makes a Reply that passes its answer to a function.
template <class T, class F>
Reply<T> make_reply(F function) {
    class FunctionSink final : public Reply<T>::Sink {
     public:
        explicit FunctionSink(F f) : function_(std::move(f)) {}
        void answer(Result<T>&& result) override { function_(std::move(result)); }

     private:
        F function_;
    };
    return Reply<T>(std::make_unique<FunctionSink>(std::move(function)));
}

}  // namespace tenon

#pragma GCC visibility pop
