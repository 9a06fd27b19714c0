// Settings that all sessions of one server share.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <tenon/limits.hpp>
#include <tenon/log.hpp>
#include <tenon/options.hpp>
#include <tenon/protocol/common.hpp>

#include "base/cursor.hpp"
#include "core/memory.hpp"
#include "core/server/access.hpp"
#include "core/server/features.hpp"
#include "core/tasks/task_desk.hpp"
#include "observe/span_ids.hpp"

namespace tenon::core {

struct Settings {
    protocol::Spellings info;  // the Implementation of the server, in JSON
    std::string instructions = {};
    Limits limits = {};
    base::CursorSeal cursors = base::CursorSeal();
    bool logging = true;
    LogLevel log_level = LogLevel::info;  // until the client sets one
    bool neutralise_control_characters = true;
    std::function<void(std::string&)> redact = {};  // may edit every text that a handler sends; see Redaction
    std::function<void()> on_roots_changed = {};
    CacheHints cache = {};
    bool check_replay = true;
    bool replay_every_call = false;
    // Protect request states. A sealed state is opaque to clients, is valid only with the same `binding`, and expires.
    // The account pays for a state that stays in this process.
    std::function<Result<std::string>(std::string state, std::string_view binding, const MemoryAccountPtr&)> seal = {};
    std::function<Result<std::string>(std::string_view sealed, std::string_view binding)> unseal = {};
    json::object extensions = {};
    /// The tasks of the server; null: it has none. Must not be called by the engine itself, except look_up(), since
    /// changes are sent to all engines: call it from a Job. Outlives all sessions.
    TaskDesk* tasks = nullptr;
    std::function<std::shared_ptr<const Features>()> features = {};  // returns the current snapshot
    /// Returns whether there is middleware, or an access rule.
    std::function<bool()> intercepts = {};
    /// Returns the access rules; null: there are none. Only called when intercepts() is true.
    std::function<std::shared_ptr<const AccessRules>()> access_rules = {};
    /// Counts a call of a principal, over all its sessions. Returns zero, or the time until a call is allowed.
    std::function<Duration(const std::string& principal, bool continued, TimePoint now)> count_call = {};
    /// Returns random ids for an operation. Empty: operations are not observed.
    std::function<observe::SpanIds()> new_span = {};
    /// Returns the error of all requests while the audit cannot be written; nullopt: requests are served. Empty:
    /// always.
    std::function<std::optional<Error>()> closed = {};
};

}  // namespace tenon::core
