// Every transition of a task's status, with a clock that the test sets.
#include "core/tasks/task_board.hpp"

#include <gtest/gtest.h>

#include <tenon/json.hpp>

#include "protocol/write_task.hpp"

namespace tenon::core {
namespace {

const protocol::Spellings server(Implementation{"s", "1"});

using namespace std::chrono_literals;

class Board : public testing::Test {
 protected:
    TaskRecord create(const std::string& id, std::optional<Duration> time_limit = {}, std::string session = {}) {
        return board_
            .create({id, {"me", 1min, time_limit}, protocol::Rules(protocol::modern_revision()), stop_, session}, now_)
            .value();
    }
    TaskStatus status(const std::string& id) { return board_.find(id, me_, now_).value().status; }
    Question question(std::string key, std::optional<Result<json::value>>* slot) {
        return {std::move(key), "roots/list", {}, make_reply<json::value>([slot](Result<json::value> r) {
                    if (slot) *slot = std::move(r);
                })};
    }
    void ask(const std::string& id, const std::string& key, std::optional<Result<json::value>>* slot = nullptr) {
        std::vector<Question> questions;
        questions.push_back(question(key, slot));
        board_.ask(id, std::move(questions), now_);
        perform();
    }
    void perform() {
        for (TaskAction& action : board_.take_actions()) {
            if (auto* stop = std::get_if<StopTask>(&action)) stop->stop.request_stop();
            if (auto* deliver = std::get_if<Deliver>(&action)) std::move(deliver->reply).send(deliver->answer);
            if (auto* waiting = std::get_if<AnswerWaiting>(&action)) std::move(waiting->reply).send(waiting->answer);
            if (auto* changed = std::get_if<TaskChanged>(&action)) told_.push_back(changed->task.status);
        }
    }
    static HandlerResult done() { return HandlerResult{Encoded{R"({"content":[]})"}}; }

    static Limits limits() {
        Limits l;
        l.max_tasks = 3;
        l.max_pending_questions = 2;
        l.ask_time = 10s;
        l.max_message_bytes = 1000;
        return l;
    }

