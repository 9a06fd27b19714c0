#include "inspect/app_policy.hpp"

#include <algorithm>
#include <array>

#include "base/base64.hpp"
#include "inspect/members.hpp"

namespace tenon::inspect {
namespace {

constexpr std::size_t max_origins = 50;  // of one list

bool is_origin(std::string_view text) {
    constexpr std::array<std::string_view, 4> schemes = {"https://", "http://", "wss://", "ws://"};
    const auto scheme = std::ranges::find_if(schemes, [&](std::string_view s) { return text.starts_with(s); });
    if (scheme == schemes.end()) return false;
    std::string_view host = text.substr(scheme->size());
    if (host.starts_with("*.")) host.remove_prefix(2);
    return !host.empty() && std::ranges::all_of(host, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
               c == ':';
    });
}

std::string origins(const json::object& csp, std::string_view name) {
    std::string out;
    const json::value* list = csp.if_contains(name);
    if (!list || !list->is_array()) return out;
    std::size_t count = 0;
    for (const json::value& v : list->get_array())
        if (v.is_string() && is_origin(v.get_string()) && ++count <= max_origins)
            out += " " + std::string(v.get_string());
    return out;
}

std::string or_none(const std::string& list) { return list.empty() ? " 'none'" : list; }

}  // namespace

std::string app_policy(const json::object& csp, std::string_view host) {
    const std::string resources = origins(csp, "resourceDomains");
    return "sandbox allow-scripts allow-forms; default-src 'none'; script-src 'unsafe-inline'" + resources +
           "; style-src 'unsafe-inline'" + resources + "; img-src data: blob:" + resources +
           "; font-src data:" + resources + "; media-src data: blob:" + resources + "; connect-src" +
           or_none(origins(csp, "connectDomains")) + "; frame-src" + or_none(origins(csp, "frameDomains")) +
           "; base-uri" + or_none(origins(csp, "baseUriDomains")) + "; form-action 'none'; frame-ancestors " +
           std::string(host);
}

Result<AppPage> read_app(const json::value& result, std::string_view host) {
    const Error none{code::invalid_answer, "This resource is not an app: it has no HTML."};
    const json::object* o = result.if_object();
    const json::value* contents = o ? o->if_contains("contents") : nullptr;
    if (!contents || !contents->is_array() || contents->get_array().empty()) return none;
    const json::object* first = contents->get_array().front().if_object();
    if (!first || !text_of_member(*first, "mimeType").starts_with("text/html")) return none;
    AppPage page;
    page.html = text_of_member(*first, "text");
    if (first->contains("blob")) page.html = base::base64_decode(text_of_member(*first, "blob")).value_or("");
    if (page.html.empty()) return none;
    const json::object* meta = json::find_object(*first, "_meta");
    const json::object* ui = meta ? json::find_object(*meta, "ui") : nullptr;
    const json::object* csp = ui ? json::find_object(*ui, "csp") : nullptr;
    page.csp = app_policy(csp ? *csp : json::object(), host);
    if (const json::object* permissions = ui ? json::find_object(*ui, "permissions") : nullptr)
        page.permissions = *permissions;
    if (const json::value* border = ui ? ui->if_contains("prefersBorder") : nullptr; border && border->is_bool())
        page.prefers_border = border->get_bool();
    return page;
}

}  // namespace tenon::inspect
