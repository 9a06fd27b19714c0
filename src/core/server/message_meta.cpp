#include "core/server/message_meta.hpp"

#include <tenon/trace_context.hpp>

#include "protocol/write_task.hpp"

namespace tenon::core {

json::object message_meta(const Call& call, std::string_view task) {
    json::object out;
    if (!task.empty()) out.emplace(protocol::related_task_key, protocol::related_task(task));
    trace_of(call).write(out);
    return out;
}

json::object question_meta(const Call& call, std::string_view task, const Question& question) {
    json::object out = message_meta(call, task);
    if (question.span) question.span->trace.write(out);
    return out;
}

TraceContext trace_of(const Call& call, std::string* parent) {
    const json::object& meta = call.meta();
    TraceContext peer = meta.empty() ? TraceContext() : TraceContext::read(meta);
    if (peer.traceparent.empty() && !call.carried->traceparent.empty()) peer = *call.carried;
    if (parent) *parent = peer.span_id();
    return observe::below(std::move(peer), call.span);
}

}  // namespace tenon::core
