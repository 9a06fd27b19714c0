// Reply: answers one request, exactly once.
#pragma once

#include <memory>
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

    /// Answers with a value or an Error: `std::move(reply).send(value)`.
    void send(Result<T> result) && {
        if (auto sink = std::move(sink_)) sink->answer(std::move(result));
    }
    /// Answers with code::internal_error and this message.
    void fail(std::string message) && { std::move(*this).send(Error{code::internal_error, std::move(message)}); }

    /// Returns whether this Reply can still answer.
    explicit operator bool() const { return sink_ != nullptr; }

 private:
    void drop() {
        if (auto sink = std::move(sink_)) sink->answer(Error{code::internal_error, "the handler gave no answer"});
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
