// Converts JSON to C++ values. Errors name the place: "expected an integer at `arguments.days`, got a string".
#pragma once

#include <limits>

#include <tenon/typed/fields.hpp>

#pragma GCC visibility push(default)

namespace tenon {
namespace detail {

/// The state of one from_json() call.
struct Report {
    std::string message;  ///< the first error
    int attempts =
        10'000;  ///< how many alternatives of variants may still be tried: bounds the time of nested variants
};

/// A place inside a value. Points to the enclosing place on the stack, so it costs nothing until an error needs its
/// text.
class Path {
 public:
    Path(Report& report, std::string_view root) : report_(report), key_(root) {}
    Path(const Path& parent, std::string_view key) : Path(parent, key, not_an_index) {}
    Path(const Path& parent, std::size_t index) : Path(parent, {}, index) {}
    /// Copies a place to try an alternative of a variant. `strict` refuses members that a struct does not have.
    Path(const Path& other, Report& report, bool strict)
        : report_(report), parent_(other.parent_), key_(other.key_), index_(other.index_), strict_(strict) {}

    Report& report() const { return report_; }
    bool strict() const { return strict_; }
    std::string text() const;  ///< "arguments.days[2]"

    // These set the message and return false.
    bool expected(std::string_view what, const json::value& got) const;      ///< "..., got a string"
    bool expected_not(std::string_view what, const json::value& got) const;  ///< "..., got \"blue\""
    bool missing() const;
    bool unknown(std::string_view member) const;
    bool refuse(std::string message) const;

 private:
    Path(const Path& parent, std::string_view key, std::size_t index)
        : report_(parent.report_), parent_(&parent), key_(key), index_(index), strict_(parent.strict_) {}

    bool mismatch(std::string_view what, std::string_view found) const;

