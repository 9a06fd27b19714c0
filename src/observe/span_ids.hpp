// The ids of a span, and the trace context that they make.
#pragma once

#include <cstdint>

#include <tenon/trace_context.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::observe {

/// Random ids for one operation. `span` is never 0. The trace id is used only if the operation begins a trace.
struct SpanIds {
    std::uint64_t trace_high = 0, trace_low = 0;
    std::uint64_t span = 0;
};

/// Returns the context of an operation: in the trace of its peer, if there is one, or else in a new trace.
TraceContext below(TraceContext peer, const SpanIds& ids);

}  // namespace tenon::observe

#pragma GCC visibility pop
