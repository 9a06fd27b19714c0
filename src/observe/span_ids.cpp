#include "observe/span_ids.hpp"

#include <string>

namespace tenon::observe {
namespace {

void put_hex(char* to, std::uint64_t number) {
    static constexpr char digits[] = "0123456789abcdef";
    for (int shift = 60; shift >= 0; shift -= 4) *to++ = digits[(number >> shift) & 15];
}

}  // namespace

TraceContext below(TraceContext peer, const SpanIds& ids) {
    if (ids.span == 0) return peer;
    if (peer.trace_id().empty()) {
        peer.traceparent = "00-00000000000000000000000000000000-0000000000000000-01";
        put_hex(peer.traceparent.data() + 3, ids.trace_high);
        put_hex(peer.traceparent.data() + 19, ids.trace_low | 1);  // an id of zeros is not valid
        peer.tracestate.clear();                                   // it belongs to a trace that is not valid
    }
    put_hex(peer.traceparent.data() + 36, ids.span);
    return peer;
}

}  // namespace tenon::observe
