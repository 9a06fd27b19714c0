// A handler that runs as a task. Its messages and questions reach the client in another way than those of a call.
#pragma once

#include <functional>
#include <stop_token>

#include "runtime/session_impl.hpp"

namespace tenon {

class LiveTask {
 public:
    LiveTask(std::shared_ptr<Session::Impl> session, core::CallPtr call, std::string id);

    const std::string& id() const { return id_; }
    void progress(double done, std::optional<double> total, std::string_view message);
    void log(LogLevel level, const json::value& data, std::string_view logger);
    void ask(std::vector<core::Question> questions);
    void answered(Result<core::HandlerResult>&& outcome);

 private:
    /// Returns whether messages and questions go through the session. Otherwise the client polls the task for them.
    bool has_session() const { return call_->peer->rules.is_legacy(); }
    bool runs();
    void ask_by_session(std::vector<core::Question> questions);
    void ask_by_task(std::vector<core::Question> questions);
    Tasks& tasks() const { return session_->server().tasks(); }

    std::shared_ptr<Session::Impl> session_;
    core::CallPtr call_;
    const std::string id_;
    std::stop_callback<std::function<void()>> on_stop_;
};

}  // namespace tenon
