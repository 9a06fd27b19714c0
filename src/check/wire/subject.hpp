// The server under test, and what all conversations with it share.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include <tenon/check.hpp>

#include "check/wire/transcript.hpp"
#include "check/wire/web_wire.hpp"

namespace tenon::check {

struct Subject {
    /// Throws tenon::Exception when the target cannot be used.
    explicit Subject(const Options& o)
        : options(o), end(later(Clock::now(), o.time)), transcript(o.max_evidence_bytes) {
        if (!o.target.url.empty()) web = std::make_unique<WebWire>(o.target, transcript);
    }

    bool http() const { return web != nullptr; }
    /// Returns the deadline for a response to a request sent now.
    TimePoint patience() const { return std::min(end, later(Clock::now(), options.answer_time)); }
    /// Returns whether the time is over or a stop was requested.
    bool over() const { return Clock::now() >= end || options.stop.stop_requested(); }

    std::size_t next_conversation() { return ++conversations; }

    const Options& options;
    const TimePoint end;
    Transcript transcript;
    std::size_t conversations = 0;  ///< so far
    std::unique_ptr<WebWire> web;   ///< null: the server is a command
};

}  // namespace tenon::check
