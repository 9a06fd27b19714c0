// ClientTask: a tool call that continues after its response. The server keeps its state, and the client polls it.
//
//     tenon::ClientTask task = client.start_tool("render", {{"scene", "sea"}});
//     save(task.id());                                 // another process can use client.task(id)
//     tenon::ToolResult result = task.result();        // waits, and answers the task's questions
//
// Client::call_tool() does all of this by itself. Use ClientTask to do something else meanwhile, or to continue after a
// restart. Works with the experimental tasks of 2025-11-25 and with the tasks extension of 2026-07-28.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <tenon/client_options.hpp>
#include <tenon/protocol/tasks.hpp>
#include <tenon/protocol/tools.hpp>
#include <tenon/reply.hpp>

#pragma GCC visibility push(default)

namespace tenon {

class Client;
namespace detail {
class ClientTaskAccess;
}

/// A handle of one task. Cheap to copy. Thread-safe, like the Client that made it. It keeps the client's connection
/// alive, but does not prevent Client::close(): after that, its functions throw code::connection_closed.
///
/// The functions block and throw tenon::Exception, as those of Client do. CallOptions::stop stops only the wait; the
/// task continues. Use cancel() to end it.
class ClientTask {
 public:
    /// Returns the id of the task. Empty: the call ended at once, and did not become a task.
    const std::string& id() const { return id_; }

    /// Asks the server for the state of the task.
    TaskInfo poll(const CallOptions& options = {}) const;
    /// Waits until the task has ended, and returns its last state. Polls as often as the server wishes, within
    /// ClientLimits::min_task_poll_time and request_time. The handlers of ClientOptions answer the task's questions.
    /// CallOptions::timeout limits the wait for each response. CallOptions::on_progress gets the progress of the task.
    TaskInfo wait(const CallOptions& options = {}) const;
    /// Waits like wait(), and returns the result. Throws the task's error when it failed, and code::call_cancelled when
    /// it was cancelled.
    ToolResult result(const CallOptions& options = {}) const;
    /// Like result(), but returns at once and answers the Reply later.
    void async_result(Reply<ToolResult> reply, CallOptions options = {}) const;
    /// Asks the server to cancel the task. The server may finish the task nevertheless.
    void cancel(const CallOptions& options = {}) const;
    /// Answers questions of TaskInfo::input_requests, by their keys. Only for hosts that answer by themselves: wait()
    /// and result() answer with the handlers of ClientOptions. Throws code::method_not_found in 2025-11-25, where
    /// questions come as requests.
    void provide_input(json::object responses, const CallOptions& options = {}) const;

 private:
    friend class detail::ClientTaskAccess;
    ClientTask() = default;

    std::shared_ptr<void> client_;  // a Client::Impl
    std::string id_, tool_;
    std::optional<json::value> ended_;  // the result of a call that did not become a task
};

}  // namespace tenon

#pragma GCC visibility pop
