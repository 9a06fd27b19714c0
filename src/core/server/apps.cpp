#include "core/server/apps.hpp"

#include <algorithm>

#include "json/find.hpp"
#include "protocol/extension_names.hpp"

namespace tenon::core {
namespace {

constexpr std::string_view app_type = "text/html;profile=mcp-app";

bool has_text(const json::array& list, std::string_view text) {
    return std::ranges::any_of(list, [text](const json::value& v) { return v.is_string() && v.get_string() == text; });
}

Error app_error(const ToolEntry& entry, std::string_view why) {
    return {code::invalid_params, "The tool `" + entry.definition.name + "` " + std::string(why)};
}

}  // namespace

Result<void> read_app(ToolEntry& entry) {
    const json::object* ui = json::find_object(entry.definition.meta, "ui");
    if (!ui) return {};
    if (const json::value* uri = ui->if_contains("resourceUri")) {
        if (!uri->is_string() || !std::string_view(uri->get_string()).starts_with("ui://"))
            return app_error(entry, "has a `_meta.ui.resourceUri` that is not a ui:// URI: use tenon::in_app().");
        entry.app = uri->get_string();
    }
    const json::value* visible = ui->if_contains("visibility");
    if (!visible) return {};
    const json::array* list = visible->if_array();
    if (!list || (!has_text(*list, "model") && !has_text(*list, "app")))
        return app_error(entry, "has a `_meta.ui.visibility` without \"model\" and \"app\": use tenon::in_app().");
    entry.only_for_apps = !has_text(*list, "model");
    return {};
}

Result<void> check_apps(const Features& features) {
    for (const auto& tool : features.tools.all())
        if (!tool->app.empty() && !features.resources.find(tool->app))
            return app_error(*tool,
                             "belongs to the app `" + tool->app + "`, which is not registered: call Server::app().");
    return {};
}

bool shows_apps(const protocol::ClientCapabilities& capabilities) {
    const json::object* extensions = json::find_object(capabilities.raw, "extensions");
    const json::object* ui = extensions ? json::find_object(*extensions, protocol::apps_extension) : nullptr;
    const json::value* types = ui ? ui->if_contains("mimeTypes") : nullptr;
    return types && types->is_array() && has_text(types->get_array(), app_type);
}

}  // namespace tenon::core
