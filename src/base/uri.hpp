// URIs (RFC 3986): parsing, percent-decoding, and a check for path traversal.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::base {

/// The parts of a URI, as views into the text that was parsed, still percent-encoded.
struct Uri {
    std::string_view scheme;
    std::string_view authority;  ///< userinfo, host and port together
    std::string_view host;       ///< an IP literal keeps its brackets
    std::string_view path;
    std::string_view query;
    std::string_view fragment;
    bool has_authority = false;  ///< "file:///x" has an empty authority, "urn:x" has none
    bool has_query = false;
    bool has_fragment = false;
};

/// Returns nullopt unless `text` is a URI with a scheme, and every character is allowed at its place.
std::optional<Uri> parse_uri(std::string_view text);

bool is_uri_scheme(std::string_view s) noexcept;

/// Returns whether the decoded path or authority has a segment "." or "..", a backslash or a NUL. Also decodes twice
/// ("%252e%252e"), because some readers do.
bool has_traversal(const Uri& uri);

/// Returns nullopt when a "%" is not followed by two hexadecimal digits.
std::optional<std::string> percent_decode(std::string_view text);

}  // namespace tenon::base

#pragma GCC visibility pop
