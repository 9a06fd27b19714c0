#include "protocol/root_rules.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/printable.hpp"
#include "base/uri.hpp"

namespace tenon::protocol {
namespace {

constexpr std::size_t max_quoted_uri = 200;

bool is_file_scheme(std::string_view scheme) {
    return std::ranges::equal(scheme, std::string_view("file"),
                              [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

// Returns what is wrong with the URI of a root; empty: nothing.
std::string_view fault_of_root(std::string_view text) {
    const auto uri = base::parse_uri(text);
    if (!uri) return "is not a URI";
    if (!is_file_scheme(uri->scheme) || !uri->has_authority) return "must begin with file://";
    if (!uri->path.starts_with('/')) return "must have an absolute path";
    if (uri->has_query || uri->has_fragment) return "must not have a query or a fragment";
    return base::has_traversal(*uri) ? "must not have the segments . and .. or a backslash" : "";
}

}  // namespace

Result<void> check_roots(std::span<const Root> roots) {
    for (std::size_t i = 0; i < roots.size(); ++i) {
        const std::string_view fault = fault_of_root(roots[i].uri);
        if (!fault.empty())
            return Error{code::invalid_params, "`roots[" + std::to_string(i) + "].uri` " + std::string(fault) + ": " +
                                                   base::printable(roots[i].uri, max_quoted_uri)};
    }
    return {};
}

}  // namespace tenon::protocol
