// What all sessions of one server share, besides its features.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <tenon/limits.hpp>
#include <tenon/log.hpp>
#include <tenon/options.hpp>
#include <tenon/protocol/common.hpp>

#include "base/siphash.hpp"
#include "core/server/features.hpp"
#include "core/tasks/task_board.hpp"

namespace tenon::core {

struct Settings {
    protocol::Spellings info;  // the server's Implementation
    std::string instructions = {};
    Limits limits = {};
    base::SipKey cursor_key = {};
    bool logging = true;
    LogLevel log_level = LogLevel::info;  // until the client sets one
    bool neutralise_control_characters = false;
    std::function<void(std::string&)> redact = {};  // sees every text a tool returns
    std::function<void()> on_roots_changed = {};
    CacheHints cache = {};
    // The seal of request states: opaque to clients, bound to `binding`, and good for a while only.
    std::function<std::string(std::string_view state, std::string_view binding)> seal = {};
    std::function<Result<std::string>(std::string_view sealed, std::string_view binding)> unseal = {};
    json::object extensions = {};
    /// The tasks of the server, behind their lock. Not from the engine itself: what it changes is told to all engines.
    std::function<void(const std::function<void(TaskBoard&, WallTime now)>&)> tasks = {};
    /// Only a look.
    std::function<std::optional<TaskRecord>(std::string_view id, const Reach& reach)> find_task = {};
    std::function<std::shared_ptr<const Features>()> features = {};  // the snapshot of this moment
};

}  // namespace tenon::core
