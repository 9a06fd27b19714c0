// Who is checked, and what all conversations with it share.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include <tenon/check.hpp>

#include "check/transcript.hpp"
#include "check/web_wire.hpp"

namespace tenon::check {

struct Subject {
    /// Throws tenon::Exception when the target cannot be used.
    explicit Subject(const Options& o)
        : options(o), end(later(Clock::now(), o.time)), transcript(o.max_evidence_bytes) {
        if (!o.target.url.empty()) web = std::make_unique<WebWire>(o.target, transcript);
    }

    bool http() const { return web != nullptr; }
    /// When an answer that was asked for now is too late.
    TimePoint patience() const { return std::min(end, later(Clock::now(), options.answer_time)); }
    /// The time is over, or somebody wants it to end: what is not known by now stays so.
    bool over() const { return Clock::now() >= end || options.stop.stop_requested(); }

    std::size_t next_conversation() { return ++conversations; }

    const Options& options;
    const TimePoint end;
    Transcript transcript;
    std::size_t conversations = 0;  ///< so far
    std::unique_ptr<WebWire> web;   ///< none: the server is a command
};

}  // namespace tenon::check
