// Apps: interactive pages that a host shows for the results of tools (the extension io.modelcontextprotocol/ui).
//
//     server.app("ui://clock/view", "clock", html, {.csp = {.connect = {"https://time.example"}}});
//     server.tool("show_clock", "Shows the time", [] { return Time{12, 30}; }, tenon::in_app("ui://clock/view"));
//     server.tool("wind_clock", "Winds the clock", [] { return "done"; },
//                 tenon::in_app("ui://clock/view", tenon::VisibleTo::app));
//
// The host shows the page in a sandbox, and gives it the arguments and the result of the tool. The page may call the
// tools of this server that are visible to apps. Hosts without apps see ordinary tools, so every tool must also return
// a result that makes sense as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/options.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// The id of the extension.
inline constexpr std::string_view apps_extension = "io.modelcontextprotocol/ui";
/// The MIME type of an app.
inline constexpr std::string_view app_mime_type = "text/html;profile=mcp-app";

/// The origins that the page of an app may use, for example "https://api.example.com" or "https://*.example.com". The
/// host enforces them. Default: none.
struct AppCsp {
    std::vector<std::string> connect = {};    ///< for requests: fetch, XMLHttpRequest, WebSocket
    std::vector<std::string> resources = {};  ///< for scripts, styles, images, fonts and media
    std::vector<std::string> frames = {};     ///< for frames within the page
    std::vector<std::string> base_uris = {};  ///< for the base of relative URLs
};

/// Permissions of the browser that the page asks for. The host may refuse them.
struct AppPermissions {
    bool camera = false;
    bool microphone = false;
    bool geolocation = false;
    bool clipboard_write = false;
};

/// Options of an app.
struct AppOptions {
    std::string title = {};
    std::string description = {};
    AppCsp csp = {};
    AppPermissions permissions = {};
    std::string domain = {};  ///< a separate origin for the page, in the host's format. Empty: the host's default
    std::optional<bool> prefers_border = {};  ///< whether the host draws a border. Empty: the host decides
};

/// The callers that a tool is listed for.
enum class VisibleTo {
    model_and_app,
    model,  ///< the page must not call it
    app,    ///< the model does not see it; a client without apps does not see it either
};

/// Returns options that link a tool to an app: the host shows results of the tool with this app. The app must be
/// registered when serving begins.
ToolOptions in_app(std::string uri, VisibleTo visible = VisibleTo::model_and_app, ToolOptions options = {});

}  // namespace tenon

#pragma GCC visibility pop
