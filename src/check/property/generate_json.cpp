#include "check/property/generate_json.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace tenon::check {
namespace {

using namespace std::string_view_literals;

constexpr std::array pieces = {
    "a"sv,          "B"sv,
    " "sv,          "\""sv,
    "\\"sv,         "/"sv,
    "\n"sv,         "\r\n"sv,
    "\t"sv,         "\0"sv,
    "\x1b[31m"sv,   "\x7f"sv,
    "é"sv,          "ß"sv,
    "日本"sv,       "\u2028"sv,
    "\u2029"sv,     "\ufeff"sv,
    "\u202e"sv,     "\u200b"sv,
    "e\u0301"sv,    "👩‍👩‍👧"sv,
    "\U0001F600"sv, "\U0010FFFF"sv,
    "{\"id\":1}"sv, "</script>"sv,
    "${x}"sv,       "%00"sv,
    "../"sv,        "null"sv,
};

const std::array<json::value, 18> numbers = {
    0,
    1,
    -1,
    0.5,
    -0.0,
    0.1,
    127,
    256,
    std::int64_t{2147483647},
    std::int64_t{2147483648},
    std::int64_t{4294967296},
    std::int64_t{9007199254740991},
    std::int64_t{-9007199254740991},
    std::numeric_limits<std::int64_t>::max(),
    std::numeric_limits<std::int64_t>::min(),
    1e21,
    1.7976931348623157e308,
    5e-324,
};

}  // namespace

std::string any_string(Choices& choices) {
    std::string made;
    if (choices.once_in(40)) made.assign(10'000, 'x');
    for (auto n = choices.below(6); n > 0; --n) made += choices.pick(pieces);
    return made;
}

json::value any_number(Choices& choices) { return choices.pick(numbers); }

json::value any_value(Choices& choices, unsigned depth) {
    switch (choices.below(depth == 0 ? 4 : 6)) {
        case 0: return nullptr;
        case 1: return choices.below(2) == 1;
        case 2: return any_number(choices);
        case 3: return json::value(any_string(choices));
        case 4: {
            json::array array;
            for (auto n = choices.below(4); n > 0; --n) array.push_back(any_value(choices, depth - 1));
            return array;
        }
        default: {
            json::object object;
            for (auto n = choices.below(4); n > 0; --n) {
                auto name = any_string(choices);
                object.insert_or_assign(name, any_value(choices, depth - 1));
            }
            return object;
        }
    }
}

}  // namespace tenon::check
