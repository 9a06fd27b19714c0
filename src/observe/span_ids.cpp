#include "observe/span_ids.hpp"

#include <bit>
#include <cstring>
#include <string>

namespace tenon::observe {
namespace {

// Writes 16 digits, all eight of a half at once: each byte of `spread` has the bits of one digit.
void put_hex(char* to, std::uint64_t number) {
    for (int half = 1; half >= 0; --half, to += 8) {
        std::uint64_t spread = (number >> (32 * half)) & 0xffffffff;
        spread = (spread << 16 | spread) & 0x0000ffff0000ffff;
        spread = (spread << 8 | spread) & 0x00ff00ff00ff00ff;
        spread = (spread << 4 | spread) & 0x0f0f0f0f0f0f0f0f;
        const std::uint64_t letters = ((spread + 0x0606060606060606) >> 4) & 0x0101010101010101;  // 10 and above
        std::uint64_t text = spread + 0x3030303030303030 + letters * ('a' - '0' - 10);
        if constexpr (std::endian::native == std::endian::little) text = __builtin_bswap64(text);  // first digit first
        std::memcpy(to, &text, sizeof text);
    }
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
