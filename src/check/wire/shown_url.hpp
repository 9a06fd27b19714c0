// The form of a URL in reports.
#pragma once

#include <string>
#include <string_view>

namespace tenon::check {

/// Returns a URL without its query, user and password, because these may be credentials, and people share reports.
inline std::string shown_url(std::string_view url) {
    std::string out(url.substr(0, url.find_first_of("?#")));
    if (out.size() < url.size()) out += "?(not shown)";
    const std::size_t host = out.find("://");
    if (host == std::string::npos) return out;
    const std::size_t at = out.substr(0, out.find_first_of("/?", host + 3)).rfind('@');
    if (at != std::string::npos) out.replace(host + 3, at - host - 3, "(not shown)");
    return out;
}

}  // namespace tenon::check
