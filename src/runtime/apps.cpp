// Server::app() and in_app(): the metadata of apps.
#include <algorithm>

#include <tenon/apps.hpp>

#include "base/printable.hpp"
#include "base/uri.hpp"
#include "runtime/server_impl.hpp"

namespace tenon {
namespace {

constexpr std::size_t max_shown = 256;

[[noreturn]] void refuse_app(std::string_view uri, const std::string& why) {
    throw Exception({code::invalid_params, "The app `" + base::printable(uri, max_shown) + "` " + why});
}

bool host_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == ':';
}

// Hosts copy origins into the Content-Security-Policy header. So nothing else may be in them, such as a ";".
bool is_origin(std::string_view text) {
    const std::size_t colon = text.find("://");
    if (colon == text.npos) return false;
    const std::string_view scheme = text.substr(0, colon);
    std::string_view host = text.substr(colon + 3);
    if (host.starts_with("*.")) host.remove_prefix(2);
    constexpr std::string_view schemes[] = {"https", "http", "wss", "ws"};
    return std::ranges::find(schemes, scheme) != std::end(schemes) && !host.empty() &&
           std::ranges::all_of(host, host_character);
}

json::array origins(std::string_view uri, const std::vector<std::string>& list) {
    json::array out;
    for (const std::string& origin : list) {
        if (!is_origin(origin))
            refuse_app(uri, "allows `" + base::printable(origin, max_shown) +
                                "`, which is not an origin: write it like \"https://api.example.com\".");
        out.emplace_back(origin);
    }
    return out;
}

json::object csp_of(std::string_view uri, const AppCsp& csp) {
    json::object out;
    const auto add = [&](std::string_view name, const std::vector<std::string>& list) {
        if (!list.empty()) out.emplace(name, origins(uri, list));
    };
    add("connectDomains", csp.connect);
    add("resourceDomains", csp.resources);
    add("frameDomains", csp.frames);
    add("baseUriDomains", csp.base_uris);
    return out;
}

json::object permissions_of(const AppPermissions& wanted) {
    json::object out;
    if (wanted.camera) out.emplace("camera", json::object());
    if (wanted.microphone) out.emplace("microphone", json::object());
    if (wanted.geolocation) out.emplace("geolocation", json::object());
    if (wanted.clipboard_write) out.emplace("clipboardWrite", json::object());
    return out;
}

json::object meta_of(std::string_view uri, const AppOptions& options) {
    json::object ui;
    if (auto csp = csp_of(uri, options.csp); !csp.empty()) ui.emplace("csp", std::move(csp));
    if (auto wanted = permissions_of(options.permissions); !wanted.empty())
        ui.emplace("permissions", std::move(wanted));
    if (!options.domain.empty()) ui.emplace("domain", options.domain);
    if (options.prefers_border) ui.emplace("prefersBorder", *options.prefers_border);
    if (ui.empty()) return {};
    return {{"ui", std::move(ui)}};
}

bool is_html(std::string_view text) {
    constexpr std::string_view begin = "<!doctype html";
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text.size() >= begin.size() && std::ranges::equal(text.substr(0, begin.size()), begin, [](char a, char b) {
               return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
           });
}

}  // namespace

Server& Server::app(std::string uri, std::string name, std::function<std::string()> html, AppOptions options) {
    if (!uri.starts_with("ui://") || !base::parse_uri(uri)) refuse_app(uri, "needs a URI like \"ui://clock/view\".");
    if (!html) refuse_app(uri, "needs a page: pass its HTML, or a function that returns it.");
    json::object meta = meta_of(uri, options);
    std::string mime(app_mime_type);
    resource(uri, std::move(name),
             [uri, mime, meta, html = std::move(html)] {
                 return ResourceContents{.uri = uri, .mimeType = mime, .text = html(), .meta = meta};
             },
             {.title = std::move(options.title),
              .description = std::move(options.description),
              .mimeType = mime,
              .meta = meta});
    return *this;
}

Server& Server::app(std::string uri, std::string name, std::string html, AppOptions options) {
    if (!is_html(html)) refuse_app(uri, "is not an HTML page: it must begin with <!DOCTYPE html>.");
    return app(
        std::move(uri), std::move(name), [html = std::move(html)] { return html; }, std::move(options));
}

ToolOptions in_app(std::string uri, VisibleTo visible, ToolOptions options) {
    if (!uri.starts_with("ui://")) refuse_app(uri, "needs a URI like \"ui://clock/view\".");
    json::object ui{{"resourceUri", std::move(uri)}};
    if (visible == VisibleTo::model) ui.emplace("visibility", json::array{"model"});
    if (visible == VisibleTo::app) ui.emplace("visibility", json::array{"app"});
    options.meta["ui"] = std::move(ui);
    return options;
}

}  // namespace tenon
