#include "schema/numbers.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace tenon::schema {
namespace {

using json::kind;
constexpr double two_to_63 = 9223372036854775808.0;
constexpr double two_to_64 = 18446744073709551616.0;

// Compares an integer with the whole part of a double, and then looks at the fraction.
template <class Integer>
std::partial_ordering compare_whole(Integer n, double d) {
    const double whole = std::trunc(d);
    const auto order = n <=> static_cast<Integer>(whole);
    if (order != 0) return order;
    return 0.0 <=> (d - whole);
}

std::partial_ordering compare(std::int64_t n, double d) {
    if (std::isnan(d)) return std::partial_ordering::unordered;
    if (d >= two_to_63) return std::partial_ordering::less;
    if (d < -two_to_63) return std::partial_ordering::greater;
    return compare_whole(n, d);
}

std::partial_ordering compare(std::uint64_t n, double d) {
    if (std::isnan(d)) return std::partial_ordering::unordered;
    if (d >= two_to_64) return std::partial_ordering::less;
    if (d < 0) return std::partial_ordering::greater;
    return compare_whole(n, d);
}

std::partial_ordering compare(std::int64_t a, std::uint64_t b) {
    if (a < 0) return std::partial_ordering::less;
    return static_cast<std::uint64_t>(a) <=> b;
}

std::partial_ordering reversed(std::partial_ordering o) { return 0 <=> o; }

// The absolute value as mantissa * 10^exponent, with the fewest digits that identify the number.
struct Decimal {
    std::uint64_t mantissa = 0;
    int exponent = 0;
};

Decimal normalised(Decimal d) {
    if (d.mantissa == 0) return {};
    while (d.mantissa % 10 == 0) {
        d.mantissa /= 10;
        ++d.exponent;
    }
    return d;
}

Decimal decimal(double value) {
    std::array<char, 40> text;
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), std::fabs(value), std::chars_format::scientific).ptr;
    Decimal d;
    const char* p = text.data();
    for (bool fraction = false; p != end && *p != 'e'; ++p) {
        if (*p == '.') {
            fraction = true;
            continue;
        }
        d.mantissa = d.mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
        if (fraction) --d.exponent;
    }
    int exponent = 0;
    if (p != end && *++p == '+') ++p;
    std::from_chars(p, end, exponent);
    d.exponent += exponent;
    return normalised(d);
}

std::uint64_t magnitude(std::int64_t n) {
    return n < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
}

Decimal decimal(const json::value& v) {
    switch (v.kind()) {
        case kind::int64: return normalised({magnitude(v.get_int64()), 0});
        case kind::uint64: return normalised({v.get_uint64(), 0});
        default: return decimal(v.get_double());
    }
}

// Returns a * b mod m without a wider integer type.
std::uint64_t multiply_mod(std::uint64_t a, std::uint64_t b, std::uint64_t m) {
    std::uint64_t result = 0;
    a %= m;
    for (; b != 0; b >>= 1) {
        if (b & 1) result = result >= m - a ? result - (m - a) : result + a;
        a = a >= m - a ? a - (m - a) : a + a;
    }
    return result;
}

std::uint64_t power_of_ten_mod(int exponent, std::uint64_t m) {
    std::uint64_t result = 1 % m, factor = 10 % m;
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) result = multiply_mod(result, factor, m);
        factor = multiply_mod(factor, factor, m);
    }
    return result;
}

bool divides(Decimal divisor, Decimal v) {
    if (v.mantissa == 0) return true;
    const int shift = v.exponent - divisor.exponent;
    if (shift >= 0) return multiply_mod(v.mantissa, power_of_ten_mod(shift, divisor.mantissa), divisor.mantissa) == 0;
    std::uint64_t m = divisor.mantissa;
    for (int i = 0; i < -shift; ++i) {
        if (m > v.mantissa / 10) return false;
        m *= 10;
    }
    return v.mantissa % m == 0;
}

}  // namespace

std::partial_ordering compare_numbers(const json::value& a, const json::value& b) {
    switch (a.kind()) {
        case kind::int64:
            if (b.kind() == kind::int64) return a.get_int64() <=> b.get_int64();
            if (b.kind() == kind::uint64) return compare(a.get_int64(), b.get_uint64());
            return compare(a.get_int64(), b.get_double());
        case kind::uint64:
            if (b.kind() == kind::int64) return reversed(compare(b.get_int64(), a.get_uint64()));
            if (b.kind() == kind::uint64) return a.get_uint64() <=> b.get_uint64();
            return compare(a.get_uint64(), b.get_double());
        default:
            if (b.kind() == kind::int64) return reversed(compare(b.get_int64(), a.get_double()));
            if (b.kind() == kind::uint64) return reversed(compare(b.get_uint64(), a.get_double()));
            return a.get_double() <=> b.get_double();
    }
}

bool is_multiple_of(const json::value& v, const json::value& divisor) {
    if (v.kind() == kind::int64 && divisor.kind() == kind::int64) return v.get_int64() % divisor.get_int64() == 0;
    if (v.kind() == kind::double_ && !std::isfinite(v.get_double())) return false;
    return divides(decimal(divisor), decimal(v));
}

std::optional<std::uint64_t> as_count(const json::value& v) {
    switch (v.kind()) {
        case kind::int64:
            if (v.get_int64() < 0) return std::nullopt;
            return static_cast<std::uint64_t>(v.get_int64());
        case kind::uint64: return v.get_uint64();
        case kind::double_: {
            const double d = v.get_double();
            if (!is_integral(d) || d < 0) return std::nullopt;
            return d >= two_to_64 ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(d);
        }
        default: return std::nullopt;
    }
}

}  // namespace tenon::schema
