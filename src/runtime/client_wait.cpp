// The two ways to get an answer: waiting for it, or a callback.
#include <deque>

#include "core/client/short_memory.hpp"
#include "io/last_resort.hpp"
#include "runtime/client_impl.hpp"
#include "runtime/client_operation.hpp"

namespace tenon {
namespace {

// The object that a blocking call waits on. Shared with the reply, which may come from any thread.
class Waiter {
 public:
    explicit Waiter(const ClientLimits& limits) : limits_(limits) {}

    void finish(Result<json::value> answer) noexcept {
        const std::lock_guard lock(mutex_);
        answer_ = std::move(answer);
        changed_.notify_all();
    }
    void report(const Progress& progress) {
        const std::lock_guard lock(mutex_);
        report_bytes_ += size_of(progress);
        reports_.push_back(progress);
        while (reports_.size() > limits_.max_queued_reports || report_bytes_ > limits_.max_queued_event_bytes)
            take_report();  // drops the oldest
        changed_.notify_all();
    }
    Result<json::value> wait(const std::function<void(const Progress&)>& on_progress) {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return answer_ || !reports_.empty(); });
            while (!reports_.empty()) {
                const Progress report = take_report();
                lock.unlock();
                on_progress(report);
                lock.lock();
            }
            if (!answer_) continue;
            lock.unlock();
            return core::checked(*std::move(answer_), schema);
        }
    }

    core::OutputSchemaPtr schema;  // of a tool call; set before finish()

 private:
    static std::size_t size_of(const Progress& progress) { return sizeof(progress) + progress.message.size(); }
    Progress take_report() {
        Progress report = std::move(reports_.front());
        reports_.pop_front();
        report_bytes_ -= size_of(report);
        return report;
    }

    const ClientLimits& limits_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Progress> reports_;
    std::size_t report_bytes_ = 0;
    std::optional<Result<json::value>> answer_;
};

const Error not_wanted{code::call_cancelled, "the call was cancelled before it was sent"};

core::ProgressSink sink(std::function<void(const Progress&)> f) {
    return std::make_shared<const std::function<void(const Progress&)>>(std::move(f));
}

std::optional<Error> must_not_start(const ClientOperation& operation, const std::stop_token& stop) {
    return stop.stop_requested() ? not_wanted : operation.refused();
}

}  // namespace

core::CallId Client::Impl::submit(core::ClientCall call) noexcept {
    core::CallId id = 0;
    with_engine([&](core::ClientEngine& engine) { id = engine.call(std::move(call), Clock::now()); });
    // The engine has not taken the call, because memory is short.
    if (call.reply) io::survives([&] { std::move(call.reply).send(core::out_of_memory()); }, [](const char*) {});
    return id;
}

// Stop callbacks call it.
void Client::Impl::cancel(core::CallId id) noexcept {
    with_engine([&](core::ClientEngine& engine) { engine.cancel(id, "cancelled by the caller"); });
}

Result<json::value> Client::Impl::wait(core::ClientCall call, const CallOptions& options) {
    call.meta = options.meta;
    options.trace->write(call.meta);
    const ClientOperation operation(observers_, ends_, call);
    if (const auto why = must_not_start(operation, options.stop)) {
        operation.end(*why);
        return *why;
    }
    const auto waiter = std::make_shared<Waiter>(limits());
    call.timeout = options.timeout;
    call.fresh = options.fresh;
    call.task_ttl = options.task_ttl;
    call.schema = {waiter, &waiter->schema};
    call.reply = make_reply<json::value>([waiter](Result<json::value> answer) { waiter->finish(std::move(answer)); });
    if (options.on_progress) call.progress = sink([waiter](const Progress& p) { waiter->report(p); });
    const core::CallId id = submit(std::move(call));
    const std::stop_callback on_stop(options.stop, [this, id] { cancel(id); });
    try {
        auto answer = waiter->wait(options.on_progress);
        operation.end(answer);
        return answer;
    } catch (...) {
        cancel(id);  // on_progress threw, so the answer is not needed
        operation.end(Error{code::call_cancelled, "on_progress threw"});
        throw;
    }
}

/// A call that is answered by a callback. Lives until then.
class Client::Impl::AsyncCall : public std::enable_shared_from_this<AsyncCall> {
 public:
    explicit AsyncCall(std::weak_ptr<Impl> client) : client_(std::move(client)) {}

