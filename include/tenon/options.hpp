// Options: plain structs with defaults. Fill in what differs: `{.title = "Weather", .limits = {.max_workers = 8}}`.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tenon/limits.hpp>
#include <tenon/log.hpp>
#include <tenon/middleware.hpp>
#include <tenon/protocol/completion.hpp>
#include <tenon/protocol/tools.hpp>
#include <tenon/tasks.hpp>

namespace tenon {

/// Where a handler runs.
enum class Placement {
    worker,   ///< on a thread of the worker pool: it may block, and delays nobody
    inline_,  ///< on the thread that read the message: fastest, but it must be quick and must not wait
};

struct ServerOptions {
    std::string title = {};        ///< a name for people
    std::string description = {};  ///< what the server is for
    std::string websiteUrl = {};
    std::vector<Icon> icons = {};
    std::string instructions = {};  ///< how to use the server, for the model
    Limits limits = {};
    bool logging = true;                            ///< whether clients may receive ctx.log messages
    LogLevel log_level = LogLevel::info;            ///< of those messages, until the client sets a level
    bool neutralise_control_characters = false;     ///< show terminal escapes in tool results instead of sending them
    std::function<void(std::string&)> redact = {};  ///< may change every text that a tool returns; from any thread
    std::function<void()> on_roots_changed = {};    ///< the client's roots changed; from any thread
    CacheHints cache = {};
    RateLimits rate_limits = {};  ///< of tool calls; none by default
    LogSink log = {};             ///< Tenon's own log; serve() writes warnings to stderr when empty
    /// Keys of the sealed state of calls that wait for the client's input (2026-07-28): the first seals, all open. One
    /// that only this process has when empty; machines that serve one endpoint together must share it.
    std::vector<std::array<std::uint8_t, 32>> state_keys = {};
    std::optional<std::array<std::uint8_t, 16>> cursor_key =
        {};  ///< shared by machines that serve one list; random when empty
    /// Protocol extensions that this server supports: their settings, by name. Tasks are declared by themselves.
    json::object extensions = {};
    std::shared_ptr<TaskStore> task_store = {};  ///< memory_task_store() when empty
    std::function<WallTime()> wall_clock = [] { return std::chrono::system_clock::now(); };  ///< when tasks began
};

struct ToolOptions {
    std::string title = {};
    ToolAnnotations annotations = {};
    std::vector<Icon> icons = {};
    json::object meta = {};
    Placement placement = Placement::worker;
    std::optional<Duration> time_limit = {};    ///< Limits::handler_time when empty; of a task, until it expires
    TaskSupport task = TaskSupport::forbidden;  ///< whether calls may be tasks: the same handler serves both
    TaskStart task_start = TaskStart::at_once;
};

struct ResourceOptions {
    std::string title = {};
    std::string description = {};
    std::string mimeType = {};  ///< text/plain for text and application/octet-stream for bytes when empty
    std::optional<std::uint64_t> size = {};
    Annotations annotations = {};
    std::vector<Icon> icons = {};
    json::object meta = {};
    Placement placement = Placement::worker;
    std::map<std::string, CompletionHandler, std::less<>> complete = {};  ///< of template variables, by name
    /// Gives the handler of a template every value, also "/etc/passwd" for {name} and "../x" for {?path}.
    /// WARNING: a client chooses these values. With `true`, never use one as a file name, a path, or a part of either:
    /// a client could then read any file of this process. Leave it `false` unless the values are something else, such
    /// as database keys that contain "/". See Server::resource_template().
    bool raw_variables = false;
};

struct PromptOptions {
    std::string title = {};
    std::vector<Icon> icons = {};
    json::object meta = {};
    Placement placement = Placement::worker;
};

}  // namespace tenon