    TaskBoard board_{limits(), server};
    WallTime now_ = WallTime(1000s);
    const Reach me_{"me", "me"};
    std::stop_source stop_;
    std::vector<TaskStatus> told_;
};

TEST_F(Board, a_task_goes_from_working_to_input_required_and_completed) {
    create("a");
    EXPECT_EQ(status("a"), TaskStatus::working);
    ask("a", "k");
    EXPECT_EQ(status("a"), TaskStatus::input_required);
    ASSERT_TRUE(board_.update("a", me_, {{"k", json::object()}}, now_));
    EXPECT_EQ(status("a"), TaskStatus::working);
    board_.finish("a", done(), now_);
    EXPECT_EQ(status("a"), TaskStatus::completed);
    perform();
    EXPECT_EQ(told_, (std::vector{TaskStatus::input_required, TaskStatus::working, TaskStatus::completed}));
}

TEST_F(Board, a_finished_task_never_changes) {
    for (const char* id : {"completed", "failed", "cancelled"}) create(id);
    board_.finish("completed", done(), now_);
    board_.finish("failed", Error{code::internal_error, "x"}, now_);
    ASSERT_TRUE(board_.cancel("cancelled", me_, now_));
    perform();
    told_.clear();
    for (const char* id : {"completed", "failed", "cancelled"}) {
        const TaskStatus before = status(id);
        EXPECT_TRUE(is_terminal(before));
        board_.finish(id, done(), now_);
        board_.finish(id, Error{}, now_);
        board_.progress(id, "more", now_);
        board_.asked_elsewhere(id, 1, now_);
        std::optional<Result<json::value>> answer;
        ask(id, "k", &answer);
        ASSERT_TRUE(answer && !*answer);
        EXPECT_EQ(answer->error().message, "the task has ended, so the client cannot be asked");
        EXPECT_TRUE(board_.cancel(id, me_, now_));
        EXPECT_TRUE(board_.update(id, me_, {{"k", json::object()}}, now_));
        EXPECT_EQ(status(id), before);
        EXPECT_EQ(to_string(before), id);
    }
    EXPECT_TRUE(told_.empty());
}

TEST_F(Board, finishing_a_task_fails_its_open_questions) {
    for (const char* id : {"completed", "failed", "cancelled"}) create(id);
    std::optional<Result<json::value>> answers[3];
    ask("completed", "k", &answers[0]);
    ask("failed", "k", &answers[1]);
    ask("cancelled", "k", &answers[2]);
    board_.finish("completed", done(), now_);
    board_.finish("failed", Error{code::internal_error, "x"}, now_);
    ASSERT_TRUE(board_.cancel("cancelled", me_, now_));
    perform();
    for (const auto& answer : answers) EXPECT_TRUE(answer && !*answer);  // no question may wait forever
    for (const char* id : {"completed", "failed", "cancelled"})
        EXPECT_TRUE(board_.find(id, me_, now_)->input_requests.empty());
}

TEST_F(Board, questions_are_limited_in_time_and_number) {
    create("a");
    std::optional<Result<json::value>> first, third;
    ask("a", "k", &first);
    ask("a", "l");
    ask("a", "m", &third);
    ASSERT_TRUE(third);
    EXPECT_EQ(third->error().message, "too many questions to the client at once: the limit is 2");
    EXPECT_EQ(board_.next_deadline(), now_ + 10s);
    board_.sweep(now_ += 10s);
    perform();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->error().message, "the client did not answer in time");
    EXPECT_EQ(status("a"), TaskStatus::working);
}

TEST_F(Board, a_task_over_its_time_limit_fails) {
    create("a", 5s);
    std::optional<Result<HandlerResult>> outcome;
    board_.wait("a", me_, make_reply<HandlerResult>([&](Result<HandlerResult> r) { outcome = std::move(r); }), now_);
    EXPECT_EQ(board_.next_deadline(), now_ + 5s);
    now_ += 5s;
    EXPECT_EQ(status("a"), TaskStatus::failed);
    perform();
    EXPECT_TRUE(stop_.stop_requested());
    ASSERT_TRUE(outcome && !*outcome);
    EXPECT_EQ(outcome->error().message, "Internal error: the task did not finish in time");
}

TEST_F(Board, expiry_stops_the_handler_and_fails_open_questions_and_waits) {
    create("a");
    std::optional<Result<json::value>> answer;
    ask("a", "k", &answer);
    std::optional<Result<HandlerResult>> outcome;
    board_.wait("a", me_, make_reply<HandlerResult>([&](Result<HandlerResult> r) { outcome = std::move(r); }), now_);
    now_ += 1min;
    EXPECT_FALSE(board_.find("a", me_, now_));
    perform();
    EXPECT_TRUE(stop_.stop_requested());
    EXPECT_TRUE(answer && !*answer);
    EXPECT_TRUE(outcome && !*outcome);
    EXPECT_EQ(board_.next_deadline(), WallTime::max());
}

TEST_F(Board, finished_tasks_count_against_max_tasks) {
    for (const char* id : {"a", "b", "c"}) create(id);
    board_.finish("a", done(), now_);
    const NewTask more{"d", {"me", 1min, {}}, protocol::Rules(protocol::modern_revision()), stop_, ""};
    EXPECT_FALSE(board_.create(more, now_));
    EXPECT_TRUE(board_.create(more, now_ + 1min));
}

TEST_F(Board, a_result_over_max_message_bytes_fails_the_task) {
    create("a");
    board_.finish("a", HandlerResult{Encoded{R"({"x":")" + std::string(2000, 'x') + R"("})"}}, now_);
    EXPECT_EQ(status("a"), TaskStatus::failed);
    EXPECT_TRUE(board_.find("a", me_, now_)->result.empty());
}

TEST_F(Board, unlimited_times_do_not_overflow) {
    Limits endless = limits();
    endless.ask_time = Duration::max();
    TaskBoard board(endless, server);
    const TaskTerms terms{"me", std::chrono::milliseconds::max(), Duration::max()};
    const auto task = board.create({"a", terms, protocol::Rules(protocol::modern_revision()), stop_, ""}, now_);
    EXPECT_EQ(task->expiry(), WallTime::max());
    std::vector<Question> questions;
    questions.push_back(question("k", nullptr));
    board.ask("a", std::move(questions), now_);
    board.sweep(now_ + std::chrono::hours(24 * 365 * 100));
    EXPECT_EQ(board.find("a", me_, now_)->status, TaskStatus::input_required);
    EXPECT_NE(protocol::encode_created_task(*task, 1s, protocol::Rules(protocol::modern_revision()))
                  .json.find(R"("ttlMs":null)"),
              std::string::npos);
}

TEST_F(Board, ending_a_session_cancels_its_tasks) {
    create("a", {}, "one");
    create("b", {}, "two");
    board_.end_session("one", now_);
    EXPECT_EQ(status("a"), TaskStatus::cancelled);
    EXPECT_EQ(status("b"), TaskStatus::working);
    board_.end_all(now_);
    EXPECT_EQ(status("b"), TaskStatus::cancelled);
}

class SharedBoard : public Board {
 protected:
    SharedBoard() { board_.share(true); }
    /// Returns the records that the board wants to have written since the last call.
    std::vector<TaskRecord> written() {
        std::vector<TaskRecord> out;
        for (TaskAction& action : board_.take_actions()) {
            if (auto* stop = std::get_if<StopTask>(&action)) stop->stop.request_stop();
            if (auto* deliver = std::get_if<Deliver>(&action)) std::move(deliver->reply).send(deliver->answer);
            if (auto* changed = std::get_if<TaskChanged>(&action)) out.push_back(std::move(changed->task));
            if (auto* gone = std::get_if<TaskGone>(&action)) gone_.push_back(std::move(gone->id));
        }
        return out;
    }
    std::vector<std::string> gone_;
};

TEST_F(SharedBoard, every_change_is_an_action_also_a_message_of_progress) {
    create("a");
    board_.progress("a", "half", now_);
    const auto progress = written();
    ASSERT_EQ(progress.size(), 1U);
    EXPECT_EQ(progress[0].status_message, "half");
    board_.finish("a", done(), now_);
    const auto end = written();
    ASSERT_EQ(end.size(), 1U);
    EXPECT_EQ(end[0].status, TaskStatus::completed);
    EXPECT_FALSE(end[0].result.empty());
}

TEST_F(SharedBoard, the_result_is_freed_when_the_store_has_it) {
    create("a");
    board_.stored("a");
    EXPECT_EQ(status("a"), TaskStatus::working) << "a task that runs is not touched";
    board_.finish("a", done(), now_);
    EXPECT_FALSE(board_.find("a", me_, now_)->result.empty());
    board_.stored("a");
    EXPECT_TRUE(board_.find("a", me_, now_)->result.empty());
}

TEST_F(SharedBoard, an_answer_from_another_node_reaches_the_question_once) {
    create("a");
    std::optional<Result<json::value>> answer;
    ask("a", "k", &answer);
    board_.answer_input("a", "other", json::object(), now_);
    EXPECT_TRUE(written().empty());
    board_.answer_input("a", "k", json::object{{"x", 1}}, now_);
    const auto changes = written();
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].status, TaskStatus::working);
    EXPECT_TRUE(changes[0].input_requests.empty());
    ASSERT_TRUE(answer && *answer);
    board_.answer_input("a", "k", json::object(), now_);
    board_.answer_input("unknown", "k", json::object(), now_);
    EXPECT_TRUE(written().empty());
}

TEST_F(SharedBoard, a_task_that_another_node_took_is_stopped_and_not_written) {
    create("a");
    std::optional<Result<json::value>> answer;
    ask("a", "k", &answer);
    board_.lose("a", OperationEnd::cancelled, "gone", now_);
    EXPECT_TRUE(written().empty());
    EXPECT_TRUE(stop_.stop_requested());
    EXPECT_TRUE(answer && !*answer);
    EXPECT_FALSE(board_.runs("a"));
    board_.finish("a", done(), now_);
    EXPECT_TRUE(written().empty());
}

TEST_F(SharedBoard, a_task_that_expires_is_given_up) {
    create("a");
    board_.sweep(now_ + 1min);
    EXPECT_TRUE(written().empty()) << "the store removes it";
    EXPECT_EQ(gone_, std::vector<std::string>{"a"});
    EXPECT_TRUE(stop_.stop_requested());
}

TEST_F(SharedBoard, the_store_counts_the_tasks_of_all_nodes) {
    for (int i = 0; i < 10; ++i) create(std::to_string(i));  // max_tasks is 3
}

}  // namespace
}  // namespace tenon::core
