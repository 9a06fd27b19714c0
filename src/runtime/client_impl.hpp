// The inside of Client: the engine behind a lock, and the hands that do what it says.
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

namespace tenon {

/// Threads: the transport's, where messages come in; one for deadlines; one for callbacks, in order; and some for the
/// handlers of questions, which may take their time. User code runs on the last two kinds, and blocking calls report
/// progress on the caller's own.
class Client::Impl : public std::enable_shared_from_this<Client::Impl> {
 public:
    Impl(std::shared_ptr<ClientTransport> transport, ClientOptions options);
    ~Impl();
    void start();
    void close(TimePoint deadline);

    /// Waits for the answer, reporting progress from here.
    Result<json::value> wait(core::ClientCall call, const CallOptions& options);
    /// The answer and the progress come through the queue of callbacks.
    void run(core::ClientCall call, CallOptions options, Reply<json::value> reply);

    template <class F>
    auto look(F&& f) {
        const std::lock_guard lock(mutex_);
        return f(std::as_const(engine_));
    }
    void roots_changed();
    const ClientLimits& limits() const { return options_.limits; }
    /// Runs `event` after those that were queued before it.
    void enqueue(std::function<void()> event);

 private:
    class AsyncCall;

    /// Gives the engine something, then does what it wants: messages leave under the lock, in order; everything that
    /// may run user code happens after it.
    template <class F>
    void with_engine(F&& f) {
        std::vector<core::ClientAction> rest;
        bool earlier = false;
        {
            const std::lock_guard lock(mutex_);
            f(engine_);
            earlier = collect(rest);
        }
        if (earlier) deadline_changed_.notify_one();
        perform(rest);
    }
    void receive(std::string_view message);
    bool collect(std::vector<core::ClientAction>& rest);
    void perform(std::vector<core::ClientAction>& actions);
    void hang_up();
    void ask(core::Ask ask);
    Result<core::AskAnswer> answer(const core::Ask& ask) const;
    void announce(core::Announce what);
    void tell(const core::Announce& what) const;
    /// Only when the queue has room for an event of so many bytes: what is told may be lost, answers may not.
    void enqueue_if_room(std::size_t bytes, std::function<void()> event);
    void guarded(const char* what, const std::function<void()>& user) const;
    void note(LogLevel level, std::string_view text) const {
        if (options_.log) options_.log(level, text);
    }
    core::CallId submit(core::ClientCall call);
    void cancel(core::CallId id);
    void keep_time();
    void stop_clock();
    static bool in_callback();
    ClientTransport::Events events();

    const ClientOptions options_;
    const std::shared_ptr<ClientTransport> transport_;
    std::mutex mutex_;  // guards what follows
    core::ClientEngine engine_;
    std::optional<TimePoint> waits_until_;  // what the clock thread knows
    bool stop_clock_ = false;
    std::condition_variable deadline_changed_;

    std::mutex close_mutex_;  // held by who joins the clock
    std::thread clock_;
    std::atomic<bool> closing_{false};
    std::atomic<bool> callbacks_over_{false};
    std::atomic<std::size_t> queued_{0};        // callbacks that wait
    std::atomic<std::size_t> queued_bytes_{0};  // of those that may be lost
    std::atomic<bool> overflowed_{false};
    io::WorkerPool callbacks_{1};
    io::WorkerPool handlers_;
};

}  // namespace tenon
