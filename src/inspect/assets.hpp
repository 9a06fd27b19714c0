// The files of the page, which are part of the program. src/inspect/embed.cmake writes them.
#pragma once

#include <span>
#include <string_view>

namespace tenon::inspect {

/// A file of web/.
struct Asset {
    std::string_view path;  ///< as in a URL: "/app/main.js"
    std::string_view bytes;
};
/// Returns all files, in no particular order.
std::span<const Asset> assets();
/// Returns the file with this path, or null. "/" is "/index.html".
const Asset* find_asset(std::string_view path);
/// Returns the content type for the ending of a path. An unknown ending is a download.
std::string_view content_type_of(std::string_view path);

}  // namespace tenon::inspect
