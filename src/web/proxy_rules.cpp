#include "web/proxy_rules.hpp"

#include <algorithm>

#include "framing/http_fields.hpp"

namespace tenon::web {
namespace {

using std::string_view;

std::string unbracketed(string_view host) {
    return std::string(host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host);
}

bool matches(string_view entry, const Url& url) {
    if (entry == "*") return true;
    const bool v6_without_port = !entry.starts_with('[') && std::count(entry.begin(), entry.end(), ':') > 1;
    const std::size_t colon = v6_without_port || entry.ends_with(']') ? string_view::npos : entry.rfind(':');
    if (colon != string_view::npos) {
        if (framing::parse_decimal(entry.substr(colon + 1)) != url.port) return false;
        entry = entry.substr(0, colon);
    }
    if (entry.starts_with('.')) entry.remove_prefix(1);
    const std::string host = unbracketed(entry);
    if (framing::equal_ignoring_case(host, url.host)) return true;
    const std::size_t longer = url.host.size() - std::min(host.size(), url.host.size());
    return !host.empty() && longer > 0 && url.host[longer - 1] == '.' &&
           framing::equal_ignoring_case(host, string_view(url.host).substr(longer));
}

}  // namespace

bool listed_in_no_proxy(string_view list, const Url& url) {
    bool found = false;
    framing::each_element(list, [&](string_view entry) { found = found || matches(entry, url); });
    return found;
}

Result<std::optional<Url>> parse_proxy(string_view text) {
    if (text.empty()) return std::optional<Url>();
    auto url = parse_url(text.find("://") == string_view::npos ? "http://" + std::string(text) : std::string(text));
    if (!url) return url.error();
    if (url->tls) return Error{code::invalid_params, "the URL of a proxy must use http://, not https://"};
    return std::optional(*std::move(url));
}

Result<std::optional<Url>> proxy_for(const Url& url, const Variable& variable) {
    for (const char* name : {"no_proxy", "NO_PROXY"}) {
        const auto list = variable(name);
        if (!list) continue;
        if (listed_in_no_proxy(*list, url)) return std::optional<Url>();
        break;
    }
    const std::string lower = url.tls ? "https_proxy" : "http_proxy";
    if (const auto value = variable(lower)) return parse_proxy(*value);
    if (!url.tls && variable("REQUEST_METHOD")) return std::optional<Url>();
    const auto value = variable(url.tls ? "HTTPS_PROXY" : "HTTP_PROXY");
    return parse_proxy(value.value_or(""));
}

}  // namespace tenon::web
