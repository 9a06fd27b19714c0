// Converts C++ values to JSON: to_json() makes a json::value, write_json() writes the same JSON directly as text.
#pragma once

#include <tenon/json_writer.hpp>
#include <tenon/typed/types.hpp>

#pragma GCC visibility push(default)

namespace tenon {
namespace detail {

/// Builds a json::value. Has the same functions as json::Writer.
class ValueSink {
 public:
    void begin_object() { open_.push_back(&(place() = json::object())); }
    void end_object() { open_.pop_back(); }
    void begin_array() { open_.push_back(&(place() = json::array())); }
    void end_array() { open_.pop_back(); }
    void key(std::string_view name) { key_ = name; }

    void null() { place() = nullptr; }
    void boolean(bool b) { place() = b; }
    void number(std::int64_t n) { place() = n; }
    void number(std::uint64_t n) { place() = n; }
    void number(double d);
    void string(std::string_view s);
    void value(const json::value& v) { place() = v; }
    void value(const json::object& o) { place() = o; }
    void value(const json::array& a) { place() = a; }

    json::value take() { return std::move(result_); }

 private:
    json::value& place();  // returns the place for the next value

    json::value result_;
    std::vector<json::value*> open_;  // arrays and objects that are not ended yet, outermost first
    std::string_view key_;
};

/// Returns "2026-07-28"; empty when the date does not exist or its year is not in 0..9999.
std::string format_date(std::chrono::year_month_day date);
/// Returns "2026-07-28T12:00:00.250Z", with `digits` digits of `fraction`; empty when the year is not in 0..9999.
std::string format_date_time(std::chrono::sys_seconds seconds, std::chrono::nanoseconds fraction, int digits);

template <DateTime T>
consteval int fraction_digits() {
    int digits = 0;
    for (auto n = T::period::den; n > 1; n /= 10) ++digits;
    return digits;
}

template <class T>
std::string date_text(const T& t) {
    if constexpr (Date<T>) {
        return format_date(std::chrono::year_month_day(t));
    } else {
        const auto seconds = std::chrono::floor<std::chrono::seconds>(t);
        return format_date_time(seconds, t - seconds, fraction_digits<T>());
    }
}

template <DescribedEnum E>
const char* enum_name(E e) {
    const char* name = nullptr;
    [&]<template <class...> class L, class... D>(L<D...>) {
        static_cast<void>(((e == D::value && (name = D::name)) || ...));
    }(boost::describe::describe_enumerators<E>());
    return name;
}

template <class T, class Sink>
void encode(Sink& out, const T& v);

template <class Sink, Record T>
void encode_record(Sink& out, const T& v) {
    out.begin_object();
    all_members<T>([&](auto d) {
        const auto& member = v.*d.pointer;
        using M = MemberType<T, decltype(d)>;
        if constexpr (shape_of<M>() == Shape::optional) {
            if (member) out.key(d.name), encode<PresentT<M>>(out, *member);
        } else {
            out.key(d.name), encode<M>(out, member);
        }
        return true;
    });
    out.end_object();
}

// clang-format off
// Writes `v` as JSON. Values without a JSON form (NaN, a date that does not exist, an enum value without a name) become
// null.
template <class T, class Sink>
void encode(Sink& out, const T& v) {
    constexpr Shape shape = shape_of<T>();
    if constexpr (shape == Shape::null) out.null();
    else if constexpr (shape == Shape::boolean) out.boolean(v);
    else if constexpr (shape == Shape::integer)
        out.number(static_cast<std::conditional_t<std::signed_integral<T>, std::int64_t, std::uint64_t>>(v));
    else if constexpr (shape == Shape::number) out.number(static_cast<double>(v));
    else if constexpr (shape == Shape::string) out.string(v);
    else if constexpr (shape == Shape::enumeration) {
        const char* name = enum_name(v);
        name ? out.string(name) : out.null();
    } else if constexpr (shape == Shape::date || shape == Shape::date_time) {
        const std::string text = date_text(v);
        text.empty() ? out.null() : out.string(text);
    } else if constexpr (shape == Shape::any || shape == Shape::any_object || shape == Shape::any_array) out.value(v);
    else if constexpr (shape == Shape::optional) v ? encode<PresentT<T>>(out, *v) : out.null();
    else if constexpr (shape == Shape::variant) {
        if (v.valueless_by_exception()) return out.null();
        std::visit([&]<class A>(const A& a) { encode<A>(out, a); }, v);
    } else if constexpr (shape == Shape::tuple) {
        out.begin_array();
        std::apply([&]<class... A>(const A&... a) { (encode<A>(out, a), ...); }, v);
        out.end_array();
    } else if constexpr (shape == Shape::map) {
        out.begin_object();
        for (const auto& [key, member] : v) out.key(key), encode<typename T::mapped_type>(out, member);
        out.end_object();
    } else if constexpr (shape == Shape::record) encode_record(out, v);
    else {
        out.begin_array();
        for (const auto& element : v) encode<typename T::value_type>(out, element);
        out.end_array();
    }
}
// clang-format on

}  // namespace detail

/// Converts a value to JSON.
template <class T>
json::value to_json(const T& v) {
    detail::require_form<false, T>();
    detail::ValueSink out;
    if constexpr (Describable<T>) detail::encode<T>(out, v);
    return out.take();
}

/// Writes the same JSON as to_json(), without building a json::value first.
template <class T>
void write_json(json::Writer& out, const T& v) {
    detail::require_form<false, T>();
    if constexpr (Describable<T>) detail::encode<T>(out, v);
}

}  // namespace tenon

#pragma GCC visibility pop
