#include "base/safe_value.hpp"

#include <algorithm>

#include "base/uri_chars.hpp"

namespace tenon::base {
namespace {

using std::string_view;

bool has_nul(string_view text) noexcept { return text.find('\0') != string_view::npos; }

bool is_name(string_view text) noexcept {
    return !has_nul(text) && text.find_first_of("/\\") == string_view::npos && text != "." && text != "..";
}

bool has_parent_segment(string_view path) noexcept {
    for (;;) {
        const std::size_t end = path.find_first_of("/\\");
        if (path.substr(0, end) == "..") return true;
        if (end == string_view::npos) return false;
        path.remove_prefix(end + 1);
    }
}

bool begins_with_drive(string_view path) noexcept { return path.size() > 1 && is_alpha(path[0]) && path[1] == ':'; }

bool is_relative_path(string_view text) noexcept {
    if (text.starts_with('/') || text.starts_with('\\') || begins_with_drive(text)) return false;
    return !has_nul(text) && !has_parent_segment(text);
}

// Decodes like a careless reader: a broken encoding is kept as it is.
std::string decode_leniently(string_view text) {
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!is_percent_encoded(text, i)) {
            decoded += text[i];
            continue;
        }
        decoded += percent_encoded_byte(text, i);
        i += 2;
    }
    return decoded;
}

// Returns whether values of this operator are single names. All other operators have relative paths, which are safe,
// too.
bool takes_names(char op) noexcept { return op == 0 || op == '.' || op == '/'; }

bool is_safe_text(char op, string_view text) {
    const auto is_allowed = takes_names(op) ? is_name : is_relative_path;
    if (!is_allowed(text)) return false;
    return text.find('%') == string_view::npos || is_allowed(decode_leniently(text));
}

bool is_safe_list(char op, const UriTemplate::List& list) {
    if (op == '/' && list.size() > 1 && list.front().empty()) return false;
    return std::ranges::all_of(list, [op](const std::string& item) { return is_safe_text(op, item); });
}

bool is_safe_map(char op, const UriTemplate::Map& map) {
    return std::ranges::all_of(
        map, [op](const auto& entry) { return is_safe_text(op, entry.first) && is_safe_text(op, entry.second); });
}

}  // namespace

bool is_safe_value(char op, const UriTemplate::Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return is_safe_text(op, *text);
    if (const auto* list = std::get_if<UriTemplate::List>(&value)) return is_safe_list(op, *list);
    return is_safe_map(op, std::get<UriTemplate::Map>(value));
}

}  // namespace tenon::base
