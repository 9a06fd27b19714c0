// Schema keywords of one value besides its type: description, bounds, default. For arguments (args.hpp) and for the
// members of described structs (this file).
#pragma once

#include <initializer_list>

#include <tenon/typed/encode.hpp>

#pragma GCC visibility push(default)

namespace tenon {
namespace detail {

/// The functions that follow arg<T>() and field<&S::m>(). If T is optional, they apply to the value inside. They only
/// change the schema: from_json() does not check bounds and patterns; validating with the schema does.
template <class Self, class T>
class Keywords {
    using V = PresentT<T>;
    static constexpr Shape shape = shape_of<V>();
    static constexpr bool is_number = shape == Shape::integer || shape == Shape::number;
    static constexpr bool is_list = shape == Shape::sequence || shape == Shape::set;
    static constexpr bool is_choice = is_number || shape == Shape::string || shape == Shape::enumeration;

 public:
    template <class N>
    Self& min(N least) {
        static_assert(is_number, "tenon: min() is for numbers; a string has min_length(), a list has min_items()");
        return bound("minimum", least);
    }
    template <class N>
    Self& max(N most) {
        static_assert(is_number, "tenon: max() is for numbers; a string has max_length(), a list has max_items()");
        return bound("maximum", most);
    }
    Self& min_length(std::size_t n) {
        static_assert(shape == Shape::string,
                      "tenon: min_length() is for strings; a number has min(), a list has min_items()");
        return set("minLength", n);
    }
    Self& max_length(std::size_t n) {
        static_assert(shape == Shape::string,
                      "tenon: max_length() is for strings; a number has max(), a list has max_items()");
        return set("maxLength", n);
    }
    Self& min_items(std::size_t n) {
        static_assert(is_list, "tenon: min_items() is for lists; a number has min(), a string has min_length()");
        return set("minItems", n);
    }
    Self& max_items(std::size_t n) {
        static_assert(is_list, "tenon: max_items() is for lists; a number has max(), a string has max_length()");
        return set("maxItems", n);
    }
    /// Sets a regular expression (ECMA-262). It may match anywhere in the string unless it is anchored.
    Self& pattern(std::string_view regex) {
        static_assert(shape == Shape::string, "tenon: pattern() is for strings only");
        return set("pattern", regex);
    }
    /// Sets the format: "email", "uri", ... The server checks it, unless ServerOptions::check_formats is false.
    Self& format(std::string_view name) {
        static_assert(shape == Shape::string, "tenon: format() is for strings only; dates have theirs by type");
        return set("format", name);
    }
    /// Allows only these values.
    Self& one_of(std::initializer_list<V> values) {
        static_assert(is_choice, "tenon: one_of() is for strings, numbers and enums");
        json::array choices;
        for (const V& v : values) choices.push_back(to_json(v));
        return set("enum", std::move(choices));
    }
    /// Sets the default value. The argument or member is then not required.
    Self& def(const V& v) { return set("default", to_json(v)); }
    Self& title(std::string_view text) { return set("title", text); }

    /// Returns the keywords that were set, in order.
    const json::object& keywords() const { return keywords_; }
    const json::value* default_value() const { return keywords_.if_contains("default"); }
    bool required() const { return shape_of<T>() != Shape::optional && !default_value(); }

 protected:
    explicit Keywords(std::string_view description) {
        if (!description.empty()) keywords_["description"] = description;
    }

 private:
    template <class Value>
    Self& set(std::string_view keyword, Value v) {
        keywords_[keyword] = std::move(v);
        return static_cast<Self&>(*this);
    }
    template <class N>
    Self& bound(std::string_view keyword, N n) {
        if constexpr (shape == Shape::integer) {
            static_assert(Integer<N>, "tenon: the bound of an integer is an integer");
            if (!std::in_range<V>(n)) return static_cast<Self&>(*this);  // the bound of the type itself is narrower
        }
        return set(keyword, to_json(n));
    }

    json::object keywords_;
};

template <auto>
struct Constant;

template <class Pointer>
struct Pointee;
template <class C, class M>
struct Pointee<M C::*> {
    using type = M;
};

}  // namespace detail

/// The schema keywords of one member of a struct. `Pointer` is `&S::m`.
template <auto Pointer>
class Field : public detail::Keywords<Field<Pointer>, typename detail::Pointee<decltype(Pointer)>::type> {
 public:
    static constexpr auto pointer = Pointer;
    explicit Field(std::string_view description) : Field::Keywords(description) {}
};

/// Describes a member: `tenon::field<&Forecast::city>("City name").max_length(80)`.
template <auto Pointer>
Field<Pointer> field(std::string_view description = {}) {
    return Field<Pointer>(description);
}

/// The schema keywords of a struct: its own title and description, and those of its members.
template <class... F>
class Fields {
 public:
    explicit Fields(F... f) : fields_(std::move(f)...) {}

    Fields& title(std::string_view text) { return keywords_["title"] = text, *this; }
    Fields& description(std::string_view text) { return keywords_["description"] = text, *this; }

    const json::object& keywords() const { return keywords_; }

    /// Calls use(field) with the Field of the member that D describes, if there is one.
    template <class D, class Use>
    void find(Use use) const {
        const auto try_one = [&]<auto P>(const Field<P>& f) {
            if constexpr (std::same_as<detail::Constant<P>, detail::Constant<D::pointer>>) use(f);
        };
        std::apply([&](const auto&... f) { (try_one(f), ...); }, fields_);
    }

 private:
    json::object keywords_;
    std::tuple<F...> fields_;
};

/// Collects the fields of a struct S. Return it from a function `tenon_fields(S*)` in the namespace of S:
///
///     struct Forecast { std::string city; double celsius; };
///     BOOST_DESCRIBE_STRUCT(Forecast, (), (city, celsius))
///     inline auto tenon_fields(Forecast*) {
///         return tenon::fields(tenon::field<&Forecast::city>("City name").max_length(80),
///                              tenon::field<&Forecast::celsius>("At noon").min(-90).max(60)).title("A forecast");
///     }
///
/// A struct that is derived from S uses the function of S, unless it has its own.
template <class... F>
Fields<F...> fields(F... f) {
    return Fields<F...>(std::move(f)...);
}

namespace detail {

template <class T>
concept HasFields = requires(T* t) {
    tenon_fields(t);
};

/// Returns whether `Pointer` is a member that BOOST_DESCRIBE_STRUCT names.
template <Record T, auto Pointer>
consteval bool is_described() {
    return []<template <class...> class L, class... D>(L<D...>) {
        return (std::same_as<Constant<Pointer>, Constant<D::pointer>> || ...);
    }(Members<T>());
}

template <Record T, auto... Pointer>
consteval bool are_described(const Fields<Field<Pointer>...>*) {
    return (is_described<T, Pointer>() && ...);
}

template <Record T>
const auto& fields_of() {
    if constexpr (HasFields<T>) {
        using All = std::remove_cvref_t<decltype(tenon_fields(static_cast<T*>(nullptr)))>;
        static_assert(are_described<T>(static_cast<const All*>(nullptr)),
                      "tenon: tenon_fields() has a field<&S::m> whose member is not in BOOST_DESCRIBE_STRUCT: add it "
                      "there");
        static const auto once = tenon_fields(static_cast<T*>(nullptr));
        return once;
    } else {
        static const Fields<> none;
        return none;
    }
}

}  // namespace detail
}  // namespace tenon

#pragma GCC visibility pop
