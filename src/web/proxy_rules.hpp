// Which proxy a URL is reached through, by the variables that curl made the custom.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "web/url.hpp"

namespace tenon::web {

/// The value of an environment variable; nothing when it is not set.
using Variable = std::function<std::optional<std::string>(const std::string& name)>;

/// HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY names the host; in lower case too, and that first. Nothing: no proxy.
/// HTTP_PROXY in upper case is not looked at in a CGI program, where a client's "Proxy:" header sets it.
Result<std::optional<Url>> proxy_for(const Url& url, const Variable& variable);

/// A proxy that was named: "" is none; "host:port" means http.
Result<std::optional<Url>> parse_proxy(std::string_view text);

/// Whether a value of NO_PROXY names this URL: "*", a host, a domain with all below it, each with a port or without.
bool listed_in_no_proxy(std::string_view list, const Url& url);

}  // namespace tenon::web
