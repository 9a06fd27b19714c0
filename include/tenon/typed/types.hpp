// Defines which C++ types have a JSON form, and which form. See the table in tenon/typed.hpp.
#pragma once

#include <array>
#include <boost/describe/bases.hpp>
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/describe/enumerators.hpp>
#include <boost/describe/members.hpp>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tenon/json.hpp>

#pragma GCC visibility push(default)

namespace tenon {
namespace detail {

/// The JSON form of a type. The other files of typed/ classify types only with shape_of<T>().
// clang-format off
enum class Shape {
    none,  // no JSON form
    null, boolean, integer, number, string, enumeration, date, date_time,  // scalars; the last four are JSON strings
    any, any_object, any_array,                                            // json::value, json::object, json::array
    optional, sequence, fixed_array, set, map, tuple, variant, record      // made of parts
};
// clang-format on

template <class T, template <class...> class Template>
inline constexpr bool is_a = false;
template <template <class...> class Template, class... A>
inline constexpr bool is_a<Template<A...>, Template> = true;

// clang-format off
template <class T, class... Any>
concept OneOf = (std::same_as<T, Any> || ...);

template <class T>
concept Character = OneOf<T, char, wchar_t, char8_t, char16_t, char32_t>;
template <class T>
concept Integer = std::integral<T> && !Character<T> && !std::same_as<T, bool>;
template <class T>
concept DescribedEnum = std::is_enum_v<T> && boost::describe::has_describe_enumerators<T>::value;
template <class T>
concept Record = std::is_class_v<T> && boost::describe::has_describe_members<T>::value;
template <class T>
concept Date = OneOf<T, std::chrono::year_month_day, std::chrono::sys_days>;
template <class T>
concept DateTime = OneOf<T, std::chrono::sys_seconds, std::chrono::sys_time<std::chrono::milliseconds>,
                         std::chrono::sys_time<std::chrono::microseconds>,
                         std::chrono::sys_time<std::chrono::nanoseconds>>;
template <class T>
concept Optional = is_a<T, std::optional> || (is_a<T, std::unique_ptr> && !std::is_array_v<typename T::element_type>);
template <class T>
concept Keyed = requires { typename T::key_type; };
template <class T>
concept Mapped = Keyed<T> && requires { typename T::mapped_type; };
template <class T>
concept Sequence = requires(T t, typename T::value_type v) {
    t.push_back(std::move(v)), t.begin(), t.end();
    requires !Character<typename T::value_type>;
};
template <class T>
inline constexpr bool is_std_array = false;
template <class V, std::size_t N>
inline constexpr bool is_std_array<std::array<V, N>> = true;

template <class T>
consteval Shape shape_of() {
    if constexpr (OneOf<T, std::monostate, std::nullptr_t>) return Shape::null;
    else if constexpr (std::same_as<T, bool>) return Shape::boolean;
    else if constexpr (Integer<T>) return Shape::integer;
    else if constexpr (OneOf<T, float, double>) return Shape::number;
    else if constexpr (OneOf<T, std::string, std::string_view>) return Shape::string;
    else if constexpr (DescribedEnum<T>) return Shape::enumeration;
    else if constexpr (Date<T>) return Shape::date;
    else if constexpr (DateTime<T>) return Shape::date_time;
    else if constexpr (std::same_as<T, json::value>) return Shape::any;
    else if constexpr (std::same_as<T, json::object>) return Shape::any_object;
    else if constexpr (std::same_as<T, json::array>) return Shape::any_array;
    else if constexpr (Record<T>) return Shape::record;
    else if constexpr (Optional<T>) return Shape::optional;
    else if constexpr (is_std_array<T>) return Shape::fixed_array;
    else if constexpr (is_a<T, std::pair> || is_a<T, std::tuple>) return Shape::tuple;
    else if constexpr (is_a<T, std::variant>) return Shape::variant;
    else if constexpr (Mapped<T>) return std::same_as<typename T::key_type, std::string> ? Shape::map : Shape::none;
    else if constexpr (Keyed<T>) return Shape::set;
    else if constexpr (Sequence<T>) return Shape::sequence;
    else return Shape::none;
}
// clang-format on

template <class... T>
struct TypeList {};

/// The public data members of a described struct, those of its bases first. Each has D::name and D::pointer.
template <Record T>
using Members = boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>;
template <class T, class D>
using MemberType = std::remove_cvref_t<decltype(std::declval<T&>().*D::pointer)>;

/// Calls f(D()) for each member of T until one call returns false. Returns whether all returned true.
template <Record T, class F>
constexpr bool all_members(F f) {
    return [&]<template <class...> class L, class... D>(L<D...>) { return (f(D()) && ...); }(Members<T>());
}

// clang-format off
/// T without one layer of optional: the type of a member or an argument that is present.
template <class T>
struct Present { using type = T; };
template <Optional T>
struct Present<T> { using type = std::remove_cvref_t<decltype(*std::declval<T&>())>; };
template <class T>
using PresentT = typename Present<T>::type;

/// Returns the types that T consists of. For an optional member, takes the type inside.
template <class T>
consteval auto parts_of() {
    constexpr Shape shape = shape_of<T>();
    if constexpr (shape == Shape::optional) return TypeList<PresentT<T>>();
    else if constexpr (shape == Shape::sequence || shape == Shape::fixed_array || shape == Shape::set)
        return TypeList<typename T::value_type>();
    else if constexpr (shape == Shape::map) return TypeList<typename T::mapped_type>();
    else if constexpr (shape == Shape::tuple || shape == Shape::variant)
        return []<template <class...> class L, class... A>(std::type_identity<L<A...>>) {
            return TypeList<A...>();
        }(std::type_identity<T>());
    else if constexpr (shape == Shape::record)
        return []<template <class...> class L, class... D>(L<D...>) {
            return TypeList<PresentT<MemberType<T, D>>...>();
        }(Members<T>());
    else return TypeList<>();
}
// clang-format on

/// Returns whether null is a value of T itself.
template <class T>
consteval bool nullable() {
    constexpr Shape shape = shape_of<T>();
    if constexpr (shape == Shape::variant)
        return []<class... A>(TypeList<A...>) { return (nullable<A>() || ...); }(parts_of<T>());
    else
        return shape == Shape::null || shape == Shape::any || shape == Shape::optional;
}

template <class T>
consteval int count_numbers() {
    return []<class... A>(TypeList<A...>) {
        return (0 + ... + int(shape_of<A>() == Shape::integer || shape_of<A>() == Shape::number));
    }(parts_of<T>());
}

// clang-format off
/// The reason why a type itself has no JSON form. Its parts may have other reasons.
enum class Refusal {
    none, pointer, enumeration, character, function, path, duration, key, two_numbers, null_twice, view, no_default,
    other
};

template <class T, bool Reading>
consteval Refusal refusal_of() {
    constexpr Shape shape = shape_of<T>();
    if constexpr (shape == Shape::optional) return nullable<PresentT<T>>() ? Refusal::null_twice : Refusal::none;
    else if constexpr (shape == Shape::variant) return count_numbers<T>() > 1 ? Refusal::two_numbers : Refusal::none;
    else if constexpr (Reading && std::same_as<T, std::string_view>) return Refusal::view;
    else if constexpr (shape != Shape::none)
        return Reading && !std::default_initializable<T> ? Refusal::no_default : Refusal::none;
    else if constexpr (std::is_pointer_v<T>) return Refusal::pointer;
    else if constexpr (std::is_enum_v<T>) return Refusal::enumeration;
    else if constexpr (Character<T>) return Refusal::character;
    else if constexpr (Mapped<T>) return Refusal::key;
    else if constexpr (requires { T::preferred_separator; }) return Refusal::path;
    else if constexpr (requires { &T::operator(); }) return Refusal::function;
    else if constexpr (requires { typename T::rep; typename T::period; }) return Refusal::duration;
    else return Refusal::other;
}
// clang-format on

/// Returns whether T and all its parts have a JSON form. `Seen` are the enclosing records: they end the recursion of a
/// struct that contains itself.
template <bool Reading, class T, class... Seen>
consteval bool has_form() {
    if constexpr (OneOf<T, Seen...>)
        return true;
    else if constexpr (refusal_of<T, Reading>() != Refusal::none)
        return false;
    else
        return []<class... P>(TypeList<P...>) {
            if constexpr (Record<T>)
                return (has_form<Reading, P, T, Seen...>() && ...);
            else
                return (has_form<Reading, P, Seen...>() && ...);
        }(parts_of<T>());
}

}  // namespace detail

/// T has a JSON form: it has a schema and can be written. Most such types can also be read; std::string_view cannot.
template <class T>
concept Describable = detail::has_form<false, std::remove_cvref_t<T>>();

namespace detail {

template <class T, Refusal Why>
constexpr void refuse() {
    static_assert(Why != Refusal::pointer,
                  "tenon: a pointer has no JSON form; hold the value itself, std::optional or std::unique_ptr");
    static_assert(Why != Refusal::enumeration,
                  "tenon: this enum has no JSON form; add BOOST_DESCRIBE_ENUM(E, enumerators...) next to it");
    static_assert(Why != Refusal::character,
                  "tenon: a character has no JSON form; use std::string, or std::int8_t for a small number");
    static_assert(Why != Refusal::function,
                  "tenon: a function has no JSON form; leave it out of BOOST_DESCRIBE_STRUCT");
    static_assert(Why != Refusal::path,
                  "tenon: a path has no JSON form, as its bytes need not be UTF-8; use std::string");
    static_assert(Why != Refusal::duration,
                  "tenon: a duration or this time point has no JSON form; use an integer with the unit in its name "
                  "(timeout_ms), or sys_seconds and finer for points in time");
    static_assert(Why != Refusal::key, "tenon: the keys of a JSON object are strings; use a map from std::string");
    static_assert(Why != Refusal::two_numbers,
                  "tenon: JSON has one kind of number, so a variant cannot hold two; keep the wider of them");
    static_assert(Why != Refusal::null_twice,
                  "tenon: an optional of something that can be null itself cannot be told apart; use it only as a "
                  "member of a described struct");
    static_assert(Why != Refusal::view, "tenon: a std::string_view can be written but not read; use std::string");
    static_assert(Why != Refusal::no_default, "tenon: a type that is read from JSON needs a default constructor");
    static_assert(Why != Refusal::other,
                  "tenon: this type has no JSON form; add BOOST_DESCRIBE_STRUCT(T, (), (members...)) next to it");
}

/// Returns the innermost part of T that has no JSON form, as a type_identity. Call it only if T has no JSON form.
template <bool Reading, class T, class... Seen>
consteval auto culprit();

template <bool Reading, class... Seen, class P, class... Rest>
consteval auto culprit_among(TypeList<P, Rest...>, TypeList<Seen...> seen) {
    if constexpr (has_form<Reading, P, Seen...>())
        return culprit_among<Reading>(TypeList<Rest...>(), seen);
    else
        return culprit<Reading, P, Seen...>();
}

template <bool Reading, class T, class... Seen>
consteval auto culprit() {
    if constexpr (refusal_of<T, Reading>() != Refusal::none)
        return std::type_identity<T>();
    else
        return culprit_among<Reading>(parts_of<T>(), TypeList<T, Seen...>());
}

/// Causes a compile error that names the innermost part of T without a JSON form, if there is one.
template <bool Reading, class T>
constexpr void require_form() {
    if constexpr (!has_form<Reading, T>()) {
        using Culprit = typename decltype(culprit<Reading, T>())::type;
        refuse<Culprit, refusal_of<Culprit, Reading>()>();
    }
}

template <class T>
consteval bool flat_member() {
    constexpr Shape shape = shape_of<T>();
    if constexpr (shape == Shape::sequence)
        return shape_of<typename T::value_type>() == Shape::enumeration;
    else
        return shape >= Shape::boolean && shape <= Shape::date_time;
}

template <class T>
consteval bool flat_form() {
    if constexpr (!Record<T>)
        return false;
    else
        return []<class... P>(TypeList<P...>) { return (flat_member<P>() && ...); }(parts_of<T>());
}

}  // namespace detail

/// A described struct that can be shown as a form: its members are strings, booleans, numbers, enums, dates, vectors of
/// enums (several choices), or optionals of those. MCP does not allow other members in forms.
template <class T>
concept FlatForm = detail::flat_form<std::remove_cvref_t<T>>();

/// Causes a compile error with advice if T is not a FlatForm.
template <class T>
constexpr void require_flat_form() {
    static_assert(FlatForm<T>,
                  "tenon: a form must be a described struct with only strings, booleans, numbers, enums, dates, "
                  "vectors of enums, and optionals of those as members");
}

}  // namespace tenon

#pragma GCC visibility pop
