#include "base/uri.hpp"

#include <algorithm>
#include <cstddef>

#include "base/ip_address.hpp"
#include "base/uri_chars.hpp"

namespace tenon::base {
namespace {

using std::string_view;

// Returns whether all characters of `s` are unreserved, sub-delims, percent-encoded, or in `also`.
bool is_made_of(string_view s, string_view also) noexcept {
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (is_unreserved(s[i]) || is_sub_delim(s[i]) || also.find(s[i]) != string_view::npos) continue;
        if (!is_percent_encoded(s, i)) return false;
        i += 2;
    }
    return true;
}

bool is_ip_future(string_view s) noexcept {
    const std::size_t dot = s.find('.');
    if (s.empty() || (s[0] | 0x20) != 'v' || dot == string_view::npos || dot < 2 || dot + 1 == s.size()) return false;
    const auto allowed = [](char c) { return is_unreserved(c) || is_sub_delim(c) || c == ':'; };
    return std::all_of(s.begin() + 1, s.begin() + static_cast<std::ptrdiff_t>(dot), is_hex) &&
           std::all_of(s.begin() + static_cast<std::ptrdiff_t>(dot) + 1, s.end(), allowed);
}

bool is_host(string_view s) noexcept {
    if (!s.starts_with('[')) return is_made_of(s, "");
    if (!s.ends_with(']')) return false;
    const string_view address = s.substr(1, s.size() - 2);
    return is_ipv6(address) || is_ip_future(address);
}

// Returns the host of `authority`, or nullopt when the authority is malformed.
std::optional<string_view> host_of(string_view authority) noexcept {
    string_view rest = authority;
    if (const std::size_t at = rest.find('@'); at != string_view::npos) {
        if (!is_made_of(rest.substr(0, at), ":")) return std::nullopt;
        rest.remove_prefix(at + 1);
    }
    const std::size_t bracket = rest.rfind(']');
    const std::size_t colon = rest.find(':', bracket == string_view::npos ? 0 : bracket);
    const string_view host = rest.substr(0, colon);
    const string_view port = colon == string_view::npos ? string_view() : rest.substr(colon + 1);
    if (!is_host(host) || !std::all_of(port.begin(), port.end(), is_digit)) return std::nullopt;
    return host;
}

// Removes the part before the first of `marks` from `text`, and returns it.
string_view take_until(string_view& text, string_view marks) noexcept {
    const string_view part = text.substr(0, text.find_first_of(marks));
    text.remove_prefix(part.size());
    return part;
}

bool skip(string_view& text, string_view prefix) noexcept {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

bool is_dot_segment(string_view segment) noexcept { return segment == "." || segment == ".."; }

bool climbs(string_view decoded) noexcept {
    if (decoded.find_first_of(string_view("\\\0", 2)) != string_view::npos) return true;
    for (;;) {
        if (is_dot_segment(take_until(decoded, "/"))) return true;
        if (!skip(decoded, "/")) return false;
    }
}

bool climbs_when_decoded(string_view encoded) {
    const auto once = percent_decode(encoded);
    if (!once || climbs(*once)) return true;
    if (once->find('%') == string_view::npos) return false;
    const auto twice = percent_decode(*once);
    return twice && climbs(*twice);
}

}  // namespace

std::optional<Uri> parse_uri(string_view text) {
    Uri uri;
    uri.scheme = take_until(text, ":/?#");
    if (!is_uri_scheme(uri.scheme) || !skip(text, ":")) return std::nullopt;
    uri.has_authority = skip(text, "//");
    if (uri.has_authority) {
        uri.authority = take_until(text, "/?#");
        const auto host = host_of(uri.authority);
        if (!host) return std::nullopt;
        uri.host = *host;
    }
    uri.path = take_until(text, "?#");
    uri.has_query = skip(text, "?");
    if (uri.has_query) uri.query = take_until(text, "#");
    uri.has_fragment = skip(text, "#");
    if (uri.has_fragment) uri.fragment = text;
    if (!is_made_of(uri.path, ":@/") || !is_made_of(uri.query, ":@/?") || !is_made_of(uri.fragment, ":@/?"))
        return std::nullopt;
    return uri;
}

bool is_uri_scheme(string_view s) noexcept {
    const auto allowed = [](char c) { return is_alpha(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; };
    return !s.empty() && is_alpha(s[0]) && std::all_of(s.begin(), s.end(), allowed);
}

bool has_traversal(const Uri& uri) { return climbs_when_decoded(uri.path) || climbs_when_decoded(uri.authority); }

std::optional<std::string> percent_decode(string_view text) {
    std::string decoded;
    decoded.reserve(text.size());
    for (;;) {
        const std::size_t plain = std::min(text.find('%'), text.size());
        decoded += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty()) return decoded;
        if (!is_percent_encoded(text, 0)) return std::nullopt;
        decoded += percent_encoded_byte(text, 0);
        text.remove_prefix(3);
    }
}

}  // namespace tenon::base
