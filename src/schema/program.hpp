// Program: the compiled form of a schema. Each subschema is one Node. The instructions of all nodes are in one flat
// list.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <tenon/schema.hpp>

#include "schema/format.hpp"
#include "schema/numbers.hpp"
#include "schema/pattern.hpp"
#include "schema/string_table.hpp"

namespace tenon::schema {

using NodeId = std::uint32_t;
constexpr NodeId no_node = UINT32_MAX;

/// A set of JSON Schema types: one bit for each kind of value. An integer is a number; `fraction` is a number that is
/// not an integer.
using Types = std::uint8_t;
namespace types {
constexpr Types of(json::kind k) { return static_cast<Types>(1u << static_cast<unsigned>(k)); }
constexpr Types null = of(json::kind::null), boolean = of(json::kind::bool_), string = of(json::kind::string),
                array = of(json::kind::array), object = of(json::kind::object);
constexpr Types integer = of(json::kind::int64) | of(json::kind::uint64), fraction = of(json::kind::double_);
constexpr Types number = integer | fraction;
constexpr Types all = 255;
}  // namespace types

/// Returns the type, with `fraction` for every double. Only the keyword `type` needs to know whether a double really
/// has a fraction, and finding out takes time.
inline Types rough_type_of(const json::value& v) { return types::of(v.kind()); }

inline Types type_of(const json::value& v) {
    return v.is_double() && is_integral(v.get_double()) ? types::integer : rough_type_of(v);
}

/// Returns whether the type of a value is allowed. `rough_type` is the rough type of the value. A schema that allows
/// fractions also allows integers.
inline bool allows(Types allowed, const json::value& v, Types rough_type) {
    if ((allowed & rough_type) != 0) [[likely]]
        return true;
    return rough_type == types::fraction && (allowed & types::integer) != 0 && is_integral(v.get_double());
}

/// The kind of an instruction. Each comment describes `a` and `b`: a node, or an index into a list of Program.
enum class Op : std::uint8_t {
    ref,                     // a: node
    dynamic_ref,             // a: index into dynamic_refs
    all_of,                  // a: index of the first one in children, b: how many
    any_of,                  // the same
    one_of,                  // the same
    negation,                // a: node
    condition,               // a: index into children, which has if, then and else
    constant,                // a: index into values
    enumeration,             // a: index into enums
    number,                  // a: index into numbers
    string,                  // a: index into strings
    array,                   // a: index into arrays
    object,                  // a: index into objects
    dependent_required,      // a: index of the first one in dependencies, b: how many
    dependent_schemas,       // the same
    unevaluated_items,       // a: node
    unevaluated_properties,  // a: node
    sequence,                // a: a node; runs its instructions
    scoped_sequence,         // the same, for a node that needs its own marks or the dynamic scope
};

struct Instruction {
    Op op = Op::ref;
    Types applies_to = types::all;
    std::uint32_t a = 0, b = 0;
};

struct Node {
    std::uint32_t first = 0, count = 0;  // instructions
    std::uint32_t resource = 0;          // for the dynamic scope
    std::uint32_t location = 0;
    Types allowed = types::all;
    Types tracked = 0;                   // types with an unevaluated* instruction
    Instruction entry{.applies_to = 0};  // the one instruction that the validator starts with
};

constexpr std::uint64_t no_count = std::numeric_limits<std::uint64_t>::max();

struct NumberBound {
    enum class Kind { minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of };
    Kind kind;
    json::value value;
};

/// The bounds of a number. `low` to `step` combine them for signed integers, `double_low` and `double_high` for
/// doubles. All other cases check `bounds` one by one.
struct NumberRule {
    std::int64_t low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
    std::int64_t step = 1;     // `multipleOf`, when it is an integer
    bool range_is_all = true;  // false: check `bounds` instead, because `multipleOf` is not an integer
    double double_low = -std::numeric_limits<double>::infinity(), double_high = std::numeric_limits<double>::infinity();
    bool double_range_is_all = true;  // false: check `bounds`, because of `multipleOf` or a bound that is not a double
    std::vector<NumberBound> bounds;
};

struct StringRule {
    static constexpr std::uint32_t no_pattern = UINT32_MAX;
    std::uint64_t min_length = 0, max_length = no_count;
    std::uint32_t pattern = no_pattern;
    FormatCheck format = nullptr;
    std::string format_name;
};

struct ArrayRule {
    std::uint32_t prefix = 0, prefix_count = 0;  // children
    NodeId items = no_node;                      // for the elements after the prefix
    NodeId contains = no_node;
    std::uint64_t min_contains = 1, max_contains = no_count;
    std::uint64_t min_items = 0, max_items = no_count;
    bool items_only = false;  // no prefix, no `contains`, no `uniqueItems`
    bool unique = false;
    bool contains_evaluates = false;  // 2020-12 only
};

struct PropertyRule {
    NodeId node = no_node;
    bool required = false;
};

struct PatternRule {
    std::uint32_t pattern;
    NodeId node;
};

struct ObjectRule {
    StringTable names;                     // of `properties` and `required`
    std::vector<PropertyRule> properties;  // parallel to names
    std::uint32_t required_count = 0;
    std::vector<PatternRule> patterns;
    NodeId additional = no_node;
    NodeId property_names = no_node;
    enum class Shape : std::uint8_t {
        map,      // no `properties`, no `required`: one schema for all members
        record,   // the name of a member selects its schema
        general,  // with `patternProperties` or `propertyNames`
    };
    Shape shape = Shape::general;
    std::uint64_t min_properties = 0, max_properties = no_count;
};

struct EnumRule {
    StringTable strings;
    std::vector<json::value> others;
    std::string listed;  // for messages
};

struct Dependency {
    std::string property;
    std::vector<std::string> required;
    NodeId node = no_node;
};

/// A `$dynamicRef` or `$recursiveRef`. It leads to the outermost resource in scope that has the anchor.
struct DynamicRef {
    struct Target {
        std::uint32_t resource;
        NodeId node;
    };
    NodeId initial = no_node;
    std::uint32_t anchor = 0;
};

/// A place in a schema: its parent and the last token of its JSON Pointer.
struct Location {
    static constexpr std::uint32_t none = UINT32_MAX;
    std::uint32_t parent = none;
    std::string token;  // for a root: its URI, or empty
};

struct Program {
    std::vector<Node> nodes;
    std::vector<Instruction> instructions;
    std::vector<NodeId> children;
    std::vector<json::value> values;
    std::vector<NumberRule> numbers;
    std::vector<StringRule> strings;
    std::vector<Pattern> patterns;
    std::vector<ArrayRule> arrays;
    std::vector<ObjectRule> objects;
    std::vector<EnumRule> enums;
    std::vector<Dependency> dependencies;
    std::vector<DynamicRef> dynamic_refs;
    std::vector<std::vector<DynamicRef::Target>> dynamic_anchors;  // indexed by DynamicRef::anchor
    std::vector<Location> locations;
    NodeId root = 0;
    Limits limits;
};

/// Returns the JSON Pointer of a place. The URI of the document comes first, if it has one.
std::string pointer_of(const std::vector<Location>& locations, std::uint32_t location);

/// Appends "/token", with '~' and '/' escaped.
void append_pointer_token(std::string& out, std::string_view token);

}  // namespace tenon::schema
