// The `_meta` of requests and notifications that a server sends for a call.
#pragma once

#include <string_view>

#include "core/server/question.hpp"

namespace tenon::core {

/// Returns the link to the task that the call became, if any, and the trace of the request (SEP-414).
json::object message_meta(const Call& call, std::string_view task);

/// The same for a question. It carries its own span, if it has one.
json::object question_meta(const Call& call, std::string_view task, const Question& question);

/// Returns the trace of a call, below its own span if it has one. `_meta` comes before the header fields of HTTP.
/// `parent` gets the span of the peer that sent the request; empty: none.
TraceContext trace_of(const Call& call, std::string* parent = nullptr);

}  // namespace tenon::core
