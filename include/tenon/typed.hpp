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
//   sys_seconds, sys_time<D>       "2026-07-28T12:00:00Z"; D: milli-, micro- or nanoseconds. Any offset is read,
//                                  finer fractions are cut off
//   std::optional, std::unique_ptr as a member or an argument: not required, absent when empty (null is read as
//                                  absent); elsewhere: the value or null
//   std::vector, deque, list       an array;  std::array: of that length;  sets: of distinct elements
//   maps from std::string          an object with any members. unordered_map and unordered_set refuse more than 64
//                                  keys in one bucket: their hash has no secret, so a sender can make keys collide
//   std::pair, std::tuple          an array with an element each
//   structs described with         an object with these members and those of described bases; others are ignored
//   BOOST_DESCRIBE_STRUCT          when read, as the schema does not forbid them. May contain themselves
//   std::variant                   whatever the alternative is (`anyOf`). Read as the first alternative that fits
//                                  without unknown members, else the first that fits: put the narrower first
//                                  (an enum before std::string). Not two numbers: JSON cannot tell 3 from 3.0
//   std::monostate                 null
//   json::value, object, array     themselves
//
// Two laws hold, for finite numbers, enumerators, and dates in the years 0 to 9999 (anything else is written as null):
// schema_of<T>() accepts to_json(v), and from_json<T>(to_json(v)) equals v, if no two alternatives of a variant can
// have the same JSON. Any other type is a compile error that says what to do.
#pragma once

#include <tenon/typed/args.hpp>
#include <tenon/typed/decode.hpp>
#include <tenon/typed/encode.hpp>
#include <tenon/typed/fields.hpp>
#include <tenon/typed/schema_of.hpp>
#include <tenon/typed/types.hpp>
