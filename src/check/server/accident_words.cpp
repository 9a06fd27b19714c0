#include "check/server/accident_words.hpp"

#include <array>

namespace tenon::check {
namespace {

// Messages of language runtimes about a value that is not there. The names of exceptions alone are not enough: a good
// refusal may be a TypeError or a ValueError.
constexpr std::array<std::string_view, 19> accident_signs = {"Cannot read properties of undefined",
                                                             "Cannot read properties of null",
                                                             "Cannot read property '",
                                                             "Cannot destructure property",
                                                             "Cannot convert undefined or null to object",
                                                             "undefined is not an object",
                                                             "undefined is not iterable",
                                                             "is not a function",
                                                             "'NoneType' object ",
                                                             "Traceback (most recent call last)",
                                                             "NullPointerException",
                                                             "Object reference not set to an instance",
                                                             "nil pointer dereference",
                                                             "invalid memory address",
                                                             "index out of range [",
                                                             "called `Option::unwrap()` on a `None` value",
                                                             "called `Result::unwrap()` on an `Err` value",
                                                             "for nil:NilClass",
                                                             "Segmentation fault"};

// A missing argument was used as a path or as the name of a host.
constexpr std::array<std::string_view, 4> used_as_name = {"ENOTFOUND undefined", "open 'undefined'", "stat 'undefined'",
                                                          "scandir 'undefined'"};

template <class Words>
std::string first_of(const Words& words, std::string_view text) {
    for (const std::string_view word : words)
        if (text.find(word) != text.npos) return std::string(word);
    return {};
}

}  // namespace

std::string accident_in(std::string_view text) {
    const std::string found = first_of(accident_signs, text);
    return found.empty() ? first_of(used_as_name, text) : found;
}

}  // namespace tenon::check
