// Makes the JSON Schema (2020-12) of a C++ type.
#pragma once

#include <boost/current_function.hpp>
#include <limits>

#include <tenon/typed/fields.hpp>

#pragma GCC visibility push(default)

namespace tenon {
namespace detail {

/// Tracks the structs inside one schema. A struct that contains itself is put into `$defs`; all others are written in
/// place.
class Definitions {
 public:
    /// Begins the struct `type`. If it is already begun or defined, returns a reference to it instead.
    std::optional<json::object> enter(const void* type, std::string_view function_name);
    /// Ends the struct that was begun last. Returns its schema, or a reference if something inside refers to the
    /// struct.
    json::object leave(json::object schema);
    /// Adds `$defs` to the schema of the whole type.
    json::object finish(json::object root);

 private:
    struct Struct {
        const void* type;
        std::string name;
        bool referred = false;
        bool open = true;
    };
    std::vector<Struct> structs_;  // structs that are begun but not ended, and structs in `$defs`
    json::object defs_;
};

/// Copies the keywords into the schema, and replaces those that it already has.
void merge(json::object& schema, const json::object& keywords);
/// Throws tenon::Exception when the keywords of a property contradict each other: a minimum above the maximum, or a
/// default that the other keywords refuse.
void check_keywords(std::string_view name, const json::object& property);
/// Forbids members that are not in `properties`.
json::object closed(json::object schema);
/// Makes {"type": "object", "properties": ..., "required": ...}.
json::object object_schema(json::object properties, json::array required);
json::object list_schema(json::object items);
json::object tuple_schema(json::array items);
json::object choice_schema(json::array names);
json::object any_of(json::array alternatives);

template <class T>
inline constexpr char type_tag = 0;

template <class T>
json::object schema(Definitions& defs);

template <class T>
json::object integer_schema() {
    // The bounds of 64-bit integers are left out: many clients have only doubles, and would round them.
    json::object out{{"type", "integer"}};
    if constexpr (sizeof(T) < sizeof(std::int64_t)) {
        out["minimum"] = std::int64_t(std::numeric_limits<T>::min());
        out["maximum"] = std::int64_t(std::numeric_limits<T>::max());
    } else if constexpr (std::unsigned_integral<T>) {
        out["minimum"] = 0;
    }
    return out;
}

template <class T>
json::array enum_names() {
    return []<template <class...> class L, class... D>(L<D...>) {
        return json::array{json::value(D::name)...};
    }(boost::describe::describe_enumerators<T>());
}

template <class T>
std::vector<std::string> names_of_enum() {
    return []<template <class...> class L, class... D>(L<D...>) {
        return std::vector<std::string>{D::name...};
    }(boost::describe::describe_enumerators<T>());
}

template <class T>
json::array part_schemas(Definitions& defs) {
    json::array schemas;
    [&]<class... P>(TypeList<P...>) { (schemas.emplace_back(schema<P>(defs)), ...); }(parts_of<T>());
    return schemas;
}

template <Record T>
json::object record_schema(Definitions& defs) {
    if (auto reference = defs.enter(&type_tag<T>, BOOST_CURRENT_FUNCTION)) return std::move(*reference);
    const auto& fields = fields_of<T>();
    json::object properties;
    json::array required;
    all_members<T>([&](auto d) {
        using D = decltype(d);
        using M = MemberType<T, D>;
        json::object property = schema<PresentT<M>>(defs);
        bool is_required = shape_of<M>() != Shape::optional;
        fields.template find<D>([&](const auto& field) {
            merge(property, field.keywords());
            check_keywords(d.name, property);
            is_required = field.required();
        });
        properties[d.name] = std::move(property);
        if (is_required) required.emplace_back(d.name);
        return true;
    });
    json::object o = object_schema(std::move(properties), std::move(required));
    merge(o, fields.keywords());
    return defs.leave(std::move(o));
}

// clang-format off
template <class T>
json::object schema(Definitions& defs) {
    constexpr Shape shape = shape_of<T>();
    if constexpr (shape == Shape::null) return {{"type", "null"}};
    else if constexpr (shape == Shape::boolean) return {{"type", "boolean"}};
    else if constexpr (shape == Shape::integer) return integer_schema<T>();
    else if constexpr (shape == Shape::number) return {{"type", "number"}};
    else if constexpr (shape == Shape::string) return {{"type", "string"}};
    else if constexpr (shape == Shape::enumeration) return choice_schema(enum_names<T>());
    else if constexpr (shape == Shape::date) return {{"type", "string"}, {"format", "date"}};
    else if constexpr (shape == Shape::date_time) return {{"type", "string"}, {"format", "date-time"}};
    else if constexpr (shape == Shape::any) return {};
    else if constexpr (shape == Shape::any_object) return {{"type", "object"}};
    else if constexpr (shape == Shape::any_array) return {{"type", "array"}};
    else if constexpr (shape == Shape::optional) {
        return any_of({schema<PresentT<T>>(defs), json::object{{"type", "null"}}});
    } else if constexpr (shape == Shape::variant) return any_of(part_schemas<T>(defs));
    else if constexpr (shape == Shape::tuple) return tuple_schema(part_schemas<T>(defs));
    else if constexpr (shape == Shape::map) {
        return {{"type", "object"}, {"additionalProperties", schema<typename T::mapped_type>(defs)}};
    } else if constexpr (shape == Shape::record) return record_schema<T>(defs);
    else {
        json::object list = list_schema(schema<typename T::value_type>(defs));
        if constexpr (shape == Shape::fixed_array)
            for (const char* bound : {"minItems", "maxItems"}) list[bound] = std::tuple_size_v<T>;
        if constexpr (shape == Shape::set) list["uniqueItems"] = true;
        return list;
    }
}
// clang-format on

}  // namespace detail

/// Returns the JSON Schema 2020-12 of T, without `$schema`. A struct that contains itself is described in `$defs`.
template <class T>
json::object schema_of() {
    detail::require_form<false, T>();
    detail::Definitions defs;
    json::object root;
    if constexpr (Describable<T>) root = detail::schema<T>(defs);
    return defs.finish(std::move(root));
}

}  // namespace tenon

#pragma GCC visibility pop
