// Formats of host names, IP addresses and mail addresses.
#include "base/ip_address.hpp"
#include "schema/format.hpp"
#include "schema/idna.hpp"
#include "schema/text.hpp"

namespace tenon::schema::format {
namespace {

constexpr std::size_t longest_host = 253;

bool is_plain_label(std::string_view label) {
    if (label.empty() || label.size() > 63 || label.front() == '-' || label.back() == '-') return false;
    for (const char c : label)
        if (!is_alnum(c) && c != '-') return false;
    return true;
}

bool is_dot_atom(std::string_view s, bool international) {
    constexpr std::string_view extra = "!#$%&'*+-/=?^_`{|}~";
    bool after_dot = true;
    for (const char c : s) {
        if (c == '.' && after_dot) return false;
        after_dot = c == '.';
        const bool wide = static_cast<unsigned char>(c) >= 0x80;
        if (wide ? !international : !is_alnum(c) && c != '.' && extra.find(c) == extra.npos) return false;
    }
    return !after_dot;
}

bool is_quoted_string(std::string_view s, bool international) {
    if (s.size() < 2 || s.front() != '"' || s.back() != '"') return false;
    s = s.substr(1, s.size() - 2);
    for (std::size_t i = 0; i < s.size(); ++i) {
        const auto c = static_cast<unsigned char>(s[i]);
        if (c == '"' || c < 0x20 || c == 0x7F || (c >= 0x80 && !international)) return false;
        if (c == '\\' && ++i == s.size()) return false;
    }
    return true;
}

bool is_address_literal(std::string_view domain) {
    if (domain.size() < 2 || domain.front() != '[' || domain.back() != ']') return false;
    domain = domain.substr(1, domain.size() - 2);
    return domain.starts_with("IPv6:") ? ipv6(domain.substr(5)) : ipv4(domain);
}

bool mail(std::string_view s, bool international) {
    const auto at = s.rfind('@');
    if (at == s.npos || at > 64) return false;
    const std::string_view local = s.substr(0, at), domain = s.substr(at + 1);
    if (!is_dot_atom(local, international) && !is_quoted_string(local, international)) return false;
    return is_address_literal(domain) || (international ? idn_hostname(domain) : hostname(domain));
}

}  // namespace

bool hostname(std::string_view s) {
    if (s.empty() || s.size() > longest_host) return false;
    while (true) {
        const auto dot = s.find('.');
        const std::string_view label = s.substr(0, dot);
        if (!is_plain_label(label) || (has_ace_prefix(label) && !is_a_label(label))) return false;
        if (dot == s.npos) return true;
        s.remove_prefix(dot + 1);
    }
}

bool idn_hostname(std::string_view s) { return is_international_host(s, longest_host); }

bool email(std::string_view s) { return mail(s, false); }
bool idn_email(std::string_view s) { return mail(s, true); }

bool ipv4(std::string_view s) { return base::is_ipv4(s); }
bool ipv6(std::string_view s) { return base::is_ipv6(s); }

}  // namespace tenon::schema::format
