#include "runtime/live_task.hpp"

#include "core/server/message_meta.hpp"
#include "protocol/write.hpp"

namespace tenon {

LiveTask::LiveTask(std::shared_ptr<Session::Impl> session, core::CallPtr call, std::string id)
    : session_(std::move(session)),
      call_(std::move(call)),
      id_(std::move(id)),
      on_stop_(call_->stop.get_token(), [session = session_, call = call_] {
          session->with_engine([&](core::ServerEngine& engine) { engine.task_over(call); });
      }) {}

bool LiveTask::runs() {
    bool yes = false;
    tasks().visit([&](core::TaskBoard& board, WallTime) { yes = board.runs(id_); });
    return yes;
}

void LiveTask::progress(double done, std::optional<double> total, std::string_view message) {
    tasks().visit([&](core::TaskBoard& board, WallTime now) { board.progress(id_, message, now); });
    if (!has_session() || !runs()) return;
    session_->notify(
        call_, [&](core::ServerEngine& engine) { engine.progress(call_, done, total, message, session_->now()); });
}

// The tasks extension has no log messages.
void LiveTask::log(LogLevel level, const json::value& data, std::string_view logger) {
    if (!has_session() || !runs()) return;
    session_->notify(call_,
                     [&](core::ServerEngine& engine) { engine.log(call_, level, data, logger, session_->now()); });
}

void LiveTask::ask(std::vector<core::Question> questions) {
    if (has_session() && runs()) return ask_by_session(std::move(questions));
    ask_by_task(std::move(questions));
}

void LiveTask::ask_by_session(std::vector<core::Question> questions) {
    const auto count = static_cast<int>(questions.size());
    tasks().visit([&](core::TaskBoard& board, WallTime now) { board.asked_elsewhere(id_, count, now); });
    for (core::Question& question : questions)
        question.reply = make_reply<json::value>(
            [session = session_, id = id_, reply = std::move(question.reply)](Result<json::value> answer) mutable {
                session->server().tasks().visit(
                    [&](core::TaskBoard& board, WallTime now) { board.asked_elsewhere(id, -1, now); });
                std::move(reply).send(std::move(answer));
            });
    session_->with_engine(
        [&](core::ServerEngine& engine) { engine.ask(call_, std::move(questions), session_->now()); });
}

void LiveTask::ask_by_task(std::vector<core::Question> questions) {
    std::vector<core::Question> allowed;
    for (core::Question& question : questions) {
        if (auto ok = core::client_can_answer(*call_->peer, question); !ok) {
            std::move(question.reply).send(ok.error());
        } else {
            if (question.span)
                question.params = protocol::with_meta(question.params, core::question_meta(*call_, "", question));
            allowed.push_back(std::move(question));
        }
    }
    if (allowed.empty()) return;
    tasks().visit([&](core::TaskBoard& board, WallTime now) { board.ask(id_, std::move(allowed), now); });
}

void LiveTask::answered(Result<core::HandlerResult>&& outcome) {
    tasks().visit([&](core::TaskBoard& board, WallTime now) { board.finish(id_, std::move(outcome), now); });
}

}  // namespace tenon
