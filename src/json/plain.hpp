// Skips plain characters: those that need no escape in a JSON string. Most text consists of them.
#pragma once

#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tenon::json {

/// Returns whether `c` is printable ASCII or DEL, but not '"' or '\'.
inline bool plain(unsigned char c) noexcept { return c >= 0x20 && c != '"' && c != '\\' && c < 0x80; }

/// Returns whether all eight bytes are plain.
inline bool plain8(const char* p) noexcept {
    constexpr std::uint64_t ones = 0x0101010101010101ULL, highs = 0x8080808080808080ULL;
    std::uint64_t w;
    std::memcpy(&w, p, sizeof w);
    const std::uint64_t quote = w ^ (ones * '"');
    const std::uint64_t slash = w ^ (ones * '\\');
    const std::uint64_t special = (w - ones * 0x20) | (quote - ones) | (slash - ones) | w;
    return (special & highs) == 0;
}

/// Returns the position of the first byte that is not plain, or `end`.
inline const char* plain_end(const char* p, const char* end) noexcept {
#ifdef __SSE2__
    for (; end - p >= 16; p += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
        const __m128i outside = _mm_cmpgt_epi8(_mm_set1_epi8(0x20), bytes);  // signed: also true from 0x80 on
        const __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
        const __m128i slash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
        const int special = _mm_movemask_epi8(_mm_or_si128(outside, _mm_or_si128(quote, slash)));
        if (special != 0) return p + __builtin_ctz(static_cast<unsigned>(special));
    }
#endif
    while (end - p >= 8 && plain8(p)) p += 8;
    while (p != end && plain(static_cast<unsigned char>(*p))) ++p;
    return p;
}

}  // namespace tenon::json
