#include "observe/span_ids.hpp"

#include <array>
#include <string>

namespace tenon::observe {
namespace {

void append_hex(std::string& out, std::uint64_t number) {
    static constexpr char digits[] = "0123456789abcdef";
    for (int shift = 60; shift >= 0; shift -= 4) out += digits[(number >> shift) & 15];
}

}  // namespace

TraceContext below(TraceContext peer, const SpanIds& ids) {
    if (ids.span == 0) return peer;
    std::string span;
    append_hex(span, ids.span);
    if (!peer.trace_id().empty()) {
        peer.traceparent.replace(36, 16, span);
        return peer;
    }
    peer.traceparent = "00-";
    append_hex(peer.traceparent, ids.trace_high);
    append_hex(peer.traceparent, ids.trace_low | 1);  // an id of zeros is not valid
    peer.traceparent += "-" + span + "-01";
    peer.tracestate.clear();  // it belongs to a trace that is not valid
    return peer;
}

}  // namespace tenon::observe
