// IDNA 2008: host names beyond ASCII. Knows the rules, and borrows the Unicode categories from RE2's tables.
#pragma once

#include <cstddef>
#include <string_view>

namespace tenon::schema {

/// Whether the label begins with "xn--", in any case.
bool has_ace_prefix(std::string_view label);

/// Whether what follows "xn--" is the one Punycode of a valid label that is not plain ASCII.
bool is_a_label(std::string_view label);

/// A whole name, with any of the four dots; at most `longest` bytes when written in ASCII.
bool is_international_host(std::string_view name, std::size_t longest);

}  // namespace tenon::schema
