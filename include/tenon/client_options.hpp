// Options of a client and of its calls: plain structs with defaults.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/limits.hpp>
#include <tenon/log.hpp>
#include <tenon/protocol/common.hpp>
#include <tenon/protocol/elicitation.hpp>
#include <tenon/protocol/roots.hpp>
#include <tenon/protocol/sampling.hpp>

namespace tenon {

/// How client and server speak: with a handshake and a session (2025-11-25 and before), or by requests that stand
/// alone.
enum class Era {
    automatic,  ///< asks the server: `server/discover` first, and `initialize` when it does not know that
    legacy,     ///< `initialize` at once
    modern,     ///< 2026-07-28, or no connection
};

/// Every queue, buffer and wait of a client. When a limit is hit, the error names it.
struct ClientLimits {
    std::size_t max_message_bytes = 16 * 1024 * 1024;         ///< of one message, in or out
    std::size_t max_depth = 128;                              ///< JSON arrays and objects inside each other
    std::size_t max_members = 10'000;                         ///< members of one JSON object
    std::size_t max_nodes = 1'000'000;                        ///< values and keys of one message; most have under 100
    std::size_t max_id_bytes = 1024;                          ///< of the id of a request, and of a progress token
    std::size_t max_uri_bytes = 8 * 1024;                     ///< of a URI or URL in a message
    std::size_t max_batch = 1000;                             ///< messages in one batch (2025-03-26 and before)
    std::size_t max_pending_calls = 4096;                     ///< calls that wait for their answer
    std::size_t max_server_requests = 64;                     ///< questions of the server that handlers answer at once
    std::size_t max_server_request_bytes = 64 * 1024 * 1024;  ///< memory for those questions; more are refused
    std::size_t max_input_rounds = 16;                        ///< times that one call is sent again with input
    std::size_t max_input_requests = 64;                      ///< questions in one answer that asks for input
    std::size_t max_pages = 1000;                             ///< of one list
    std::size_t max_list_entries = 100'000;                   ///< of one list, in all of its pages
    std::size_t max_list_bytes = 64 * 1024 * 1024;            ///< memory for one list, in all of its pages
    std::size_t max_tools = 10'000;                           ///< whose output schema is remembered
    std::size_t max_tool_bytes = 64 * 1024 * 1024;   ///< memory for those schemas; results of more tools are not
                                                     ///< checked, which is logged
    std::size_t max_subscriptions = 1000;            ///< of 2026-07-28, open at once
    std::size_t max_cache_entries = 256;             ///< answers kept as long as the server allows
    std::size_t max_cache_bytes = 16 * 1024 * 1024;  ///< memory for those answers; the oldest go first
    std::size_t max_queued_output_bytes = 64 * 1024 * 1024;  ///< calls fail while more than this is not sent
    std::size_t max_queued_events = 10'000;                  ///< notifications that wait for their handler; more are
                                                             ///< dropped, which is logged
    std::size_t max_queued_event_bytes = 64 * 1024 * 1024;   ///< memory for those notifications; more are dropped
    std::size_t max_queued_reports = 1000;    ///< progress of one blocking call that waits to be reported;
                                              ///< the oldest is dropped
    std::size_t max_error_text_bytes = 1024;  ///< of a string from outside that is quoted in an error or a log
    std::size_t max_violations = 8;           ///< schema violations that one error lists
    std::size_t max_workers = 8;              ///< threads that answer the server's questions; made when needed

    Duration connect_time = std::chrono::seconds(60);      ///< for the server to introduce itself
    Duration probe_time = std::chrono::seconds(5);         ///< to answer `server/discover`; then it gets `initialize`
    Duration request_time = std::chrono::seconds(60);      ///< for an answer, counted anew with each progress report
    Duration max_request_time = std::chrono::minutes(30);  ///< for an answer, whatever is reported
    Duration list_time = std::chrono::minutes(10);         ///< to wait for one list, in all of its pages
    Duration max_cache_time = std::chrono::hours(24);      ///< that an answer is kept, whatever the server allows
    Duration close_time = std::chrono::seconds(5);         ///< for the end, when close() is given no other
};

/// How far a call is.
struct Progress {
    double progress = 0;
    std::optional<double> total = {};
    std::string message = {};
};

struct CallOptions {
    std::optional<Duration> timeout = {};  ///< ClientLimits::request_time when empty
    std::stop_token stop = {};             ///< cancels the call
    /// Asks the server for reports. Of a blocking call: runs on the calling thread, before the call returns. Of an
    /// async one: where its callback runs, and before it.
    std::function<void(const Progress&)> on_progress = {};
    json::object meta = {};  ///< goes into `_meta` of the request
    bool fresh = false;      ///< do not answer from the cache
};

/// A log message of the server.
struct LogMessage {
    LogLevel level = LogLevel::info;
    std::string logger = {};
    json::value data = nullptr;
};

/// Answers of handlers may take as long as they like; the token is requested when nobody waits for the answer any more.
/// A handler that throws answers with an error. Each may run several times at once, on threads of its own.
struct ClientOptions {
    Implementation info = {"tenon", "0.1.0"};  ///< who the client is
    Era era = Era::automatic;
    std::string revision = {};  ///< the one to ask for with a handshake, for tests; the newest when empty
    ClientLimits limits = {};
    bool validate_results = true;  ///< refuse a tool's result that breaks the output schema its server listed
    json::object extensions = {};  ///< protocol extensions that this client supports: their settings, by name

    // What the server may ask. Setting a handler is what declares the capability.
    std::function<ElicitResult(const ElicitRequest&, std::stop_token)> on_elicit = {};
    std::function<ElicitResult(const ElicitUrlRequest&, std::stop_token)> on_elicit_url = {};
    std::function<SampleResult(const SampleRequest&, std::stop_token)> on_sample = {};
    bool sample_tools = false;  ///< on_sample understands requests with tools
    std::function<std::vector<Root>(std::stop_token)> on_roots = {};

    // What the server tells. One after the other, in order, on a thread that async callbacks share.
    std::function<void()> on_tools_changed = {};
    std::function<void()> on_resources_changed = {};
    std::function<void()> on_prompts_changed = {};
    std::function<void(const std::string& uri)> on_resource_updated = {};
    std::function<void(const LogMessage&)> on_log = {};
    std::function<void(const std::string& elicitation_id)> on_elicitation_complete = {};
    /// Every notification but progress, those above included.
    std::function<void(const std::string& method, const json::object& params)> on_notification = {};

    LogSink log = {};  ///< Tenon's own log; must be quick, and must not call the client
};

}  // namespace tenon
