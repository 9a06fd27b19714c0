// IDNA 2008: host names with characters outside ASCII. The rules are here; the Unicode categories come from RE2.
#pragma once

#include <cstddef>
#include <string_view>

namespace tenon::schema {

/// Returns whether the label begins with "xn--", in upper or lower case.
bool has_ace_prefix(std::string_view label);

/// Returns whether the text after "xn--" is the canonical Punycode of a valid label that is not plain ASCII.
bool is_a_label(std::string_view label);

/// Checks a whole host name. Labels may be separated by any of the four dots of IDNA. The name in ASCII may have at
/// most `longest` bytes.
bool is_international_host(std::string_view name, std::size_t longest);

}  // namespace tenon::schema
