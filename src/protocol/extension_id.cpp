#include "protocol/extension_id.hpp"

#include <algorithm>
#include <string>

namespace tenon::protocol {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_letter_or_digit(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

bool is_label(std::string_view label) {
    return !label.empty() && is_letter(label.front()) && is_letter_or_digit(label.back()) &&
           std::ranges::all_of(label, [](char c) { return is_letter_or_digit(c) || c == '-'; });
}

bool is_prefix(std::string_view prefix) {
    for (;;) {
        const std::size_t dot = prefix.find('.');
        if (!is_label(prefix.substr(0, dot))) return false;
        if (dot == std::string_view::npos) return true;
        prefix.remove_prefix(dot + 1);
    }
}

bool is_name(std::string_view name) {
    return name.empty() || (is_letter_or_digit(name.front()) && is_letter_or_digit(name.back()) &&
                            std::ranges::all_of(name, [](char c) {
                                return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.';
                            }));
}

}  // namespace

bool is_extension_id(std::string_view id) {
    const std::size_t slash = id.find('/');
    return slash != std::string_view::npos && is_prefix(id.substr(0, slash)) && is_name(id.substr(slash + 1));
}

Result<void> check_extension_ids(const json::object& extensions) {
    for (const auto& [name, settings] : extensions)
        if (!is_extension_id(name))
            return Error{code::invalid_params,
                         "The extension `" + std::string(name) +
                             "` needs an identifier with a prefix: labels of letters, digits and \"-\" between dots, "
                             "a slash, and a name. For example \"com.example/search\"."};
    return {};
}

}  // namespace tenon::protocol
