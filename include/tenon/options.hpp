// Options of a server: plain structs with defaults. Set only the members that you need:
// `{.title = "Weather", .limits = {.max_workers = 8}}`.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenon/fwd.hpp>
#include <tenon/limits.hpp>
#include <tenon/log.hpp>
#include <tenon/operation.hpp>
#include <tenon/protocol/completion.hpp>
#include <tenon/protocol/resources.hpp>
#include <tenon/protocol/tools.hpp>
#include <tenon/rate_limits.hpp>
#include <tenon/state_seal.hpp>
#include <tenon/tasks.hpp>
#include <tenon/wire_tap.hpp>

#pragma GCC visibility push(default)

namespace tenon {

class Metrics;  // metrics.hpp

/// Where a handler runs.
enum class Placement {
    /// On a thread of the worker pool, or on the thread that read the message while another thread is ready to read on
    /// in its place. The handler may block.
    worker,
    inline_,  ///< on the thread that read the message: fastest, but the handler must be quick and must not block
};

/// Returns a page of resources for the caller in `ctx`. See ResourceOptions::list.
using ResourceLister = std::function<ResourcePage(Context& ctx, const std::string& cursor)>;

/// Options of a Server.
struct ServerOptions {
    std::string title = {};        ///< display name of the server
    std::string description = {};  ///< purpose of the server, for people
    std::string websiteUrl = {};
    std::vector<Icon> icons = {};
    std::string instructions = {};  ///< how to use the server, for the model
    Limits limits = {};
    /// Whether `format` in the input schemas of tools and methods is checked, for example "email" and "uri".
    bool check_formats = true;
    /// Whether Tenon's log warns about a handler that does something else when it is replayed: it asks another question
    /// or uses another key of Context::once(). This is a sign of a side effect outside of once(). The warning names the
    /// tool, the question, and the difference. See "Replay" in Context.
    bool check_replay = true;
    /// Replays handlers that ask for older clients, too, as 2026-07-28 does, and also compares their progress and log
    /// messages. So a test with any client shows whether side effects are in once(). The client sees no difference. For
    /// debug builds and tests; default: off, because a side effect outside of once() then happens several times.
    bool replay_every_call = false;
    bool logging = true;                  ///< whether clients can receive the messages of ctx.log; deprecated.hpp
    LogLevel log_level = LogLevel::info;  ///< lowest level that is sent, until the client sets a level
    /// Replaces control characters by visible symbols in everything that handlers send, so that they cannot act on a
    /// terminal: results, errors, log messages, progress and questions. Tab, newline and CR LF stay. Errors are always
    /// cleaned. Turn it off only if clients need such characters.
    bool neutralise_control_characters = true;
    /// May change every text that a handler sends, for example to remove secrets: results of tools, resources, prompts,
    /// completions and methods, also names and links in them, errors, log messages and progress. Runs on any thread,
    /// several times at once. If it throws, "[the redaction failed]" is sent instead of the text.
    std::function<void(std::string&)> redact = {};
    std::function<void()> on_roots_changed = {};  ///< called when the client's roots changed; runs on any thread
    CacheHints cache = {};  ///< for lists, and for resources without their own hints; default: no caching
    /// For calls of single tools and methods of extensions, in addition to Limits::max_calls_per_second. Default: none.
    RateLimits rate_limits = {};
    /// Collects the metrics of this server: see metrics.hpp. Empty: none, unless HttpOptions::metrics or `--metrics`
    /// asks for them.
    std::shared_ptr<Metrics> metrics = {};
    WireTap tap = {};  ///< sees every message: see wire_tap.hpp. Empty: only TENON_TRACE in the environment counts
    LogSink log = {};  ///< for Tenon's own log; empty: serve() writes notices, warnings and errors to stderr
    /// Each gets one Operation for every request that the server receives, also for refused ones: for metrics, traces
    /// and other records. With an observer or an audit, each request gets a span of its own: see Context::trace().
    std::vector<OperationObserver> observers = {};
    /// Writes a record of every request: see audit.hpp. Default: none.
    std::shared_ptr<AuditLog> audit = {};
    /// Protects the state of calls that wait for the client's input (2026-07-28). Empty: over HTTP, the client keeps
    /// it, encrypted with a random key of this process; over other transports, it stays in this process (see
    /// Limits::max_request_states). Machines that serve one endpoint together must share keys: see encrypt_states().
    std::shared_ptr<const StateSeal> state_seal = {};
    /// Key that seals list cursors. Empty: random. Machines that serve one endpoint together must share it.
    std::optional<std::array<std::uint8_t, 16>> cursor_key = {};
    /// Protocol extensions of this server: their settings, by name, for example {{"com.example/search",
    /// json::object()}}. A name needs a prefix like a domain name, and a slash; otherwise Server() throws. Add the
    /// methods of each with Server::method(). Serving an extension without methods throws, because clients would call
    /// methods that are missing. Tenon declares tasks itself.
    json::object extensions = {};
    /// Protocol extensions that have no methods of their own: their settings, by name. For extensions that only
    /// exchange settings, or only add members to existing messages.
    json::object extensions_without_methods = {};
    std::function<WallTime()> wall_clock = {};  ///< for tasks and request states; empty: the clock of the system
};

/// Options of one tool.
struct ToolOptions {
    std::string title = {};
    ToolAnnotations annotations = {};
    std::vector<Icon> icons = {};
    json::object meta = {};
    Placement placement = Placement::worker;  ///< where the handler runs
    /// Time limit of one call. Empty: Limits::handler_time; a task then runs until it expires.
    std::optional<Duration> time_limit = {};
    TaskSupport task = TaskSupport::forbidden;  ///< whether a call may be a task; the handler is the same for both
    TaskStart task_start = TaskStart::at_once;  ///< when a call of 2026-07-28 becomes a task
    /// Whether a call may be run again on another node when its node dies (HttpOptions::store). The handler may then
    /// run twice, even at the same time, so it must be idempotent; the client gets one answer. Each call costs a write
    /// to the store before its handler starts. Default: false; the client of such a call gets an error. Without a store
    /// this option has no effect. Only calls in sessions (until 2025-11-25) are run again: others have no stream that
    /// can be resumed. Tasks and calls in batches are not run again.
    bool restartable = false;
};

/// Options of one resource or resource template.
struct ResourceOptions {
    std::string title = {};
    std::string description = {};
    std::string mimeType = {};  ///< empty: text/plain, application/octet-stream or application/json, by the result type
    std::optional<std::uint64_t> size = {};
    Annotations annotations = {};
    std::vector<Icon> icons = {};
    json::object meta = {};
    Placement placement = Placement::worker;
    std::map<std::string, CompletionHandler, std::less<>> complete = {};  ///< for template variables, by their name
    /// For a template: lists its resources for the caller, page by page. Called with an empty cursor for the first
    /// page, and then with ResourcePage::next. In `resources/list` they come after the registered resources. Entries
    /// that the caller may not read are left out: see authorise(). Runs like the handler. Empty: they are not listed.
    ResourceLister list = {};
    /// Gives the handler of a template every value unchecked, also "/etc/passwd" for {name} and "../x" for {?path}.
    /// WARNING: a client chooses these values. With `true`, never use one as a file name, a path, or a part of either:
    /// a client could then read any file of this process. Leave it `false` unless the values are something else, such
    /// as database keys that contain "/". See Server::resource_template().
    bool raw_variables = false;
};

/// Options of one prompt.
struct PromptOptions {
    std::string title = {};
    std::vector<Icon> icons = {};
    json::object meta = {};
    Placement placement = Placement::worker;
    /// Completions by the name of the argument. They can use the Context and the other arguments. They replace
    /// arg().complete().
    std::map<std::string, CompletionHandler, std::less<>> complete = {};
};

/// Options of one method of an extension.
struct MethodOptions {
    /// The extension that the method belongs to. Empty: the extension with which the name of the method begins, or else
    /// the only extension of the same vendor.
    std::string extension = {};
    Placement placement = Placement::worker;
    std::optional<Duration> time_limit = {};  ///< of one call; empty: Limits::handler_time
};

}  // namespace tenon

#pragma GCC visibility pop
