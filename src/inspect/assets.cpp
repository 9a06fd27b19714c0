#include "inspect/assets.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tenon::inspect {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> types = {{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".json", "application/json"},
    {".woff2", "font/woff2"},
    {".txt", "text/plain; charset=utf-8"},
}};

}  // namespace

const Asset* find_asset(std::string_view path) {
    if (path == "/") path = "/index.html";
    const auto all = assets();
    const auto found = std::ranges::find(all, path, &Asset::path);
    return found == all.end() ? nullptr : &*found;
}

std::string_view content_type_of(std::string_view path) {
    const auto found = std::ranges::find_if(types, [&](const auto& type) { return path.ends_with(type.first); });
    return found == types.end() ? "application/octet-stream" : found->second;
}

}  // namespace tenon::inspect
