// The keywords of arrays and objects. All keywords that look at every element or member become one instruction, so the
// validator needs only one pass.
#include <algorithm>
#include <map>

#include "schema/compiler.hpp"
#include "schema/refusal.hpp"

namespace tenon::schema {

NodeId Compiler::one(std::string_view name) {
    const auto* v = keyword(name);
    return v ? child(*v) : no_node;
}

void Compiler::compile_array() {
    ArrayRule rule;
    compile_items(rule);
    const bool contains = compile_contains(rule);
    const auto min = count("minItems"), max = count("maxItems");
    rule.min_items = min.value_or(0);
    rule.max_items = max.value_or(no_count);
    rule.unique = flag("uniqueItems").value_or(false);
    rule.items_only = rule.prefix_count == 0 && !contains && !rule.unique;
    if (rule.items_only && rule.items == no_node && !min && !max) return;
    program_.arrays.push_back(rule);
    emit(Op::array, types::array, program_.arrays.size() - 1);
}

// The list with one schema for each position is `prefixItems` in 2020-12 and `items` before. The schema for the
// elements after it is `items` in 2020-12 and `additionalItems` before.
void Compiler::compile_items(ArrayRule& rule) {
    const bool modern = current_.dialect.draft == Dialect::draft2020_12;
    const auto* items = keyword("items");
    const auto* prefix = modern ? keyword("prefixItems") : (items && items->is_array() ? items : nullptr);
    rule.prefix = static_cast<std::uint32_t>(program_.children.size());
    if (prefix) {
        if (prefix->get_array().empty() && modern) return fail("prefixItems", "must have at least one schema");
        for (const auto& subschema : prefix->get_array()) program_.children.push_back(child(subschema));
        rule.prefix_count = static_cast<std::uint32_t>(prefix->get_array().size());
    }
    if (items && items != prefix)
        rule.items = child(*items);
    else if (prefix && !modern)
        rule.items = one("additionalItems");
}

bool Compiler::compile_contains(ArrayRule& rule) {
    const auto min = count("minContains"), max = count("maxContains");
    rule.contains = one("contains");
    rule.min_contains = min.value_or(1);
    rule.max_contains = max.value_or(no_count);
    rule.contains_evaluates = current_.dialect.draft == Dialect::draft2020_12;
    return rule.contains != no_node;
}

void Compiler::compile_object() {
    ObjectRule rule;
    const bool named = compile_properties(rule);
    const bool patterned = compile_pattern_properties(rule);
    rule.additional = one("additionalProperties");
    rule.property_names = one("propertyNames");
    if (!patterned && rule.property_names == no_node)
        rule.shape = named ? ObjectRule::Shape::record : ObjectRule::Shape::map;
    const auto min = count("minProperties"), max = count("maxProperties");
    rule.min_properties = min.value_or(0);
    rule.max_properties = max.value_or(no_count);
    if (!named && !patterned && rule.additional == no_node && rule.property_names == no_node && !min && !max) return;
    program_.objects.push_back(std::move(rule));
    emit(Op::object, types::object, program_.objects.size() - 1);
}

bool Compiler::compile_properties(ObjectRule& rule) {
    const auto* properties = keyword("properties");
    const auto* required = keyword("required");
    std::vector<std::string> required_names;
    if (required) required_names = names("required", *required);
    std::vector<std::string_view> keys;  // in the order of the schema, because instances often have the same order
    std::map<std::string_view, std::size_t> places;
    const auto place = [&](std::string_view name) -> PropertyRule& {
        const auto [at, is_new] = places.emplace(name, keys.size());
        if (is_new) {
            keys.push_back(name);
            rule.properties.emplace_back();
        }
        return rule.properties[at->second];
    };
    if (properties)
        for (const auto& member : properties->get_object()) place(member.key()).node = child(member.value());
    for (const auto& name : required_names) {
        PropertyRule& property = place(name);
        rule.required_count += !property.required;
        property.required = true;
    }
    rule.names = StringTable(keys);
    return !keys.empty();
}

bool Compiler::compile_pattern_properties(ObjectRule& rule) {
    const auto* patterns = keyword("patternProperties");
    if (!patterns) return false;
    for (const auto& member : patterns->get_object())
        rule.patterns.push_back({pattern("patternProperties", member.key()), child(member.value())});
    return !rule.patterns.empty();
}

void Compiler::compile_dependencies() {
    std::vector<Dependency> required, schemas;
    if (const auto* v = keyword("dependentRequired")) {
        if (!v->is_object()) return fail_type("dependentRequired", "an object", *v);
        for (const auto& member : v->get_object())
            required.push_back({std::string(member.key()), names("dependentRequired", member.value())});
    }
    for (const std::string_view name : {"dependentSchemas", "dependencies"}) {
        const auto* v = keyword(name);
        if (!v) continue;
        for (const auto& member : v->get_object()) {
            if (member.value().is_array())
                required.push_back({std::string(member.key()), names(name, member.value())});
            else
                schemas.push_back({std::string(member.key()), {}, child(member.value())});
        }
    }
    const auto add = [this](std::vector<Dependency>& list, Op op) {
        if (list.empty()) return;
        emit(op, types::object, program_.dependencies.size(), list.size());
        std::move(list.begin(), list.end(), std::back_inserter(program_.dependencies));
    };
    add(required, Op::dependent_required);
    add(schemas, Op::dependent_schemas);
}

void Compiler::compile_unevaluated() {
    const NodeId items = one("unevaluatedItems"), properties = one("unevaluatedProperties");
    Types tracked = 0;
    if (items != no_node) {
        emit(Op::unevaluated_items, types::array, items);
        tracked |= types::array;
    }
    if (properties != no_node) {
        emit(Op::unevaluated_properties, types::object, properties);
        tracked |= types::object;
    }
    program_.nodes[current_.node].tracked = tracked;
}

}  // namespace tenon::schema
