#include "base/ip_address.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/ascii.hpp"

namespace tenon::base {
namespace {

using std::string_view;

bool is_decimal_octet(string_view s) noexcept {
    if (s.empty() || s.size() > 3 || !std::all_of(s.begin(), s.end(), is_digit)) return false;
    if (s.size() > 1 && s[0] == '0') return false;
    int value = 0;
    for (const char c : s) value = value * 10 + (c - '0');
    return value <= 255;
}

bool is_ipv6_group(string_view s) noexcept {
    return !s.empty() && s.size() <= 4 && std::all_of(s.begin(), s.end(), is_hex);
}

// Returns the number of 16-bit groups in "1:2:3", or nullopt when it is malformed. An IPv4 address at the end counts as
// two groups.
std::optional<int> count_groups(string_view s, bool may_end_in_ipv4) noexcept {
    int groups = 0;
    while (!s.empty()) {
        const std::size_t colon = s.find(':');
        if (colon == string_view::npos && may_end_in_ipv4 && is_ipv4(s)) return groups + 2;
        if (!is_ipv6_group(s.substr(0, colon)) || ++groups > 8) return std::nullopt;
        if (colon == string_view::npos) return groups;
        s.remove_prefix(colon + 1);
        if (s.empty()) return std::nullopt;
    }
    return groups;
}

}  // namespace

bool is_ipv4(string_view s) noexcept {
    for (int dots = 0; dots < 3; ++dots) {
        const std::size_t dot = s.find('.');
        if (dot == string_view::npos || !is_decimal_octet(s.substr(0, dot))) return false;
        s.remove_prefix(dot + 1);
    }
    return is_decimal_octet(s);
}

bool is_ipv6(string_view s) noexcept {
    const std::size_t gap = s.find("::");
    if (gap == string_view::npos) return count_groups(s, true) == 8;
    const auto left = count_groups(s.substr(0, gap), false);
    const auto right = count_groups(s.substr(gap + 2), true);
    return left && right && *left + *right <= 7;
}

}  // namespace tenon::base
