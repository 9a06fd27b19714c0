// The actions of handlers that run as tasks: they ask questions, report progress, and finish.
#include <algorithm>

#include "core/tasks/task_board.hpp"
#include "protocol/write_task.hpp"

namespace tenon::core {

using protocol::Trait;

namespace {

json::object request_of(const Question& question) {
    json::object request{{"method", question.method}};
    if (question.params.json.empty()) return request;
    if (auto params = json::parse(question.params.json)) request.emplace("params", *std::move(params));
    return request;
}

}  // namespace

void TaskBoard::ask(std::string_view id, std::vector<Question> questions, WallTime now) {
    const auto task = running_.find(id);
    auto record = task == running_.end() ? std::nullopt : table_.get(id);
    for (Question& question : questions) {
        if (!record) {
            actions_.push_back(Deliver{std::move(question.reply),
                                       Error{code::server_error, "the task has ended, so the client cannot be asked"}});
            continue;
        }
        Running& running = task->second;
        if (running.inputs.size() >= limits_.max_pending_questions) {
            actions_.push_back(
                Deliver{std::move(question.reply), Error{code::server_error,
                                                         "too many questions to the client at once: the limit is " +
                                                             std::to_string(limits_.max_pending_questions),
                                                         LimitName::max_pending_questions}});
            continue;
        }
        const std::string key = fresh_key(running, std::move(question.key));
        record->input_requests.emplace(key, request_of(question));
        const WallTime deadline = later(now, std::chrono::duration_cast<std::chrono::milliseconds>(limits_.ask_time));
        next_ = std::min(next_, deadline);
        if (question.span) question.span->sent = true;
        running.inputs.emplace(key, Input{std::move(question.reply), deadline});
    }
    if (record) settle_status(task->second, *std::move(record), now);
}

std::string TaskBoard::fresh_key(Running& task, std::string wanted) const {
    ++task.asked;
    std::string key = wanted.empty() ? "input-" + std::to_string(task.asked) : wanted;
    for (std::uint64_t n = 2; !task.keys.insert(key).second; ++n)
        key = (wanted.empty() ? "input-" + std::to_string(task.asked) : wanted) + "-" + std::to_string(n);
    return key;
}

void TaskBoard::give_up(Running& task, std::string_view key) {
    const auto input = task.inputs.find(key);
    actions_.push_back(
        Deliver{std::move(input->second.reply), Error{code::request_timeout, "the client did not answer in time"}});
    task.inputs.erase(input);
}

void TaskBoard::asked_elsewhere(std::string_view id, int more, WallTime now) {
    const auto task = running_.find(id);
    auto record = task == running_.end() ? std::nullopt : table_.get(id);
    if (!record) return;
    task->second.elsewhere += more;
    settle_status(task->second, *std::move(record), now);
}

// Sets the status from the open questions, and stores the record with its other changes.
void TaskBoard::settle_status(const Running& task, TaskRecord record, WallTime now) {
    const bool asks = !task.inputs.empty() || task.elsewhere > 0;
    record.status = asks ? TaskStatus::input_required : TaskStatus::working;
    record.updated = now;
    keep(record);
}

// Stores the message for clients that poll. Listeners are not notified: there may be very many messages.
void TaskBoard::progress(std::string_view id, std::string_view message, WallTime now) {
    auto record = runs(id) && !message.empty() ? table_.get(id) : std::nullopt;
    if (!record) return;
    record->status_message = message;
    record->updated = now;
    table_.put(*record);
    if (shared_) actions_.push_back(TaskChanged{*std::move(record), true});
}

void TaskBoard::finish(std::string_view id, Result<HandlerResult> outcome, WallTime now) {
    const auto task = running_.find(id);
    if (task == running_.end()) return;  // cancelled or expired
    auto record = table_.get(id);
    const protocol::Rules rules = task->second.rules;
    record->status_message.clear();
    if (outcome) {
        if (!rules.has(Trait::tasks_extension))
            outcome->own_meta()[protocol::related_task_key] = protocol::related_task(id);
        record->result =
            protocol::complete_result(std::move(outcome->result), outcome->type, outcome->meta(), server_, rules).json;
        if (record->result.size() > limits_.max_message_bytes)
            outcome = Error{code::internal_error,
                            "Internal error: the result has " + std::to_string(record->result.size()) +
                                " bytes, and the limit is " + std::to_string(limits_.max_message_bytes),
                            LimitName::max_message_bytes};
        else if (auto ok = charges_.add_result(id, record->result.size()); !ok)
            outcome = ok.error();
    }
    const LimitName limit = outcome ? LimitName::none : outcome.error().limit;
    OperationEnd how = outcome ? OperationEnd::ok : OperationEnd::protocol_error;
    if (outcome && outcome->says_error) how = OperationEnd::tool_error;
    if (outcome) {
        const bool failed = outcome->says_error && rules.has(Trait::task_requests);
        record->status = failed ? TaskStatus::failed : TaskStatus::completed;
        if (failed) record->status_message = "the tool's result is an error";
    } else {
        record->status = TaskStatus::failed;
        record->result.clear();
        record->error = outcome.error();
        record->error->code = rules.error_code(record->error->code);
        record->status_message = record->error->message;
    }
    end(task, *std::move(record), now, {code::server_error, "the task is over"}, {how, limit});
}

}  // namespace tenon::core
