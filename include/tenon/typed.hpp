// Typed JSON: generates schemas and conversions for C++ types.
//
//     enum class Sky { clear, cloudy };
//     BOOST_DESCRIBE_ENUM(Sky, clear, cloudy)
//     struct Forecast { std::string city; double celsius; std::optional<Sky> sky; };
//     BOOST_DESCRIBE_STRUCT(Forecast, (), (city, celsius, sky))
//
//     tenon::schema_of<Forecast>()                  // {"type":"object","properties":{"city":{"type":"string"},...
//     tenon::to_json(Forecast{"Oslo", 21.5, {}})    // {"city":"Oslo","celsius":21.5}
//     tenon::from_json<Forecast>(value)             // or: expected a number at `celsius`, got a string
//
// The JSON of a type:
//
//   bool; float, double            a boolean; a number
//   integers of 8 to 64 bits       an integer within the type's range; 3.0 is read as 3
//   std::string                    a UTF-8 string (invalid UTF-8 is replaced when written)
//   std::string_view               the same, but can only be written
//   enums with BOOST_DESCRIBE_ENUM the enumerator's name
//   year_month_day, sys_days       "2026-07-28"
//   sys_seconds, sys_time<D>       "2026-07-28T12:00:00Z"; D: milli-, micro- or nanoseconds. Every UTC offset can be
//                                  read; fractions finer than D are cut off
//   std::optional, std::unique_ptr as a member or an argument: not required, and not written when empty (null is read
//                                  as absent); elsewhere: the value or null
//   std::vector, deque, list       an array
//   std::array                     an array of that length
//   sets                           an array of distinct elements
//   maps from std::string          an object with any members. unordered_map and unordered_set refuse more than 64
//                                  keys in one bucket: std::hash is not keyed, so a sender can choose colliding keys
//   std::pair, std::tuple          an array with one element for each part
//   structs described with         an object with these members and those of described bases. Unknown members are
//   BOOST_DESCRIBE_STRUCT          ignored when read, and the schema allows them. A struct may contain itself
//   std::variant                   the JSON of its current alternative (`anyOf`). Read as the first alternative that
//                                  fits without unknown members, else the first that fits: put the narrower first
//                                  (an enum before std::string). Only one alternative may be a number, because JSON
//                                  does not distinguish 3 from 3.0
//   std::monostate                 null
//   json::value, object, array     the same JSON
//
// NaN, infinities, enum values without an enumerator, and dates outside the years 0 to 9999 are written as null. For
// every other value v, two laws hold, if no two alternatives of a variant can have the same JSON:
// schema_of<T>() accepts to_json(v), and from_json<T>(to_json(v)) equals v.
// A type that is not in this table is a compile error, and its message says what to do.
#pragma once

#include <tenon/typed/args.hpp>
#include <tenon/typed/decode.hpp>
#include <tenon/typed/encode.hpp>
#include <tenon/typed/fields.hpp>
#include <tenon/typed/schema_of.hpp>
#include <tenon/typed/types.hpp>
