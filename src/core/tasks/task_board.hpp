// The tasks of one server: a state machine without I/O, clock, threads or randomness. Tasks outlive sessions.
//
//     working  <->  input_required        both end in completed, failed or cancelled, and stay there until they expire
//
// task_board.cpp has the requests of clients, task_work.cpp the actions of handlers, task_expiry.cpp the deadlines.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include <tenon/tasks.hpp>

#include "core/server/action.hpp"
#include "core/server/question.hpp"
#include "core/tasks/task_charges.hpp"
#include "core/tasks/task_desk.hpp"
#include "core/tasks/task_table.hpp"
#include "protocol/spellings.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::core {

/// The parameters of a new task.
struct NewTask {
    std::string id;
    TaskTerms terms;
    protocol::Rules rules;
    std::stop_source stop;
    std::string session;              // the task is cancelled when this session ends; empty: it continues
    CallPtr call = {};                // that became the task, for observers; null: they are not told of its end
    std::string_view transport = {};  // of the call; a constant
};

/// Tells observers and the log that the work of a task has ended.
struct TaskEnded {
    std::string id;
    CallPtr call;
    std::string_view transport;
    WallTime began, ended;
    OperationEnd end = OperationEnd::ok;
    int error = 0;
    std::string reason = {};
    LimitName limit = LimitName::none;
};

struct StopTask {
    std::stop_source stop;
};
struct AnswerWaiting {
    Reply<HandlerResult> reply;
    Result<HandlerResult> answer;
};
/// Tells clients of a change and, for a shared task, writes it to the store.
struct TaskChanged {
    TaskRecord task;
    bool quiet = false;  // only writes it: there may be very many such changes
};
/// A shared task is no longer run here, and its record must not be written any more.
struct TaskGone {
    std::string id;
};
using TaskAction = std::variant<StopTask, AnswerWaiting, TaskChanged, TaskGone, TaskEnded, Deliver, Note>;

// What requests about tasks get. A store gives the same answers as the board.
Error unknown_task(std::string_view id, const Limits& limits);
Error too_many_tasks(const Limits& limits);
Error too_many_tasks_of_owner(const Limits& limits);
Error too_many_waiting();
/// Returns what the call that became the task would have been answered. The task is over.
Result<HandlerResult> outcome_of(const TaskRecord& task);
/// Returns an error if an answer to an open question of the task has the wrong type.
Result<void> check_inputs(const TaskRecord& task, const json::object& responses, const Limits& limits);

/// The number of requests that may wait for one task. Cancelled requests count, too, until the task ends.
inline constexpr std::size_t max_waiting_for_task = 256;

/// Keeps the tasks of one server. Not thread-safe. Every function may add actions: call take_actions() after each call.
class TaskBoard {
 public:
    TaskBoard(Limits limits, protocol::Spellings server) : limits_(limits), server_(std::move(server)) {}

    /// Sets whether a store has the tasks. Then clients ask the store, the store counts tasks, and the board only runs
    /// the tasks of this node: every change is an action. It keeps a record without its result until the task expires,
    /// to count the tasks of anonymous callers.
    void share(bool shared) { shared_ = shared; }

    Result<TaskRecord> create(NewTask task, WallTime now);
    /// Removes a task that no client has been told about.
    void forget(const std::string& id) {
        if (const auto task = running_.find(id); task != running_.end()) task->second.call.reset();
        expire(id, {});
        look_ahead();
    }

    // For clients.
    Result<TaskRecord> find(std::string_view id, const Reach& reach, WallTime now);
    Result<void> update(std::string_view id, const Reach& reach, const json::object& responses, WallTime now);
    /// Cancels a task and returns its new state. A task that is over does not change.
    Result<TaskRecord> cancel(std::string_view id, const Reach& reach, WallTime now);
    /// Answers with the outcome of the task once it is over.
    void wait(std::string_view id, const Reach& reach, Reply<HandlerResult> reply, WallTime now);
    std::vector<TaskRecord> list(std::string_view owner, std::uint64_t after, std::size_t max, WallTime now);

    /// Answers a request. This is an action, so the answer is sent outside the lock.
    void answer(Reply<HandlerResult> reply, Result<HandlerResult> with) {
        actions_.push_back(AnswerWaiting{std::move(reply), std::move(with)});
    }

    // For handlers. These do nothing for a task that is over, except ask(): its questions fail.
    bool runs(std::string_view id) const { return running_.contains(id); }
    void ask(std::string_view id, std::vector<Question> questions, WallTime now);
    /// Counts open questions that go through the session, not the board. `more` is negative when they end.
    void asked_elsewhere(std::string_view id, int more, WallTime now);
    void progress(std::string_view id, std::string_view message, WallTime now);
    void finish(std::string_view id, Result<HandlerResult> outcome, WallTime now);

    // For tasks in a store.
    /// Answers a question of a task, if it is still open.
    void answer_input(std::string_view id, const std::string& key, json::value answer, WallTime now);
    /// Ends a task that another node took over, or that the store has removed: stops its handler. Changes no record.
    void lose(std::string_view id, OperationEnd end, const std::string& why, WallTime now);
    /// Frees the result of a task that is over, because the store has it.
    void stored(std::string_view id);

    /// Cancels the tasks of this session.
    void end_session(std::string_view session, WallTime now);
    void end_all(WallTime now);

    /// Removes expired tasks, and ends tasks and questions that took too long.
    void sweep(WallTime now);
    /// Returns when sweep() is needed next; WallTime::max() when it is not needed.
    WallTime next_deadline() const { return next_; }
    std::vector<TaskAction> take_actions() { return std::exchange(actions_, {}); }

 private:
    struct Input {
        Reply<json::value> reply;
        WallTime deadline;
    };
    struct Running {
        protocol::Rules rules;
        std::stop_source stop;
        std::string session;
        std::optional<WallTime> deadline;
        CallPtr call = {};
        std::string_view transport = {};
        WallTime created = {};
        std::map<std::string, Input, std::less<>> inputs = {};
        int elsewhere = 0;                // open questions that go through the session
        std::uint64_t asked = 0;          // numbers the keys of questions without a key
        std::set<std::string> keys = {};  // all keys so far: a key never names two questions
        std::vector<Reply<HandlerResult>> waiting = {};
    };
    using RunningMap = std::map<std::string, Running, std::less<>>;

    std::string fresh_key(Running& task, std::string wanted) const;
    void give_up(Running& task, std::string_view key);
    bool deliver(Running& task, TaskRecord& record, const std::string& key, const json::value& answer);
    void drop(RunningMap::iterator task, const Error& why);
    void settle_status(const Running& task, TaskRecord record, WallTime now);
    /// How the work of a task ended, for observers.
    struct Outcome {
        OperationEnd end = OperationEnd::ok;
        LimitName limit = LimitName::none;
    };
    void end(RunningMap::iterator task, TaskRecord record, WallTime now, const Error& why, Outcome outcome);
    void end_early(RunningMap::iterator task, Outcome outcome, std::string why, WallTime now);
    void tell_ended(const std::string& id, const Running& task, WallTime now, Outcome outcome, int error,
                    std::string reason);
    void expire(const std::string& id, WallTime now);
    void look_ahead();
    void keep(const TaskRecord& record);
    Result<void> may_create(const TaskTerms& terms);

    TaskTable table_;
    Limits limits_;
    protocol::Spellings server_;
    RunningMap running_;
    TaskCharges charges_;
    bool shared_ = false;
    WallTime next_ = WallTime::max();
    std::uint64_t last_order_ = 0;
    std::vector<TaskAction> actions_;
};

}  // namespace tenon::core

#pragma GCC visibility pop
