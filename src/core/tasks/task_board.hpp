// The tasks of one server, as a state machine without I/O, clock, thread or randomness. Sessions come and go; what runs
// as a task is here.
//
//     working  <->  input_required        both end in completed, failed or cancelled, and stay there until they expire
//
// One file a side: task_board.cpp (what clients want of tasks), task_work.cpp (what the handlers do).
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
#include "protocol/spellings.hpp"

namespace tenon::core {

/// Whose tasks a request may see.
struct Reach {
    std::string owner;
    std::string also;  // a second owner, or the same again

    bool covers(const TaskRecord& task) const { return task.owner == owner || task.owner == also; }
};

/// A handler that becomes a task.
struct NewTask {
    std::string id;
    TaskTerms terms;
    protocol::Rules rules;
    std::stop_source stop;
    std::string session;  // whose end is its end; empty: it goes on
};

struct StopTask {
    std::stop_source stop;
};
struct AnswerWaiting {
    Reply<HandlerResult> reply;
    Result<HandlerResult> answer;
};
struct TaskChanged {
    TaskRecord task;
};
using TaskAction = std::variant<StopTask, AnswerWaiting, TaskChanged, Deliver, Note>;

/// Not thread-safe. Every function may add actions; take them with take_actions() after each.
class TaskBoard {
 public:
    TaskBoard(std::shared_ptr<TaskStore> store, Limits limits, protocol::Spellings server)
        : store_(std::move(store)), limits_(limits), server_(std::move(server)) {
        look_ahead();
    }

    Result<TaskRecord> create(NewTask task, WallTime now);
    /// One that nobody heard of.
    void forget(const std::string& id) {
        expire(id);
        look_ahead();
    }

    // From clients.
    Result<TaskRecord> find(std::string_view id, const Reach& reach, WallTime now);
    Result<void> update(std::string_view id, const Reach& reach, const json::object& responses, WallTime now);
    /// The task as it is after that: as it was, when it had come to its end before.
    Result<TaskRecord> cancel(std::string_view id, const Reach& reach, WallTime now);
    /// Answers with what the call came to, as soon as it has.
    void wait(std::string_view id, const Reach& reach, Reply<HandlerResult> reply, WallTime now);
    std::vector<TaskRecord> list(std::string_view owner, std::uint64_t after, std::size_t max, WallTime now);

    /// Answers a request once the lock is off.
    void answer(Reply<HandlerResult> reply, Result<HandlerResult> with) {
        actions_.push_back(AnswerWaiting{std::move(reply), std::move(with)});
    }

    // From handlers. All of them do nothing for a task that is over, but for questions, which fail.
    bool runs(std::string_view id) const { return running_.contains(id); }
    void ask(std::string_view id, std::vector<Question> questions, WallTime now);
    /// Questions that travel another way began (or ended, when negative).
    void asked_elsewhere(std::string_view id, int more, WallTime now);
    void progress(std::string_view id, std::string_view message, WallTime now);
    void finish(std::string_view id, Result<HandlerResult> outcome, WallTime now);

    /// Cancels what this session started.
    void end_session(std::string_view session, WallTime now);
    void end_all(WallTime now);

    /// Forgets what has expired, and ends what took too long.
    void sweep(WallTime now);
    /// When sweep() has something to do; the end of time when never.
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
        std::map<std::string, Input, std::less<>> inputs = {};
        int elsewhere = 0;                // questions that travel another way
        std::uint64_t asked = 0;          // for keys that nobody named
        std::set<std::string> keys = {};  // all of its life: a key never stands for two questions
        std::vector<Reply<HandlerResult>> waiting = {};
    };
    using RunningMap = std::map<std::string, Running, std::less<>>;

    std::string fresh_key(Running& task, std::string wanted) const;
    void give_up(Running& task, std::string_view key);
    void settle_status(const Running& task, TaskRecord record, WallTime now);
    void end(RunningMap::iterator task, TaskRecord record, WallTime now, const Error& why);
    void end_early(RunningMap::iterator task, TaskStatus status, std::string why, WallTime now);
    void expire(const std::string& id);
    void look_ahead();
    void keep(const TaskRecord& record);
    Result<void> may_create(const TaskTerms& terms);

    std::shared_ptr<TaskStore> store_;
    Limits limits_;
    protocol::Spellings server_;
    RunningMap running_;
    TaskCharges charges_;
    WallTime next_ = WallTime::max();
    std::uint64_t last_order_ = 0;
    std::vector<TaskAction> actions_;
};

}  // namespace tenon::core
