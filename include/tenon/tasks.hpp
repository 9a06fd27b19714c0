// Tasks: tool calls that continue after their response. The client polls their state by an id.
// Covers the extension io.modelcontextprotocol/tasks (2026-07-28) and the experimental tasks of 2025-11-25.
#pragma once

#include <cstdint>

#include <tenon/protocol/tasks.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// When a call of 2026-07-28 becomes a task, if the client has the extension.
enum class TaskStart : std::uint8_t {
    at_once,     ///< before its handler runs
    by_handler,  ///< when the handler calls Context::become_task(); before that it may ask questions
};

}  // namespace tenon

#pragma GCC visibility pop
