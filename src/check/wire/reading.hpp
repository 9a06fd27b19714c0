// Reads messages tolerantly: reports what is wrong with the text, and also returns its value if possible. So one defect
// does not hide others. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::check {

enum class TextDefect {
    none,
    not_utf8,
    byte_order_mark,
    control_character,  ///< raw, inside a string
    lone_surrogate,     ///< "\ud800" without the second half
    repeated_member,    ///< the same name twice in an object
    no_json,
};

struct Reading {
    std::optional<json::value> value;  ///< the value, if it can be read
    TextDefect defect = TextDefect::none;
    std::string why = {};  ///< the parser's message
};

Reading read_patiently(std::string_view text);

/// Returns the text of the `id` of a message, or of message `index` in an array. Empty for a message without an id.
std::string spelled_id(std::string_view text, std::size_t index = 0);

}  // namespace tenon::check