    static constexpr auto not_an_index = static_cast<std::size_t>(-1);
    Report& report_;
    const Path* parent_ = nullptr;
    std::string_view key_;
    std::size_t index_ = not_an_index;
    bool strict_ = false;
};

bool read(const json::value& v, bool& out, const Path& at);
bool read(const json::value& v, std::string& out, const Path& at);
bool read(const json::value& v, double& out, const Path& at);
bool read(const json::value& v, float& out, const Path& at);
bool read_integer(const json::value& v, std::int64_t& out, std::int64_t min, std::int64_t max, const Path& at);
bool read_integer(const json::value& v, std::uint64_t& out, std::uint64_t min, std::uint64_t max, const Path& at);
bool read_date(const json::value& v, std::chrono::year_month_day& out, const Path& at);
bool read_date_time(const json::value& v, std::chrono::sys_seconds& out, std::chrono::nanoseconds& fraction,
                    std::chrono::sys_seconds min, std::chrono::sys_seconds max, const Path& at);
/// Sets the message for a value that is not one of the enumerators, and returns false.
bool not_an_enumerator(const json::value& v, std::initializer_list<const char*> names, const Path& at);
/// Returns "an integer", "a string", ...
std::string_view noun_of(const json::value& v);

template <class T>
consteval std::string_view noun() {
    constexpr Shape shape = shape_of<T>();
    switch (shape) {
        case Shape::null: return "null";
        case Shape::boolean: return "a boolean";
        case Shape::integer: return "an integer";
        case Shape::number: return "a number";
        case Shape::any_object:
        case Shape::map:
        case Shape::record: return "an object";
        case Shape::any_array:
        case Shape::sequence:
        case Shape::fixed_array:
        case Shape::set:
        case Shape::tuple: return "an array";
        default: return shape >= Shape::string && shape <= Shape::date_time ? "a string" : "something else";
    }
}

template <class T>
bool decode(const json::value& v, T& out, const Path& at);

template <class T>
bool decode_integer(const json::value& v, T& out, const Path& at) {
    using Limits = std::numeric_limits<T>;
    std::conditional_t<std::signed_integral<T>, std::int64_t, std::uint64_t> wide = 0;
    if (!read_integer(v, wide, Limits::min(), Limits::max(), at)) return false;
    out = static_cast<T>(wide);
    return true;
}

template <DescribedEnum E>
bool decode_enum(const json::value& v, E& out, const Path& at) {
    const auto* s = v.if_string();
    return [&]<template <class...> class L, class... D>(L<D...>) {
        const bool found = s && ((std::string_view(*s) == D::name && (out = D::value, true)) || ...);
        return found || not_an_enumerator(v, {D::name...}, at);
    }(boost::describe::describe_enumerators<E>());
}

template <DateTime T>
bool decode_date_time(const json::value& v, T& out, const Path& at) {
    using namespace std::chrono;
    sys_seconds whole;
    nanoseconds fraction{};
    if (!read_date_time(v, whole, fraction, ceil<seconds>(T::min()), floor<seconds>(T::max()) - seconds(1), at))
        return false;
    out = T(whole) + floor<typename T::duration>(fraction);
    return true;
}

/// Reads a member or an argument. `v` is null when it is absent; `otherwise` is its default value, or null.
template <class M>
bool decode_member(const json::value* v, const json::value* otherwise, M& out, const Path& at) {
    if (!v) v = otherwise;
    if constexpr (shape_of<M>() == Shape::optional) {
        if (!v || (v->is_null() && !nullable<PresentT<M>>())) return out = M(), true;
        PresentT<M> present{};
        if (!decode(*v, present, at)) return false;
        if constexpr (is_a<M, std::optional>)
            out = std::move(present);
        else
            out = std::make_unique<PresentT<M>>(std::move(present));
        return true;
    } else {
        return v ? decode(*v, out, at) : at.missing();
    }
}

template <Record T>
bool decode_record(const json::value& v, T& out, const Path& at) {
    const json::object* o = v.if_object();
    if (!o) return at.expected("an object", v);
    if (at.strict()) {
        for (const auto& member : *o)
            if (all_members<T>([&](auto d) { return member.key() != d.name; })) return at.unknown(member.key());
    }
    return all_members<T>([&](auto d) {
        const json::value* member = o->if_contains(d.name);
        const json::value* otherwise = nullptr;
        if (!member) fields_of<T>().template find<decltype(d)>([&](const auto& f) { otherwise = f.default_value(); });
        return decode_member(member, otherwise, out.*d.pointer, Path(at, d.name));
    });
}

/// Reads the first alternative that fits without unknown members; otherwise the first that fits.
template <class T>
bool decode_variant(const json::value& v, T& out, const Path& at) {
    std::string reason;  // error of the first alternative that has at least the right JSON type
    const auto try_one = [&]<class A>(std::type_identity<A>, bool strict) {
        if (--at.report().attempts < 0) return false;
        Report report{{}, at.report().attempts};
        A alternative{};
        const bool fits = decode(v, alternative, Path(at, report, strict));
        at.report().attempts = report.attempts;
        if (fits)
            out = T(std::in_place_type<A>, std::move(alternative));
        else if (reason.empty() && noun<A>() == noun_of(v))
            reason = std::move(report.message);
        return fits;
    };
    return [&]<class... A>(TypeList<A...>) {
        if ((try_one(std::type_identity<A>(), true) || ...)) return true;
        if (!at.strict() && (try_one(std::type_identity<A>(), false) || ...)) return true;
        if (at.report().attempts < 0) return at.refuse("too many alternatives to try at `" + at.text() + "`");
        if (!reason.empty()) return at.refuse(std::move(reason));
        std::string nouns;
        ((nouns += (nouns.empty() ? "" : " or "), nouns += noun<A>()), ...);
        return at.expected(nouns, v);
    }(parts_of<T>());
}

template <class T>
bool decode_tuple(const json::value& v, T& out, const Path& at) {
    constexpr std::size_t size = std::tuple_size_v<T>;
    const json::array* a = v.if_array();
    if (!a || a->size() != size) return at.expected("an array of " + std::to_string(size), v);
    if constexpr (is_std_array<T>) {
        for (std::size_t i = 0; i < size; ++i)
            if (!decode((*a)[i], out[i], Path(at, i))) return false;
        return true;
    } else {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (decode((*a)[I], std::get<I>(out), Path(at, I)) && ...);
        }
        (std::make_index_sequence<size>());
    }
}

// The hash tables of the standard library are not keyed. A sender can choose keys that all fall into one bucket, and
// every insertion then has to visit all of them. So more keys than this in one bucket are refused. Normal keys never
// come close, because there are at least as many buckets as keys.
constexpr std::size_t max_keys_in_one_bucket = 64;

template <class T>
bool has_crowded_bucket(const T& table, const typename T::key_type& key) {
    if constexpr (requires { table.bucket_size(table.bucket(key)); })
        return table.bucket_size(table.bucket(key)) > max_keys_in_one_bucket;
    else
        return false;
}

bool refuse_crowded_bucket(const Path& at);

template <class T>
bool decode_map(const json::value& v, T& out, const Path& at) {
    const json::object* o = v.if_object();
    if (!o) return at.expected("an object", v);
    out.clear();
    for (const auto& member : *o) {
        const std::string key(member.key());
        if (has_crowded_bucket(out, key)) return refuse_crowded_bucket(at);
        if (!decode(member.value(), out[key], Path(at, std::string_view(key)))) return false;
    }
    return true;
}

template <class T>
bool decode_list(const json::value& v, T& out, const Path& at) {
    const json::array* a = v.if_array();
    if (!a) return at.expected("an array", v);
    out.clear();
    if constexpr (requires { out.reserve(a->size()); }) out.reserve(a->size());
    for (std::size_t i = 0; i < a->size(); ++i) {
        typename T::value_type element{};
        const Path inside(at, i);
        if (!decode((*a)[i], element, inside)) return false;
        if constexpr (shape_of<T>() == Shape::sequence) {
            out.push_back(std::move(element));
        } else {
            if (has_crowded_bucket(out, element)) return refuse_crowded_bucket(at);
            if (out.insert(std::move(element)); out.size() != i + 1)
                return inside.refuse("`" + inside.text() + "` is repeated");
        }
    }
    return true;
}

// clang-format off
template <class T>
bool decode(const json::value& v, T& out, const Path& at) {
    constexpr Shape shape = shape_of<T>();
    if constexpr (shape == Shape::null) return v.is_null() || at.expected("null", v);
    else if constexpr (shape == Shape::integer) return decode_integer(v, out, at);
    else if constexpr (shape == Shape::enumeration) return decode_enum(v, out, at);
    else if constexpr (shape == Shape::date) {
        std::chrono::year_month_day date;
        return read_date(v, date, at) && (out = T(date), true);
    } else if constexpr (shape == Shape::date_time) return decode_date_time(v, out, at);
    else if constexpr (shape == Shape::any) return out = v, true;
    else if constexpr (shape == Shape::any_object)
        return v.is_object() ? (out = v.get_object(), true) : at.expected("an object", v);
    else if constexpr (shape == Shape::any_array)
        return v.is_array() ? (out = v.get_array(), true) : at.expected("an array", v);
    else if constexpr (shape == Shape::optional) return decode_member(&v, nullptr, out, at);
    else if constexpr (shape == Shape::record) return decode_record(v, out, at);
    else if constexpr (shape == Shape::variant) return decode_variant(v, out, at);
    else if constexpr (shape == Shape::tuple || shape == Shape::fixed_array) return decode_tuple(v, out, at);
    else if constexpr (shape == Shape::map) return decode_map(v, out, at);
    else if constexpr (shape == Shape::sequence || shape == Shape::set) return decode_list(v, out, at);
    else return read(v, out, at);
}
// clang-format on

}  // namespace detail

/// Converts JSON to a T. An error has code::invalid_params and names the place, which begins with `path`. Ignores
/// unknown members of a struct. Accepts a little more than the schema: null counts as an absent optional.
template <class T>
Result<T> from_json(const json::value& v, std::string_view path = "") {
    detail::require_form<true, T>();
    detail::Report report;
    if constexpr (detail::has_form<true, T>()) {
        T out{};
        if (detail::decode(v, out, detail::Path(report, path)))
            return Result<T>(boost::system::in_place_value, std::move(out));
    }
    return Error{code::invalid_params, std::move(report.message)};
}

}  // namespace tenon

#pragma GCC visibility pop
