// The server under test, and what all conversations with it share.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <tenon/check.hpp>

#include "check/wire/process_wire.hpp"
#include "check/wire/transcript.hpp"
#include "check/wire/web_wire.hpp"

namespace tenon::check {

struct Subject {
    /// Throws tenon::Exception when the target cannot be used.
    explicit Subject(const Options& o)
        : options(o), end(later(Clock::now(), o.time)), transcript(o.max_evidence_bytes) {
        if (!o.target.url.empty()) web = std::make_unique<WebWire>(o.target, transcript);
    }

    bool stdio() const { return web == nullptr; }
    /// Returns whether the server uses Streamable HTTP.
    bool http() const { return web != nullptr && !sse; }
    /// Returns the deadline for a response to a request sent now.
    TimePoint patience() const { return std::min(end, later(Clock::now(), options.answer_time)); }
    /// Returns whether the time is over, a stop was requested, or the server sends messages without end.
    bool over() const { return Clock::now() >= end || options.stop.stop_requested() || flooded; }

    std::size_t next_conversation() { return ++conversations; }

    /// Over stdio one copy of the server runs at a time, because a server may own a port or a file. Ends the running
    /// copy as the specification says.
    void end_running_copy() {
        if (!running) return;
        if (!running->stop(farewell_time)) farewell_time = short_farewell;
        running = nullptr;
    }
    void note_start(bool answered, std::string why) {
        failed_starts = answered ? 0 : failed_starts + 1;
        if (!answered) failed_start = std::move(why);
    }
    /// Remembers how long the response to a harmless request took.
    void note_answer(Duration took) { slowest_answer = std::max(slowest_answer, took); }
    /// Returns how long to wait for a response that is overdue. A slow server gets more time.
    Duration overdue_time() const { return std::max<Duration>(shortest_overdue, 3 * slowest_answer); }
    /// Returns how long to wait for a response that may never come.
    Duration prompt_time() const { return std::max<Duration>(shortest_prompt, 20 * slowest_answer); }
    /// Notes that the server, or a proxy before it, refuses requests because there were too many (HTTP 429).
    void note_limit() { limited = was_limited = true; }
    /// Returns whether the server no longer answers when it is started.
    bool cannot_start() const { return failed_starts >= max_failed_starts; }

    static constexpr std::size_t max_failed_starts = 3;  ///< in a row
    /// On one connection: notifications, requests and further responses. A server may log a few lines for each request.
    static constexpr std::size_t max_unasked = 100'000, max_unasked_bytes = 64 * 1024 * 1024;
    /// How long a server may take to exit at the end of its input, and again after SIGTERM. Shorter after it was once
    /// too slow.
    static constexpr Duration long_farewell = std::chrono::seconds(2), short_farewell = std::chrono::milliseconds(200);

    static constexpr Duration shortest_overdue = std::chrono::milliseconds(300),
                              shortest_prompt = std::chrono::seconds(2);

    const Options& options;
    const TimePoint end;
    Transcript transcript;
    std::size_t conversations = 0;   ///< so far
    ProcessWire* running = nullptr;  ///< the copy of the server that runs now; belongs to a Conversation
    Duration farewell_time = long_farewell;
    Duration slowest_answer = {};
    std::size_t failed_starts = 0;             ///< starts in a row that did not answer
    std::string failed_start = {};             ///< why a start did not answer; cleared before each check
    bool flooded = false;                      ///< a connection had too many messages that no request asked for
    bool limited = false;                      ///< HTTP 429 came; cleared before each check
    bool was_limited = false;                  ///< HTTP 429 came once
    std::set<std::string> slow_handlers = {};  ///< tools, resources and prompts that a property does not use any more
    std::map<std::string, json::object, std::less<>> initialize_answers = {};  ///< by the requested version
    bool sse = false;              ///< the server uses HTTP+SSE, the transport of 2024-11-05
    std::unique_ptr<WebWire> web;  ///< null: the server is a command
};

}  // namespace tenon::check
