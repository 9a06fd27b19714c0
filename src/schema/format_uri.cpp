// Formats of URIs (RFC 3986), IRIs (RFC 3987) and URI templates (RFC 6570).
#include "base/uri_chars.hpp"
#include "schema/format.hpp"
#include "schema/text.hpp"

namespace tenon::schema::format {
namespace {

bool is_private_use(char32_t c) { return (c >= 0xE000 && c <= 0xF8FF) || c >= 0xF0000; }

// Returns whether an IRI may contain this character outside ASCII.
bool is_iri_char(char32_t c) {
    if (c < 0xA0 || is_private_use(c)) return false;
    if (c >= 0xFDD0 && c <= 0xFDEF) return false;
    return c < 0xFFF0 || (c >= 0x10000 && (c & 0xFFFF) < 0xFFFE);
}

enum class Part { user_info, registered_name, path, query_or_fragment };

bool is_ascii_allowed(char c, Part part) {
    if (base::is_unreserved(c) || base::is_sub_delim(c)) return true;
    if (c == ':') return part != Part::registered_name;
    if (c == '@' || c == '/') return part == Part::path || part == Part::query_or_fragment;
    return c == '?' && part == Part::query_or_fragment;
}

bool all_allowed(std::string_view s, Part part, bool international, bool query = false) {
    while (!s.empty()) {
        if (s[0] == '%') {
            if (!base::is_percent_encoded(s, 0)) return false;
            s.remove_prefix(3);
        } else if (static_cast<unsigned char>(s[0]) < 0x80) {
            if (!is_ascii_allowed(s[0], part)) return false;
            s.remove_prefix(1);
        } else {
            const char32_t c = take_code_point(s);
            if (!international || !(is_iri_char(c) || (query && is_private_use(c)))) return false;
        }
    }
    return true;
}

bool is_future_address(std::string_view s) {
    if (s.size() < 4 || (s[0] != 'v' && s[0] != 'V')) return false;
    const auto dot = s.find('.');
    if (dot == s.npos || dot < 2 || dot + 1 == s.size()) return false;
    for (const char c : s.substr(1, dot - 1))
        if (hex_digit(c) < 0) return false;
    return s.find('%') == s.npos && all_allowed(s.substr(dot + 1), Part::user_info, false);
}

bool is_authority(std::string_view s, bool international) {
    if (const auto at = s.find('@'); at != s.npos) {
        if (!all_allowed(s.substr(0, at), Part::user_info, international)) return false;
        s.remove_prefix(at + 1);
    }
    std::string_view port;
    if (s.starts_with('[')) {
        const auto end = s.find(']');
        if (end == s.npos) return false;
        const std::string_view address = s.substr(1, end - 1);
        if (!ipv6(address) && !is_future_address(address)) return false;
        port = s.substr(end + 1);
    } else {
        const auto colon = s.find(':');
        if (!all_allowed(s.substr(0, colon), Part::registered_name, international)) return false;
        if (colon != s.npos) port = s.substr(colon);
    }
    if (port.empty()) return true;
    if (port[0] != ':') return false;
    for (const char c : port.substr(1))
        if (!is_digit(c)) return false;
    return true;
}

// Checks the part after the scheme, or a whole relative reference.
bool is_hierarchy(std::string_view s, bool international) {
    if (const auto hash = s.find('#'); hash != s.npos) {
        if (!all_allowed(s.substr(hash + 1), Part::query_or_fragment, international)) return false;
        s = s.substr(0, hash);
    }
    if (const auto mark = s.find('?'); mark != s.npos) {
        if (!all_allowed(s.substr(mark + 1), Part::query_or_fragment, international, true)) return false;
        s = s.substr(0, mark);
    }
    if (s.starts_with("//")) {
        s.remove_prefix(2);
        const auto slash = s.find('/');
        if (!is_authority(s.substr(0, slash), international)) return false;
        s = slash == s.npos ? std::string_view() : s.substr(slash);
    }
    return all_allowed(s, Part::path, international);
}

// Returns the size of the scheme with its colon, or 0 without a scheme.
std::size_t scheme_size(std::string_view s) {
    if (s.empty() || !is_alpha(s[0])) return 0;
    std::size_t n = 1;
    while (n < s.size() && (is_alnum(s[n]) || s[n] == '+' || s[n] == '-' || s[n] == '.')) ++n;
    return n < s.size() && s[n] == ':' ? n + 1 : 0;
}

bool absolute(std::string_view s, bool international) {
    const std::size_t scheme = scheme_size(s);
    return scheme != 0 && is_hierarchy(s.substr(scheme), international);
}

// The first segment of a relative reference must not have a colon: it would be a scheme.
bool reference(std::string_view s, bool international) {
    if (absolute(s, international)) return true;
    const std::string_view first = s.substr(0, s.find_first_of("/?#"));
    return first.find(':') == first.npos && is_hierarchy(s, international);
}

bool is_variable(std::string_view s) {
    bool dot_allowed = false;
    if (s.empty()) return false;
    while (!s.empty()) {
        if (s[0] == '.') {
            if (!dot_allowed) return false;
            dot_allowed = false;
            s.remove_prefix(1);
            continue;
        }
        if (base::is_percent_encoded(s, 0))
            s.remove_prefix(3);
        else if (is_alnum(s[0]) || s[0] == '_')
            s.remove_prefix(1);
        else
            return false;
        dot_allowed = true;
    }
    return dot_allowed;
}

bool is_prefix_length(std::string_view s) {
    if (s.empty() || s.size() > 4 || s[0] == '0') return false;
    for (const char c : s)
        if (!is_digit(c)) return false;
    return true;
}

bool is_expression(std::string_view s) {
    constexpr std::string_view operators = "+#./;?&=,!@|";
    if (!s.empty() && operators.find(s[0]) != operators.npos) s.remove_prefix(1);
    while (true) {
        const auto comma = s.find(',');
        std::string_view variable = s.substr(0, comma);
        if (variable.ends_with('*')) {
            variable.remove_suffix(1);
        } else if (const auto colon = variable.find(':'); colon != variable.npos) {
            if (!is_prefix_length(variable.substr(colon + 1))) return false;
            variable = variable.substr(0, colon);
        }
        if (!is_variable(variable)) return false;
        if (comma == s.npos) return true;
        s.remove_prefix(comma + 1);
    }
}

bool is_template_literal(char32_t c) {
    if (c < 0x80)
        return c > 0x20 && c != 0x7F &&
               std::string_view("\"%<>\\^`{|}").find(static_cast<char>(c)) == std::string_view::npos;
    return is_iri_char(c) || is_private_use(c);
}

}  // namespace

bool uri(std::string_view s) { return absolute(s, false); }
bool uri_reference(std::string_view s) { return reference(s, false); }
bool iri(std::string_view s) { return absolute(s, true); }
bool iri_reference(std::string_view s) { return reference(s, true); }

bool uri_template(std::string_view s) {
    while (!s.empty()) {
        if (s[0] == '{') {
            const auto end = s.find('}');
            if (end == s.npos || !is_expression(s.substr(1, end - 1))) return false;
            s.remove_prefix(end + 1);
        } else if (base::is_percent_encoded(s, 0)) {
            s.remove_prefix(3);
        } else if (!is_template_literal(take_code_point(s))) {
            return false;
        }
    }
    return true;
}

}  // namespace tenon::schema::format
