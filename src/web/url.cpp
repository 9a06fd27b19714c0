#include "web/url.hpp"

#include <algorithm>

#include "base/uri.hpp"
#include "base/uri_reference.hpp"
#include "framing/http_fields.hpp"

namespace tenon::web {
namespace {

using framing::equal_ignoring_case;
using std::string_view;

constexpr std::size_t max_url_shown = 200;

Error bad_url(string_view text, string_view why) {
    return {code::invalid_params,
            "cannot use the URL " + std::string(text.substr(0, max_url_shown)) + ": " + std::string(why)};
}

std::string lower(string_view s) {
    std::string out(s);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    return out;
}

bool read_authority(string_view authority, Url& url) {
    if (const std::size_t at = authority.rfind('@'); at != string_view::npos) {
        const auto user = base::percent_decode(authority.substr(0, at));
        if (!user) return false;
        url.user = *user;
        authority.remove_prefix(at + 1);
    }
    const bool bracketed = authority.starts_with('[');
    const std::size_t end = bracketed ? authority.find(']') + 1 : std::min(authority.find(':'), authority.size());
    const string_view host = bracketed ? authority.substr(1, end - 2) : authority.substr(0, end);
    url.host = lower(host);
    string_view port = authority.substr(end);
    if (port.empty()) return !host.empty();
    port.remove_prefix(1);
    const auto n = port.empty() ? std::optional<std::uint64_t>(url.port) : framing::parse_decimal(port);
    if (!n || *n == 0 || *n > 65535) return false;
    url.port = static_cast<std::uint16_t>(*n);
    return !host.empty();
}

}  // namespace

std::string Url::authority() const {
    std::string out = host.find(':') != std::string::npos ? "[" + host + "]" : host;
    if (port != (tls ? 443 : 80)) out += ":" + std::to_string(port);
    return out;
}

std::string Url::text() const { return (tls ? "https://" : "http://") + authority() + target; }

Result<Url> parse_url(string_view text) {
    const auto uri = base::parse_uri(text);
    if (!uri) return bad_url(text, "it is not a URL");
    Url url;
    url.tls = equal_ignoring_case(uri->scheme, "https");
    if (!url.tls && !equal_ignoring_case(uri->scheme, "http"))
        return bad_url(text, "it must begin with http:// or https://");
    url.port = url.tls ? 443 : 80;
    if (!uri->has_authority || !read_authority(uri->authority, url)) return bad_url(text, "invalid host or port");
    url.target = uri->path.empty() ? "/" : std::string(uri->path);
    if (uri->has_query) (url.target += '?') += uri->query;
    return url;
}

bool same_origin(const Url& a, const Url& b) { return a.tls == b.tls && a.host == b.host && a.port == b.port; }

// A colon in the first segment ends a scheme, even if the scheme is malformed.
Result<Url> resolve_reference(const Url& from, string_view reference) {
    reference = base::split_fragment(reference).document;
    if (reference.find(':') < reference.find_first_of("/?")) return parse_url(reference);
    return parse_url(base::resolve_uri(from.text(), reference));
}

}  // namespace tenon::web
