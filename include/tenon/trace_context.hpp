// TraceContext: the trace that a request belongs to, as OpenTelemetry and other tracers write it (W3C Trace Context and
// Baggage). It travels in `_meta` of requests and notifications (SEP-414).
//
//     server.tool("report", "Calls another server", [&](tenon::Context& ctx) {
//         return other.call_tool("numbers", {}, {.trace = ctx.trace()});  // the same trace continues there
//     });
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/json.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// The trace context of one request. Plain data with three texts in their W3C formats; an empty text means "none". A
/// text that is malformed or longer than its limit is ignored wherever a TraceContext is read or sent, and never causes
/// an error. These texts are claims of the peer: use them to connect traces, and for no decision.
struct TraceContext {
    static constexpr std::size_t max_traceparent_bytes = 256;  ///< of version 00: exactly 55
    static constexpr std::size_t max_tracestate_bytes = 4096;
    static constexpr std::size_t max_tracestate_members = 32;
    static constexpr std::size_t max_baggage_bytes = 8192;
    static constexpr std::size_t max_baggage_members = 180;

    std::string traceparent = {};  ///< version, trace id, id of the sender's span, and flags
    std::string tracestate = {};   ///< data of tracing systems; has no meaning without `traceparent`
    std::string baggage = {};      ///< names and values that the application passes on

    bool empty() const { return traceparent.empty() && tracestate.empty() && baggage.empty(); }

    /// Return parts of a valid `traceparent`, in lower-case hexadecimal digits; empty if it is missing or malformed.
    std::string_view trace_id() const;  ///< 32 digits
    std::string_view span_id() const;   ///< 16 digits
    struct Ids {
        std::string_view trace = {}, span = {};
    };
    Ids ids() const;  ///< both; reads `traceparent` only once
    /// Returns whether the sender may have recorded its span.
    bool sampled() const;

    /// Returns the context for requests below a new span: the same trace, with another span id of 16 lower-case
    /// hexadecimal digits. Returns an unchanged copy if the id or `traceparent` is malformed.
    TraceContext with_span(std::string_view id) const;
    /// Returns a copy without its malformed parts.
    TraceContext valid() const;

    /// Reads the valid parts from the `_meta` of a message.
    static TraceContext read(const json::object& meta);
    /// Adds the valid parts to the `_meta` of a message. Replaces members of the same names.
    void write(json::object& meta) const;

    friend bool operator==(const TraceContext&, const TraceContext&) = default;
};

/// A TraceContext as a member of options. Converts from one, and is cheap to copy. Options hold a pointer because g++
/// 12 copies temporary objects of a coroutine byte by byte, which breaks a std::string.
class SharedTrace {
 public:
    SharedTrace() = default;
    SharedTrace(TraceContext trace)  // NOLINT: an option is set as if it were a TraceContext
        : trace_(std::make_shared<const TraceContext>(std::move(trace))) {}

    /// Returns the context; empty if none was set.
    const TraceContext& operator*() const {
        static const TraceContext none;
        return trace_ ? *trace_ : none;
    }
    const TraceContext* operator->() const { return &**this; }

 private:
    std::shared_ptr<const TraceContext> trace_;
};

}  // namespace tenon

#pragma GCC visibility pop
