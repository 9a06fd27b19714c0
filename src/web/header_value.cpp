#include "web/header_value.hpp"

#include <algorithm>

#include "base/base64.hpp"

namespace tenon::web {
namespace {

constexpr std::string_view encoded_begins = "=?base64?";
constexpr std::string_view encoded_ends = "?=";

bool is_plain(char c) { return c == '\t' || (c >= 0x20 && c <= 0x7e); }

// 2^53 - 1. Above it, proxies that use doubles could not tell some different numbers apart.
constexpr double largest_exact = 9007199254740991.0;

std::optional<double> exact_number(const json::value& v) {
    if (!v.is_number()) return std::nullopt;
    const auto n = v.to_number<double>();
    return n >= -largest_exact && n <= largest_exact ? std::optional(n) : std::nullopt;
}

bool same_number(std::string_view text, const json::value& body) {
    const auto parsed = json::parse(text);
    const auto said = parsed ? exact_number(*parsed) : std::nullopt;
    return said && said == exact_number(body);
}

}  // namespace

std::optional<std::string_view> decode_header_value(std::string_view value, std::string& memory) {
    if (!std::ranges::all_of(value, is_plain)) return std::nullopt;
    const bool encoded = value.size() >= encoded_begins.size() + encoded_ends.size() &&
                         value.starts_with(encoded_begins) && value.ends_with(encoded_ends);
    if (!encoded) return value;
    value.remove_prefix(encoded_begins.size());
    value.remove_suffix(encoded_ends.size());
    auto decoded = base::base64_decode(value);
    if (!decoded) return std::nullopt;
    return memory = *std::move(decoded);
}

std::optional<std::string> decode_header_value(std::string_view value) {
    std::string memory;
    const auto decoded = decode_header_value(value, memory);
    return decoded ? std::optional(std::string(*decoded)) : std::nullopt;
}

std::string encode_header_value(std::string_view text) {
    const bool blank_edge = !text.empty() && (text.front() == ' ' || text.back() == ' ');
    // A tab is allowed in a header, but some programs strip it at the edges and others refuse it, so it is encoded.
    const bool plain = std::ranges::all_of(text, [](char c) { return c >= 0x20 && c <= 0x7e; }) && !blank_edge;
    const bool mistakable = text.starts_with(encoded_begins) && text.ends_with(encoded_ends);
    if (plain && !mistakable) return std::string(text);
    return std::string(encoded_begins) + base::base64_encode(text) + std::string(encoded_ends);
}

std::string encode_header_scalar(const json::value& scalar) {
    if (const auto* text = scalar.if_string()) return encode_header_value(std::string_view(*text));
    return json::write(scalar);
}

bool says_the_same(std::string_view decoded, const json::value& body) {
    if (const auto* text = body.if_string()) return decoded == std::string_view(*text);
    if (const bool* flag = body.if_bool()) return decoded == (*flag ? "true" : "false");
    return same_number(decoded, body);
}

}  // namespace tenon::web
