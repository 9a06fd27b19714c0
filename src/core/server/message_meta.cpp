#include "core/server/message_meta.hpp"

#include <tenon/trace_context.hpp>

#include "protocol/write_task.hpp"

namespace tenon::core {

json::object message_meta(const Call& call, std::string_view task) {
    json::object out;
    if (!task.empty()) out.emplace(protocol::related_task_key, protocol::related_task(task));
    const json::object& meta = call.meta();
    if (!meta.empty()) TraceContext::read(meta).write(out);
    return out;
}

}  // namespace tenon::core
