#include "schema/format.hpp"

#include <algorithm>
#include <array>

#include "schema/regex_syntax.hpp"
#include "schema/text.hpp"

namespace tenon::schema {
namespace {

struct NamedFormat {
    std::string_view name;
    FormatCheck check;
};

constexpr std::array formats{
    NamedFormat{"date", format::date},
    NamedFormat{"time", format::time},
    NamedFormat{"date-time", format::date_time},
    NamedFormat{"duration", format::duration},
    NamedFormat{"email", format::email},
    NamedFormat{"idn-email", format::idn_email},
    NamedFormat{"hostname", format::hostname},
    NamedFormat{"idn-hostname", format::idn_hostname},
    NamedFormat{"ipv4", format::ipv4},
    NamedFormat{"ipv6", format::ipv6},
    NamedFormat{"uri", format::uri},
    NamedFormat{"uri-reference", format::uri_reference},
    NamedFormat{"iri", format::iri},
    NamedFormat{"iri-reference", format::iri_reference},
    NamedFormat{"uri-template", format::uri_template},
    NamedFormat{"uuid", format::uuid},
    NamedFormat{"json-pointer", format::json_pointer},
    NamedFormat{"relative-json-pointer", format::relative_json_pointer},
    NamedFormat{"regex", format::regex},
};

}  // namespace

FormatCheck find_format(std::string_view name) {
    for (const auto& f : formats)
        if (f.name == name) return f.check;
    return nullptr;
}

std::size_t format_steps(FormatCheck check, std::size_t text_size) {
    constexpr std::size_t longest_host = 1024, steps_per_character = 60;
    const bool host = check == format::hostname || check == format::idn_hostname || check == format::email ||
                      check == format::idn_email;
    return 1 + text_size / 8 + (host ? std::min(text_size, longest_host) * steps_per_character : 0);
}

namespace format {

bool uuid(std::string_view s) {
    if (s.size() != 36) return false;
    for (std::size_t i = 0; i < s.size(); ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? s[i] != '-' : hex_digit(s[i]) < 0) return false;
    }
    return true;
}

bool json_pointer(std::string_view s) {
    if (!s.empty() && s[0] != '/') return false;
    for (std::size_t i = 0; i < s.size(); ++i)
        if (s[i] == '~' && (i + 1 == s.size() || (s[i + 1] != '0' && s[i + 1] != '1'))) return false;
    return true;
}

bool relative_json_pointer(std::string_view s) {
    std::size_t digits = 0;
    while (digits < s.size() && is_digit(s[digits])) ++digits;
    if (digits == 0 || (digits > 1 && s[0] == '0')) return false;
    const std::string_view rest = s.substr(digits);
    return rest == "#" || json_pointer(rest);
}

bool regex(std::string_view s) { return parse_regex(s).has_value(); }

}  // namespace format
}  // namespace tenon::schema
