// The two ways to get an answer: waiting for it, or a callback.
#include <deque>

#include "io/last_resort.hpp"
#include "runtime/client_impl.hpp"
#include "runtime/client_operation.hpp"

namespace tenon {
namespace {

// The object that a blocking call waits on. Shared with the reply, which may come from any thread.
class Waiter {
 public:
    explicit Waiter(const ClientLimits& limits) : limits_(limits) {}

    void finish(Result<json::value> answer) {
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

core::CallId Client::Impl::submit(core::ClientCall call) {
    core::CallId id = 0;
    with_engine([&](core::ClientEngine& engine) { id = engine.call(std::move(call), Clock::now()); });
    return id;
}

// Does not throw, because stop callbacks call it.
void Client::Impl::cancel(core::CallId id) {
    io::survives(
        [&] { with_engine([&](core::ClientEngine& engine) { engine.cancel(id, "cancelled by the caller"); }); },
        [&](const char* what) { note(LogLevel::error, std::string("cannot cancel a call: ") + what); });
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
    AsyncCall(std::function<void(const Progress&)> on_progress, ClientOperation operation, Reply<json::value> reply)
        : on_progress_(std::move(on_progress)), operation_(std::move(operation)), reply_(std::move(reply)) {}

    void listen(const std::stop_token& token, std::function<void()> cancel) {
        if (!token.stop_possible()) return;
        auto callback = std::make_unique<StopCallback>(token, std::move(cancel));  // may run at once
        const std::lock_guard lock(mutex_);
        if (!done_) callback_ = std::move(callback);
    }
    void report(const Progress& progress) {
        {
            const std::lock_guard lock(mutex_);
            if (done_) return;
        }
        on_progress_(progress);
    }
    void finish(Result<json::value> answer) {
        std::unique_ptr<StopCallback> callback;
        {
            const std::lock_guard lock(mutex_);
            done_ = true;
            callback = std::move(callback_);
        }
        callback.reset();
        auto checked = core::checked(std::move(answer), schema);
        operation_.end(checked);
        std::move(reply_).send(std::move(checked));
    }

    core::OutputSchemaPtr schema;  // of a tool call; set before finish()

 private:
    using StopCallback = std::stop_callback<std::function<void()>>;
    const std::function<void(const Progress&)> on_progress_;
    const ClientOperation operation_;
    Reply<json::value> reply_;
    std::mutex mutex_;  // guards the members below
    bool done_ = false;
    std::unique_ptr<StopCallback> callback_;
};

void Client::Impl::run(core::ClientCall call, CallOptions options, Reply<json::value> reply) {
    call.meta = std::move(options.meta);
    options.trace->write(call.meta);
    ClientOperation operation(observers_, ends_, call);
    if (const auto why = must_not_start(operation, options.stop)) {
        const auto unsent = std::make_shared<Reply<json::value>>(std::move(reply));
        return enqueue([unsent, operation, why] {
            operation.end(*why);
            std::move(*unsent).send(*why);
        });
    }
    const bool reports = static_cast<bool>(options.on_progress);
    const auto live =
        std::make_shared<AsyncCall>(std::move(options.on_progress), std::move(operation), std::move(reply));
    call.timeout = options.timeout;
    call.fresh = options.fresh;
    call.task_ttl = options.task_ttl;
    const std::weak_ptr<Impl> weak = weak_from_this();
    call.schema = {live, &live->schema};
    call.reply = make_reply<json::value>([weak, live](Result<json::value> answer) {
        const auto shared = std::make_shared<Result<json::value>>(std::move(answer));
        if (const auto self = weak.lock()) return self->enqueue([live, shared] { live->finish(std::move(*shared)); });
        live->finish(std::move(*shared));
    });
    if (reports)
        call.progress = sink([weak, live](const Progress& p) {
            if (const auto self = weak.lock())
                self->enqueue_if_room(sizeof(p) + p.message.size(), [live, p] { live->report(p); });
        });
    const core::CallId id = submit(std::move(call));
    live->listen(options.stop, [weak, id] {
        if (const auto self = weak.lock()) self->cancel(id);
    });
}

}  // namespace tenon
