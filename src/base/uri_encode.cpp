#include "base/uri_encode.hpp"

#include <cstddef>

#include "base/uri_chars.hpp"

namespace tenon::base {
namespace {

void append_encoded(std::string& out, char c) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte >> 4];
    out += digits[byte & 15];
}

}  // namespace

std::string encode_unreserved(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) is_unreserved(c) ? void(out += c) : append_encoded(out, c);
    return out;
}

std::string encode_reserved(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool stays = is_unreserved(text[i]) || is_reserved(text[i]) || is_percent_encoded(text, i);
        stays ? void(out += text[i]) : append_encoded(out, text[i]);
    }
    return out;
}

}  // namespace tenon::base
