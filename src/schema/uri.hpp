// Resolves references to URIs: RFC 3986, section 5.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tenon::schema {

struct SplitUri {
    std::string_view document;
    std::string_view fragment;  // without '#'
    bool has_fragment = false;
};

SplitUri split_fragment(std::string_view uri);

/// Resolves the reference against the base. Returns the reference itself when the base is empty.
std::string resolve_uri(std::string_view base, std::string_view reference);

/// Returns nothing when a '%' is not followed by two hexadecimal digits.
std::optional<std::string> percent_decode(std::string_view s);

}  // namespace tenon::schema
