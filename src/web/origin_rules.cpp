#include "web/origin_rules.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "framing/http_fields.hpp"
#include "web/address_rules.hpp"
#include "web/response.hpp"

namespace tenon::web {
namespace {

using framing::equal_ignoring_case;
using std::string_view;

bool is_port(string_view digits) {
    const auto n = digits.size() <= 5 ? framing::parse_decimal(digits) : std::nullopt;
    return n && *n <= 65535;
}

// Accepts only the usual spelling, which browsers use. Programs disagree about other spellings (127.1, 0x7f000001,
// 0177.0.0.1).
bool is_loopback_literal(string_view host) {
    if (host == "127.0.0.1") return true;  // fast path: the most common one
    const auto address = parse_v4(host);
    return address && is_loopback_address(*address);
}

bool is_loopback(string_view authority) {
    constexpr string_view v6 = "[::1]";
    const std::size_t colon = authority.starts_with(v6) ? v6.size() : authority.find(':');
    const string_view host = authority.substr(0, colon);
    const string_view rest = authority.substr(host.size());
    if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1)))) return false;
    return host == v6 || equal_ignoring_case(host, "localhost") || is_loopback_literal(host);
}

bool listed(const std::vector<std::string>& list, string_view value) {
    return std::ranges::any_of(list, [&](const std::string& entry) { return equal_ignoring_case(entry, value); });
}

}  // namespace

bool OriginPolicy::host_allowed(string_view host) const {
    if (any_host) return true;
    return (loopback && is_loopback(host)) || listed(allowed_hosts, host);
}

// A browser sets Host itself, and a page cannot change it. So a page that was loaded from this server has an Origin
// with the same name and port as Host.
bool OriginPolicy::origin_allowed(string_view origin, string_view host) const {
    if (listed(allowed_origins, origin)) return true;
    if (!loopback) return false;
    constexpr std::array<string_view, 2> schemes = {"http://", "https://"};
    return std::ranges::any_of(schemes, [&](string_view scheme) {
        if (!equal_ignoring_case(origin.substr(0, scheme.size()), scheme)) return false;
        const string_view authority = origin.substr(scheme.size());
        return is_loopback(authority) && (!own_port_only || equal_ignoring_case(authority, host));
    });
}

std::optional<Response> refuse_origin(const framing::HttpRequest& request, const OriginPolicy& policy) {
    if (!policy.host_allowed(request.host))
        return refusal(403, "this Host is not allowed; add it to HttpOptions::allowed_hosts");
    const std::size_t count = request.fields.count("origin");
    if (count == 0) return std::nullopt;
    if (count > 1 || !policy.origin_allowed(*request.fields.only("origin"), request.host))
        return refusal(403, "this Origin is not allowed; add it to HttpOptions::allowed_origins");
    return std::nullopt;
}

}  // namespace tenon::web
