#include "base/sha256.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace tenon::base {
namespace {

using Words = std::array<std::uint32_t, 8>;
using AddBlock = void (*)(Words& hash, const char* block);
constexpr std::size_t block_bytes = 64;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t big_endian(const char* bytes) {
    std::uint32_t out = 0;
    for (int i = 0; i < 4; ++i) out = out << 8 | static_cast<unsigned char>(bytes[i]);
    return out;
}

void put_big_endian(char* to, std::uint32_t word) {
    to[0] = static_cast<char>(word >> 24);
    to[1] = static_cast<char>(word >> 16);
    to[2] = static_cast<char>(word >> 8);
    to[3] = static_cast<char>(word);
}

void add_block_portably(Words& hash, const char* block) {
    std::array<std::uint32_t, 64> w;
    for (std::size_t i = 0; i < 16; ++i) w[i] = big_endian(block + 4 * i);
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
        const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = hash;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + round_constants[i] + w[i];
        const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    const Words rest = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < rest.size(); ++i) hash[i] += rest[i];
}

#if defined(__x86_64__)

bool has_sha_instructions() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3)) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

// The processor keeps the hash as two vectors, ABEF and CDGH (highest word first), and does four rounds at a time.
__attribute__((target("sha,sse4.1,ssse3"))) void add_block_with_instructions(Words& hash, const char* block) {
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const auto load = [](const void* from) __attribute__((target("sha,sse4.1,ssse3"))) {
        return _mm_loadu_si128(static_cast<const __m128i*>(from));
    };
    const __m128i badc = _mm_shuffle_epi32(load(hash.data()), 0xb1), hgfe = _mm_shuffle_epi32(load(&hash[4]), 0x1b);
    const __m128i abef_before = _mm_alignr_epi8(badc, hgfe, 8), cdgh_before = _mm_blend_epi16(hgfe, badc, 0xf0);
    __m128i abef = abef_before, cdgh = cdgh_before;
    __m128i w[4];  // the last 16 words of the schedule
    for (std::size_t i = 0; i < 4; ++i) w[i] = _mm_shuffle_epi8(load(block + 16 * i), swap);
        // Without the loop, all words stay in registers.
#pragma GCC unroll 16
    for (std::size_t i = 0; i < 16; ++i) {
        __m128i &now = w[i % 4], &next = w[(i + 1) % 4], &third = w[(i + 2) % 4], &last = w[(i + 3) % 4];
        const __m128i words = _mm_add_epi32(now, load(&round_constants[4 * i]));
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, words);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(words, 0x0e));
        const __m128i older = _mm_add_epi32(_mm_sha256msg1_epu32(now, next), _mm_alignr_epi8(last, third, 4));
        now = _mm_sha256msg2_epu32(older, last);
    }
    abef = _mm_shuffle_epi32(_mm_add_epi32(abef, abef_before), 0x1b);
    cdgh = _mm_shuffle_epi32(_mm_add_epi32(cdgh, cdgh_before), 0xb1);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(hash.data()), _mm_blend_epi16(abef, cdgh, 0xf0));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(&hash[4]), _mm_alignr_epi8(cdgh, abef, 8));
}

// Asking the processor is not I/O: the answer never changes, and both functions compute the same.
AddBlock quickest() { return has_sha_instructions() ? add_block_with_instructions : add_block_portably; }

#else

AddBlock quickest() { return add_block_portably; }

#endif

Sha256Digest digest_with(AddBlock add_block, std::string_view bytes) {
    Words hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const std::size_t whole = bytes.size() / block_bytes * block_bytes, rest = bytes.size() - whole;
    for (std::size_t at = 0; at < whole; at += block_bytes) add_block(hash, bytes.data() + at);
    // The last bytes, a one bit, zeros, and the length in bits.
    std::array<char, 2 * block_bytes> end{};
    std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(whole), bytes.end(), end.begin());
    end[rest] = '\x80';
    const std::size_t end_bytes = rest + 9 <= block_bytes ? block_bytes : 2 * block_bytes;
    const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
    put_big_endian(end.data() + end_bytes - 8, static_cast<std::uint32_t>(bits >> 32));
    put_big_endian(end.data() + end_bytes - 4, static_cast<std::uint32_t>(bits));
    for (std::size_t at = 0; at < end_bytes; at += block_bytes) add_block(hash, end.data() + at);
    Sha256Digest out;
    for (std::size_t i = 0; i < hash.size(); ++i) put_big_endian(out.data() + 4 * i, hash[i]);
    return out;
}

}  // namespace

Sha256Digest sha256(std::string_view bytes) {
    static const AddBlock add_block = quickest();
    return digest_with(add_block, bytes);
}

Sha256Digest sha256_portably(std::string_view bytes) { return digest_with(add_block_portably, bytes); }

}  // namespace tenon::base