    // Set before the call starts.
    std::function<void(const Progress&)> on_progress;
    Reply<json::value> reply;
    std::optional<ClientOperation> operation;

    core::OutputSchemaPtr schema;  // of a tool call; set before the answer

    void listen(const std::stop_token& token, core::CallId id) {
        if (!token.stop_possible()) return;
        const auto cancel = [client = client_, id] {
            if (const auto self = client.lock()) self->cancel(id);
        };
        auto callback = std::make_unique<StopCallback>(token, cancel);  // may run at once
        const std::lock_guard lock(mutex_);
        if (!done_) callback_ = std::move(callback);
    }
    void report(const Progress& progress) {
        {
            const std::lock_guard lock(mutex_);
            if (done_) return;
        }
        on_progress(progress);
    }
    Reply<json::value> reply_of_engine() { return Reply<json::value>(std::make_unique<Answer>(shared_from_this())); }
    core::ProgressSink progress_of_engine() {
        return sink([client = client_, live = shared_from_this()](const Progress& p) {
            if (const auto self = client.lock())
                self->enqueue_if_room(sizeof(p) + p.message.size(), [live, p] { live->report(p); });
        });
    }
    /// Ends the call. Only the first call of this function has an effect.
    void finish(Result<json::value> answer) noexcept {
        std::unique_ptr<StopCallback> callback;
        {
            const std::lock_guard lock(mutex_);
            if (std::exchange(done_, true)) return;
            callback = std::move(callback_);
        }
        callback.reset();
        try {
            answer = core::checked(std::move(answer), schema);
            if (operation) operation->end(answer);
        } catch (...) {
            answer = core::current_error_or_short();
        }
        const auto log = [this](const char* what) {
            if (const auto self = client_.lock()) self->note(LogLevel::error, std::string("a callback threw: ") + what);
        };
        io::survives([&] { std::move(reply).send(std::move(answer)); }, log);
    }

 private:
    /// Takes the answer of the engine to the thread of callbacks. Without memory for that, the callback runs here.
    class Answer final : public Reply<json::value>::Sink {
     public:
        explicit Answer(std::shared_ptr<AsyncCall> live) : live_(std::move(live)) {}
        void answer(Result<json::value>&& result) override {
            live_->answer_ = std::move(result);
            const auto self = live_->client_.lock();
            if (!self) return live_->finish_with_answer();
            self->enqueue([live = live_] { live->finish_with_answer(); });
        }
        void lost() noexcept override { live_->finish_with_answer(); }

     private:
        const std::shared_ptr<AsyncCall> live_;
    };
    void finish_with_answer() noexcept { finish(std::move(answer_)); }

    using StopCallback = std::stop_callback<std::function<void()>>;
    const std::weak_ptr<Impl> client_;
    Result<json::value> answer_ = json::value();
    std::mutex mutex_;  // guards the members below
    bool done_ = false;
    std::unique_ptr<StopCallback> callback_;
};

// Answers exactly once, also when memory is short.
void Client::Impl::run(core::ClientCall call, CallOptions options, Reply<json::value> reply) noexcept {
    std::shared_ptr<AsyncCall> live;
    try {
        live = std::make_shared<AsyncCall>(weak_from_this());
        live->reply = std::move(reply);
        start(live, call, options);
    } catch (...) {
        Error why = core::current_error_or_short();
        if (live) return live->finish(std::move(why));
        io::survives([&] { std::move(reply).send(std::move(why)); }, [](const char*) {});
    }
}

void Client::Impl::start(const std::shared_ptr<AsyncCall>& live, core::ClientCall& call, CallOptions& options) {
    call.meta = std::move(options.meta);
    options.trace->write(call.meta);
    live->operation.emplace(observers_, ends_, call);
    if (auto why = must_not_start(*live->operation, options.stop))
        return enqueue([live, why = *std::move(why)] { live->finish(why); });
    call.timeout = options.timeout;
    call.fresh = options.fresh;
    call.task_ttl = options.task_ttl;
    call.schema = {live, &live->schema};
    if (options.on_progress) {
        live->on_progress = std::move(options.on_progress);
        call.progress = live->progress_of_engine();
    }
    call.reply = live->reply_of_engine();
    const core::CallId id = submit(std::move(call));
    live->listen(options.stop, id);
}

}  // namespace tenon
