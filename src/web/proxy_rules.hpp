// Finds the proxy for a URL from the usual environment variables, with the rules of curl.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "web/url.hpp"

namespace tenon::web {

/// Returns the value of an environment variable; nullopt when it is not set.
using Variable = std::function<std::optional<std::string>(const std::string& name)>;

/// Returns the proxy in HTTPS_PROXY or HTTP_PROXY, or nullopt if there is none or NO_PROXY names the host. The
/// lower-case names have priority. Ignores the upper-case HTTP_PROXY in a CGI program, because a client's "Proxy:"
/// header sets it there.
Result<std::optional<Url>> proxy_for(const Url& url, const Variable& variable);

/// Parses the name of a proxy. "" means no proxy; "host:port" means http.
Result<std::optional<Url>> parse_proxy(std::string_view text);

/// Returns whether NO_PROXY names this URL: by "*", a host, or a domain with its subdomains, each with or without a
/// port.
bool listed_in_no_proxy(std::string_view list, const Url& url);

}  // namespace tenon::web
