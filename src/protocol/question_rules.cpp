#include "protocol/question_rules.hpp"

#include <algorithm>
#include <string>

#include "base/printable.hpp"
#include "base/uri.hpp"

namespace tenon::protocol {
namespace {

constexpr std::size_t most_quoted = 200;  // bytes of a URL in an error

std::string quoted_url(std::string_view text) { return "`" + base::printable(text, most_quoted) + "`"; }

bool has_scheme(const base::Uri& uri, std::string_view scheme) {
    return std::ranges::equal(uri.scheme, scheme, {}, [](char c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; });
}

}  // namespace

std::optional<Error> wrong_page_url(std::string_view url) {
    const auto uri = base::parse_uri(url);
    if (uri && (has_scheme(*uri, "https") || has_scheme(*uri, "http")) && !uri->host.empty()) return std::nullopt;
    return Error{code::invalid_params,
                 "the URL of a URL elicitation must be an absolute http or https URL, but is " + quoted_url(url)};
}

}  // namespace tenon::protocol
