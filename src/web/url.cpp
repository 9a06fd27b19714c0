#include "web/url.hpp"

#include <algorithm>
#include <vector>

#include "base/uri.hpp"
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

// Removes "." and ".." segments from an absolute path (RFC 3986, section 5.2.4).
std::string without_dots(string_view path) {
    std::vector<string_view> kept;
    bool folder = true;
    while (!path.empty()) {
        path.remove_prefix(1);
        const std::size_t end = std::min(path.find('/'), path.size());
        const string_view segment = path.substr(0, end);
        path.remove_prefix(end);
        folder = segment == "." || segment == "..";
        if (segment == ".." && !kept.empty()) kept.pop_back();
        if (!folder) kept.push_back(segment);
    }
    std::string out;
    for (const string_view segment : kept) (out += '/') += segment;
    return folder ? out + "/" : out;
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

Result<Url> resolve_reference(const Url& base, string_view reference) {
    reference = reference.substr(0, reference.find('#'));
    if (const std::size_t colon = reference.find(':'); colon < reference.find_first_of("/?"))
        return parse_url(reference);
    if (reference.starts_with("//")) return parse_url((base.tls ? "https:" : "http:") + std::string(reference));
    const string_view base_path = string_view(base.target).substr(0, base.target.find('?'));
    const string_view path = reference.substr(0, reference.find('?'));
    const string_view query = reference.substr(path.size());
    std::string target;
    if (path.empty()) {
        target = query.empty() ? base.target : std::string(base_path) + std::string(query);
    } else {
        const std::string whole = path.starts_with('/')
                                      ? std::string(path)
                                      : std::string(base_path.substr(0, base_path.rfind('/') + 1)) + std::string(path);
        target = without_dots(whole) + std::string(query);
    }
    Url at = base;
    at.target = "/";
    return parse_url(at.text().substr(0, at.text().size() - 1) + target);
}

}  // namespace tenon::web
