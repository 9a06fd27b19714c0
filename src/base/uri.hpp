// URIs as RFC 3986 has them: is this one, what are its parts, does it try to climb out of its folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>

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

/// Nothing unless `text` is a URI with a scheme, in which every character and percent-encoding is allowed where it
/// stands.
std::optional<Uri> parse_uri(std::string_view text);

/// Whether the path or the authority, once percent-decoded, has a segment "." or "..", a backslash or a NUL.
/// Looks through one more layer of encoding too ("%252e%252e"), for the sake of readers that decode twice.
bool has_traversal(const Uri& uri);

/// Nothing when a "%" is not followed by two hexadecimal digits; every other byte stands for itself.
std::optional<std::string> percent_decode(std::string_view text);

}  // namespace tenon::base
