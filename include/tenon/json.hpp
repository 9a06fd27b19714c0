// JSON: the value types of Boost.JSON, with Tenon's own strict parser and encoder.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include <tenon/error.hpp>

#pragma GCC visibility push(default)

namespace tenon::json {

using boost::json::array;
using boost::json::kind;
using boost::json::object;
using boost::json::storage_ptr;
using boost::json::value;

/// Limits of parse().
struct ParseLimits {
    std::size_t max_depth = 128;       ///< nesting of arrays and objects
    std::size_t max_members = 10'000;  ///< members of one object
    /// Values and keys of the whole text. Decoding needs about 60 bytes for each. More than 536'870'911 counts as
    /// 536'870'911.
    std::size_t max_nodes = 1'000'000;
};

/// Parses one JSON text. Takes linear time for every input. Refuses, with code -32700: syntax errors (with the offset),
/// trailing bytes, invalid UTF-8, lone surrogates, duplicate keys, a text that exceeds a limit, and objects whose keys
/// were chosen to collide in a hash table.
Result<value> parse(std::string_view text, ParseLimits limits = {}, storage_ptr storage = {});

/// Writes a value as compact JSON without raw newlines. Invalid UTF-8 becomes U+FFFD; NaN and infinities become null.
std::string write(const value& v);

}  // namespace tenon::json

#pragma GCC visibility pop
