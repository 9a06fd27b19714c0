// Resolves references to URIs: RFC 3986, section 5.
#pragma once

#include <string>
#include <string_view>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::base {

struct SplitUri {
    std::string_view document;
    std::string_view fragment;  // without '#'
    bool has_fragment = false;
};

SplitUri split_fragment(std::string_view uri);

/// Resolves the reference against the base. Returns the reference itself when the base is empty.
std::string resolve_uri(std::string_view base, std::string_view reference);

}  // namespace tenon::base

#pragma GCC visibility pop
