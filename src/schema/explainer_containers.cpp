// Explains violations inside arrays and objects.
#include "schema/explainer.hpp"
#include "schema/messages.hpp"

namespace tenon::schema {

void Explainer::array(const ArrayRule& rule, const json::array& a) {
    if (a.size() < rule.min_items)
        report("minItems",
               "must have at least " + counted(rule.min_items, "element") + ", got " + std::to_string(a.size()));
    if (a.size() > rule.max_items)
        report("maxItems",
               "must have at most " + counted(rule.max_items, "element") + ", got " + std::to_string(a.size()));
    for (std::size_t i = 0; i < a.size() && !enough(); ++i) {
        const NodeId id = i < rule.prefix_count ? program_.children[rule.prefix + i] : rule.items;
        if (id != no_node && !validator_.run(id, a[i], nullptr)) below({.index = i, .is_index = true}, id, a[i]);
    }
    if (rule.contains != no_node) contains(rule, a);
    if (rule.unique && !enough() && !all_different(a, validator_.budget_, validator_.depth_left_))
        report("uniqueItems", "must not have the same element twice");
}

void Explainer::contains(const ArrayRule& rule, const json::array& a) {
    std::uint64_t found = 0;
    if (!validator_.budget_.spend(a.size())) return;
    for (const auto& element : a) found += validator_.run(rule.contains, element, nullptr);
    const std::string got = ", got " + std::to_string(found);
    if (found < rule.min_contains)
        report(rule.min_contains == 1 ? "contains" : "minContains", "must have at least " +
                                                                        counted(rule.min_contains, "element") +
                                                                        " of the kind that `contains` asks for" + got);
    if (found > rule.max_contains)
        report("maxContains", "must have at most " + counted(rule.max_contains, "element") +
                                  " of the kind that `contains` describes" + got);
}

void Explainer::object(const ObjectRule& rule, const json::object& o) {
    if (o.size() < rule.min_properties)
        report("minProperties",
               "must have at least " + counted(rule.min_properties, "property") + ", got " + std::to_string(o.size()));
    if (o.size() > rule.max_properties)
        report("maxProperties",
               "must have at most " + counted(rule.max_properties, "property") + ", got " + std::to_string(o.size()));
    required(rule, o);
    for (const auto& m : o) {
        if (enough()) return;
        if (rule.property_names != no_node && !validator_.name(rule.property_names, m.key()))
            property_name(rule.property_names, m.key());
        member(rule, m.key(), m.value());
    }
}

void Explainer::required(const ObjectRule& rule, const json::object& o) {
    for (std::uint32_t i = 0; i < rule.names.size() && !enough(); ++i)
        if (rule.properties[i].required && !validator_.has_member(o, rule.names[i]))
            report("required", "is missing the required property " + quoted(rule.names[i]));
}

void Explainer::member(const ObjectRule& rule, std::string_view key, const json::value& v) {
    bool evaluated = false;
    const auto apply = [&](NodeId id) {
        evaluated = true;
        if (!validator_.run(id, v, nullptr)) below({.key = key}, id, v);
    };
    const std::uint32_t i = rule.names.find(key);
    if (i != StringTable::absent && rule.properties[i].node != no_node) apply(rule.properties[i].node);
    for (const auto& p : rule.patterns)
        if (validator_.matches(program_.patterns[p.pattern], key)) apply(p.node);
    if (!evaluated && rule.additional != no_node && !validator_.run(rule.additional, v, nullptr))
        additional(rule, key, v);
}

void Explainer::additional(const ObjectRule& rule, std::string_view key, const json::value& v) {
    if (program_.nodes[rule.additional].allowed != 0) return below({.key = key}, rule.additional, v);
    const std::string known = listed(rule.names, rule.properties);
    path_.push_back({.key = key});
    report("additionalProperties",
           "is not a property that is allowed here" + (known.empty() ? "" : "; the allowed ones are " + known));
    path_.pop_back();
}

void Explainer::property_name(NodeId id, std::string_view key) {
    const json::value name(key);
    Explainer inner(program_, validator_, "the name", 1);
    inner.explain(id, name, nullptr);
    const std::string reason = inner.violations_.empty() ? "" : ": " + inner.violations_[0].message;
    report("propertyNames", "has a property with a name that is not allowed, " + quoted(key) + reason);
}

void Explainer::dependent_required(const Instruction& in, const json::object& o) {
    for (std::uint32_t i = 0; i < in.b; ++i) {
        const Dependency& d = program_.dependencies[in.a + i];
        if (!validator_.has_member(o, d.property)) continue;
        for (const auto& name : d.required)
            if (!validator_.has_member(o, name))
                report("dependentRequired",
                       "has the property " + quoted(d.property) + " and so must have " + quoted(name));
    }
}

void Explainer::unevaluated(const Instruction& in, const json::value& v, const Marks* marks) {
    if (const auto* a = v.if_array()) {
        for (std::size_t i = 0; i < a->size() && !enough(); ++i)
            if (!marks->test(i)) unevaluated_at({.index = i, .is_index = true}, in.a, (*a)[i], "unevaluatedItems");
        return;
    }
    std::size_t i = 0;
    for (const auto& m : v.get_object())
        if (!marks->test(i++) && !enough()) unevaluated_at({.key = m.key()}, in.a, m.value(), "unevaluatedProperties");
}

void Explainer::unevaluated_at(Step step, NodeId id, const json::value& v, std::string_view keyword) {
    if (validator_.run(id, v, nullptr)) return;
    if (program_.nodes[id].allowed != 0) return below(step, id, v);
    path_.push_back(step);
    report(keyword, "is not allowed: no part of the schema describes it");
    path_.pop_back();
}

}  // namespace tenon::schema
