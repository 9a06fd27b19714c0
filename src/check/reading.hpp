// Reads what a server sent as messages, with patience: what is wrong with the text is told, and what it says as well,
// so that one defect does not hide everything else. Pure.
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
    lone_surrogate,     ///< "\ud800" without its other half
    repeated_member,    ///< two of one name in an object
    no_json,
};

struct Reading {
    std::optional<json::value> value;  ///< what it says, where that can be told
    TextDefect defect = TextDefect::none;
    std::string why = {};  ///< the parser's words about it
};

Reading read_patiently(std::string_view text);

/// The texts of the `id` of a message, or of the messages of an array: as they were spelled. Empty where there is none.
std::string spelled_id(std::string_view text, std::size_t index = 0);

}  // namespace tenon::check
