// The formats of JSON Schema: one function for each format, which checks one string.
#pragma once

#include <cstddef>
#include <string_view>

namespace tenon::schema {

using FormatCheck = bool (*)(std::string_view);

/// Returns the largest number of steps that checking a text of this size can take. Formats with a host name ask RE2
/// about every character, but host names are short. All other formats read the text once.
std::size_t format_steps(FormatCheck check, std::size_t text_size);

/// Returns null for an unknown format. Every string is valid for an unknown format.
FormatCheck find_format(std::string_view name);

namespace format {
bool date(std::string_view s);
bool time(std::string_view s);
bool date_time(std::string_view s);
bool duration(std::string_view s);
bool email(std::string_view s);
bool idn_email(std::string_view s);
bool hostname(std::string_view s);
bool idn_hostname(std::string_view s);
bool ipv4(std::string_view s);
bool ipv6(std::string_view s);
bool uri(std::string_view s);
bool uri_reference(std::string_view s);
bool iri(std::string_view s);
bool iri_reference(std::string_view s);
bool uri_template(std::string_view s);
bool uuid(std::string_view s);
bool json_pointer(std::string_view s);
bool relative_json_pointer(std::string_view s);
bool regex(std::string_view s);
}  // namespace format

}  // namespace tenon::schema
