// The policy for the page of a server (MCP Apps): what its frame may load and reach. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::inspect {

/// The page of an app, from the result of resources/read.
struct AppPage {
    std::string html;
    std::string csp;  ///< value of Content-Security-Policy
    json::object permissions = {};
    std::optional<bool> prefers_border = {};
};

/// Reads the page. `host` is the origin that may show it in a frame. Returns an error when the result has no page.
Result<AppPage> read_app(const json::value& result, std::string_view host);

/// Returns the policy for the `csp` member of the resource. Only origins are copied: text that could end a directive is
/// left out.
std::string app_policy(const json::object& csp, std::string_view host);

}  // namespace tenon::inspect
