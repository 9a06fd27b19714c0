// Tasks of a client: starting them, and the functions of ClientTask.
#include <tenon/client.hpp>

#include "protocol/read_server.hpp"
#include "protocol/read_task.hpp"
#include "runtime/client_async.hpp"

namespace tenon {

namespace detail {

/// Makes handles, and opens them.
class ClientTaskAccess {
 public:
    static ClientTask make(std::shared_ptr<Client::Impl> client, std::string id, std::string tool,
                           std::optional<json::value> ended) {
        ClientTask out;
        out.client_ = std::move(client);
        out.id_ = std::move(id);
        out.tool_ = std::move(tool);
        out.ended_ = std::move(ended);
        return out;
    }
    static Client::Impl& impl(const ClientTask& task) { return *static_cast<Client::Impl*>(task.client_.get()); }
    static const std::string& tool(const ClientTask& task) { return task.tool_; }
};

}  // namespace detail

namespace {

using Access = detail::ClientTaskAccess;

template <class T>
T value_or_throw(Result<T> result) {
    if (!result) throw Exception(result.error());
    return *std::move(result);
}

bool is_created(const json::value& result) {
    const json::object* o = result.if_object();
    const json::value* type = o ? o->if_contains("resultType") : nullptr;
    return o && (o->contains("task") || (type && *type == json::value("task")));
}

// Returns the state of a call that did not become a task.
TaskInfo ended_state(const json::value& result) {
    TaskInfo out;
    out.status = TaskStatus::completed;
    out.result = result;
    return out;
}

core::ClientCall task_request(std::string method, const std::string& id, json::object params = {}) {
    core::ClientCall call;
    call.method = std::move(method);
    call.params = std::move(params);
    call.params.insert_or_assign("taskId", id);
    return call;
}

core::ClientCall follow_call(const ClientTask& task) {
    core::ClientCall call = task_request("tasks/get", task.id());
    call.kind = core::ClientCall::Kind::follow;
    call.tool = Access::tool(task);
    return call;
}

}  // namespace

ClientTask Client::start_tool(std::string name, json::object arguments, const CallOptions& options) {
    core::ClientCall call;
    call.method = "tools/call";
    call.params = {{"name", name}, {"arguments", std::move(arguments)}};
    call.tasks = core::ClientCall::Tasks::start;
    json::value result = value_or_throw(impl_->wait(std::move(call), options));
    if (!is_created(result)) return Access::make(impl_, {}, std::move(name), std::move(result));
    TaskInfo started = value_or_throw(protocol::read_task(result));
    return Access::make(impl_, std::move(started.id), std::move(name), std::nullopt);
}

ClientTask Client::task(std::string id) { return Access::make(impl_, std::move(id), {}, std::nullopt); }

TaskInfo ClientTask::poll(const CallOptions& options) const {
    if (ended_) return ended_state(*ended_);
    return value_or_throw(
        protocol::read_task(value_or_throw(Access::impl(*this).wait(task_request("tasks/get", id_), options))));
}

// A task that failed or was cancelled ends with an error, too. Its state says which it was.
TaskInfo ClientTask::wait(const CallOptions& options) const {
    if (ended_) return ended_state(*ended_);
    const auto outcome = Access::impl(*this).wait(follow_call(*this), options);
    if (!outcome && options.stop.stop_requested()) throw Exception(outcome.error());
    TaskInfo state;
    try {
        state = poll(options);
    } catch (const Exception&) {
        if (!outcome) throw Exception(outcome.error());
        throw;
    }
    if (!outcome && !is_terminal(state.status)) throw Exception(outcome.error());
    return state;
}

ToolResult ClientTask::result(const CallOptions& options) const {
    if (ended_) return value_or_throw(protocol::read_tool_result(*ended_));
    return value_or_throw(
        protocol::read_tool_result(value_or_throw(Access::impl(*this).wait(follow_call(*this), options))));
}

void ClientTask::async_result(Reply<ToolResult> reply, CallOptions options) const {
    Client::Impl& impl = Access::impl(*this);
    if (!ended_)
        return send_async(
            impl, [this] { return follow_call(*this); }, std::move(options), protocol::read_tool_result,
            std::move(reply));
    try {
        const auto shared = std::make_shared<Reply<ToolResult>>();
        std::function<void()> answer = [shared, ended = *ended_] {
            std::move(*shared).send(protocol::read_tool_result(ended));
        };
        *shared = std::move(reply);
        impl.enqueue(std::move(answer));
    } catch (...) {
        fail_with_current_error(reply);
    }
}

void ClientTask::cancel(const CallOptions& options) const {
    if (!ended_) value_or_throw(Access::impl(*this).wait(task_request("tasks/cancel", id_), options));
}

void ClientTask::provide_input(json::object responses, const CallOptions& options) const {
    if (ended_) throw Exception({code::invalid_params, "the call has ended, so it needs no input"});
    value_or_throw(Access::impl(*this).wait(
        task_request("tasks/update", id_, {{"inputResponses", std::move(responses)}}), options));
}

}  // namespace tenon
