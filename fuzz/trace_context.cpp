// Invariant: what is read from `_meta` is within its limits, is valid, and is written back unchanged.
// Input: a text, used as each member of a trace context.
#include <tenon/trace_context.hpp>

#include "support.hpp"

namespace tenon::fuzz::trace_context_target {
namespace {

void run(std::string_view input) {
    const std::string parent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
    for (const char* key : {"traceparent", "tracestate", "baggage"}) {
        json::object meta{{"traceparent", parent}};
        meta[key] = json::value(input);
        const TraceContext read = TraceContext::read(meta);
        must(read == read.valid(), "what was read is valid");
        for (const std::string* text : {&read.traceparent, &read.tracestate, &read.baggage})
            must(all_between(*text, 0x09, 0x7E), "a valid text is ASCII");
        must(read.traceparent.size() <= TraceContext::max_traceparent_bytes &&
                 read.tracestate.size() <= TraceContext::max_tracestate_bytes &&
                 read.baggage.size() <= TraceContext::max_baggage_bytes,
             "each text is within its limit");
        must(read.traceparent.empty() == read.trace_id().empty() &&
                 (read.tracestate.empty() || !read.trace_id().empty()),
             "a state belongs to a trace");
        json::object written;
        read.write(written);
        must(TraceContext::read(written) == read, "it survives writing and reading");
        must(read.with_span("0123456789abcdef").trace_id() == read.trace_id(), "a new span stays in its trace");
    }
}

const Target target{"trace_context", run};

}  // namespace
}  // namespace tenon::fuzz::trace_context_target
