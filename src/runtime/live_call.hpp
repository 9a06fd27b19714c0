// A running call: the implementation of Context.
#pragma once

#include <atomic>
#include <mutex>

#include "runtime/live_task.hpp"
#include "runtime/port.hpp"
#include "runtime/rehearsal.hpp"
#include "runtime/session_impl.hpp"

namespace tenon {

class LiveCall final : public Context::Port {
 public:
    LiveCall(std::shared_ptr<Session::Impl> session, core::CallPtr call);

    void progress(double done, std::optional<double> total, std::string_view message) override;
    void log(LogLevel level, const json::value& data, std::string_view logger) override;
    void ask(std::vector<PortQuestion> questions) override;
    void elicitation_complete(std::string_view elicitation_id) override;
    std::optional<json::value> recall(std::string_view key) override;
    void remember(std::string_view key, json::value v) override;
    std::stop_token stop_token() const override { return call_->stop.get_token(); }
    const json::object& meta() const override;
    const TraceContext& trace() const override;
    const Implementation& client() const override { return call_->peer->info; }
    std::string request_id() const override { return call_->id.text(); }
    const Caller& caller() const override { return *call_->access.caller; }
    void let_poll(std::chrono::milliseconds retry) override;
    bool must_not_wait() const override;
    bool become_task() override;
    std::string task_id() const override;
    bool has_extension(std::string_view name) const override { return call_->peer->capabilities.has_extension(name); }
    Abilities abilities() const override;
    void threw(std::string_view type, std::string_view what) noexcept override;

    /// Turns the call into a task, and answers its request with that.
    Result<void> begin_task();
    /// The same, for a task in a store: answers when the store has it.
    static void begin_shared_task(const std::shared_ptr<LiveCall>& live, Reply<void> reply);
    bool is_task() const { return is_task_.load(std::memory_order_acquire); }
    const core::CallPtr& call() const { return call_; }
    /// Returns the task that the call has become; null: it is not a task.
    std::shared_ptr<LiveTask> task() const;
    Session::Impl& session() const { return *session_; }
    /// Returns null unless the handler is replayed though its revision does not need it.
    Rehearsal* rehearsal() const { return rehearsal_.get(); }
    /// Logs that a later run of the handler differs.
    void warn(const std::string& difference) const;

 private:
    Result<TaskRecord> create_task();
    static Result<void> adopt(Session::Impl& session, const core::CallPtr& call, const TaskRecord& task);
    void now_is(const std::string& task);
    void become_shared_task();
    bool repeats(std::string step, std::string_view text);
    void rehearse(std::vector<core::Question> questions);
    void send_progress(double done, std::optional<double> total, std::string_view message);
    void send_log(LogLevel level, const json::value& data, std::string_view logger);
    core::Question translate(PortQuestion question) const;
    void observe(core::Question& question) const;

    std::shared_ptr<Session::Impl> session_;
    core::CallPtr call_;
    const std::shared_ptr<Rehearsal> rehearsal_;  // questions in flight share it
    std::atomic<bool> is_task_{false};
    mutable std::mutex mutex_;  // guards the members below
    std::shared_ptr<LiveTask> task_;
    mutable std::optional<json::object> meta_;  // on the heap, not in the memory of the message: users may copy it
    mutable std::optional<TraceContext> trace_;
};

}  // namespace tenon
