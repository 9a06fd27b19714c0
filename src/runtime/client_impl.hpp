// The implementation of Client: the engine behind a lock, and the code that performs its actions.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <tenon/client.hpp>

#include "core/client/engine.hpp"
#include "io/worker_pool.hpp"
#include "runtime/client_operation.hpp"
#include "runtime/wire.hpp"

namespace tenon {

/// Thread-safe. The transport has its own threads, which receive messages. One thread is for deadlines, one for
/// callbacks, which run in order, and some for handlers of questions, which may take long. User code runs on the last
/// two kinds. A blocking call reports progress on the thread of its caller.
class Client::Impl : public std::enable_shared_from_this<Client::Impl> {
 public:
    Impl(std::shared_ptr<ClientTransport> transport, ClientOptions options);
    ~Impl();
    void start();
    void close(TimePoint deadline);

    /// Waits for the answer. Reports progress on the calling thread.
    Result<json::value> wait(core::ClientCall call, const CallOptions& options);
    /// Starts a call. Its answer and progress are reported through the queue of callbacks.
    void run(core::ClientCall call, CallOptions options, Reply<json::value> reply) noexcept;

    template <class F>
    auto look(F&& f) {
        const std::lock_guard lock(mutex_);
        return f(std::as_const(engine_));
    }
    void roots_changed();
    Result<void> notify(std::string_view method, const json::object& params);
    const ClientOptions& options() const { return options_; }
    const ClientLimits& limits() const { return options_.limits; }
    /// Returns what call_tool() does with tasks.
    core::ClientCall::Tasks call_tasks() const {
        return options_.tasks ? core::ClientCall::Tasks::follow : core::ClientCall::Tasks::raw;
    }
    /// Runs `event` on the thread for callbacks, after all events that were queued before.
    void enqueue(std::function<void()> event);

 private:
    class AsyncCall;

    /// Calls `f` with the engine, then performs its actions. Messages are sent under the lock, in order. Everything
    /// that may run user code happens outside the lock. When `f` throws, because memory is short, the engine may have
    /// handled a part of the event. The event cannot be repeated, so all calls fail and the connection ends: otherwise
    /// a call could wait for ever.
    template <class F>
    void with_engine(F&& f) noexcept {
        core::ClientActions rest;
        bool earlier = false;
        {
            const std::lock_guard lock(mutex_);
            try_engine(f);
            earlier = collect(rest);
        }
        if (earlier) deadline_changed_.notify_one();
        perform(rest);
    }
    template <class F>
    void try_engine(F&& f) noexcept {
        try {
            f(engine_);
        } catch (...) {
            engine_.broke();
        }
    }
    void receive(std::string_view message);
    bool collect(core::ClientActions& rest) noexcept;
    Result<void> send(OutgoingMessage message) noexcept;
    void perform(core::ClientActions& actions) noexcept;
    void perform(core::ClientAction& action);
    void cannot_perform(core::ClientAction& action) noexcept;
    void hang_up();
    void ask(core::Ask ask);
    Result<core::AskAnswer> answer(const core::Ask& ask) const noexcept;
    void announce(core::Announce what);
    void tell(const core::Announce& what) const;
    /// Queues a notification of `bytes` bytes, or drops it when the queue is full. Answers must not be lost: they use
    /// enqueue().
    void enqueue_if_room(std::size_t bytes, std::function<void()> event);
    void guarded(const char* what, const std::function<void()>& user) const noexcept;
    void note(LogLevel level, std::string_view text) const;
    void answered(core::AskId id, Result<core::AskAnswer> answer) noexcept;
    core::CallId submit(core::ClientCall call) noexcept;
    void cancel(core::CallId id) noexcept;
    void start(const std::shared_ptr<AsyncCall>& live, core::ClientCall& call, CallOptions& options);
    void keep_time();
    void stop_clock();
    static bool in_callback();
    ClientTransport::Events events();

    const ClientOptions options_;
    const std::shared_ptr<ClientTransport> transport_;
    const std::shared_ptr<const Observers> observers_;  // null: nothing observes this client
    const std::shared_ptr<const ClientOperation::Ends> ends_;
    const Wire wire_;
    std::mutex mutex_;  // guards the members below, up to deadline_changed_
    core::ClientEngine engine_;
    std::optional<TimePoint> waits_until_;  // the deadline that the clock thread waits for
    bool stop_clock_ = false;
    std::condition_variable deadline_changed_;

    std::mutex close_mutex_;  // held while the clock thread is joined
    std::thread clock_;
    std::atomic<bool> closing_{false};
    std::atomic<bool> callbacks_over_{false};
    std::atomic<std::size_t> queued_{0};        // waiting callbacks
    std::atomic<std::size_t> queued_bytes_{0};  // of waiting notifications
    std::atomic<bool> overflowed_{false};
    io::WorkerPool callbacks_{1};
    io::WorkerPool handlers_;
};

}  // namespace tenon
