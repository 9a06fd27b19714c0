// The keywords type, const, enum, allOf, anyOf, oneOf, not and if.
#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.hpp"
#include "schema/compiler.hpp"
#include "schema/refusal.hpp"

namespace tenon::schema {
namespace {

struct NamedType {
    std::string_view name;
    Types bits;
};
constexpr NamedType named_types[] = {
    {"null", types::null},     {"boolean", types::boolean}, {"integer", types::integer}, {"number", types::number},
    {"string", types::string}, {"array", types::array},     {"object", types::object}};

const NamedType* type_named(const json::value& name) {
    const auto* found = name.is_string()
                            ? std::ranges::find(named_types, std::string_view(name.get_string()), &NamedType::name)
                            : std::end(named_types);
    return found == std::end(named_types) ? nullptr : found;
}

}  // namespace

void Compiler::compile_type() {
    const auto* v = keyword("type");
    if (!v) return;
    Types allowed = 0;
    std::array<bool, std::size(named_types)> named = {};
    const auto add = [&](const json::value& name) {
        const NamedType* type = type_named(name);
        if (!type)
            return fail("type", base::shorten(json::write(name), 60) +
                                    " is not a type; use null, boolean, integer, number, string, array or object");
        if (std::exchange(named[static_cast<std::size_t>(type - named_types)], true))
            return fail("type", "must not name the same type twice, got " + json::write(name) + " again");
        allowed = static_cast<Types>(allowed | type->bits);
    };
    if (const auto* list = v->if_array()) {
        if (list->empty()) fail("type", "must name at least one type");
        for (const auto& name : *list) add(name);
    } else {
        add(*v);
    }
    program_.nodes[current_.node].allowed = allowed;
}

void Compiler::compile_const_and_enum() {
    if (const auto* v = keyword("const")) {
        program_.values.push_back(*v);
        emit(Op::constant, types::all, program_.values.size() - 1);
    }
    const auto* v = keyword("enum");
    if (!v) return;
    const auto* list = v->if_array();
    if (!list) return fail_type("enum", "an array", *v);
    constexpr std::size_t longest_list = 200;
    EnumRule rule;
    std::vector<std::string_view> strings;
    for (const auto& value : *list) {
        if (rule.listed.size() <= longest_list) rule.listed += (rule.listed.empty() ? "" : ", ") + json::write(value);
        if (value.is_string())
            strings.push_back(value.get_string());
        else
            rule.others.push_back(value);
    }
    std::sort(strings.begin(), strings.end());
    strings.erase(std::unique(strings.begin(), strings.end()), strings.end());
    rule.listed = base::shorten(rule.listed, longest_list);
    rule.strings = StringTable(strings);
    program_.enums.push_back(std::move(rule));
    emit(Op::enumeration, types::all, program_.enums.size() - 1);
}

void Compiler::compile_logic() {
    compile_list("allOf", Op::all_of);
    compile_list("anyOf", Op::any_of);
    compile_list("oneOf", Op::one_of);
    if (const auto* v = keyword("not")) emit(Op::negation, types::all, child(*v));
    compile_condition();
}

void Compiler::compile_list(std::string_view name, Op op) {
    const auto* v = keyword(name);
    if (!v) return;
    const auto& list = v->get_array();
    if (list.empty()) return fail(name, "must have at least one schema");
    const std::size_t first = program_.children.size();
    for (const auto& subschema : list) program_.children.push_back(child(subschema));
    emit(op, types::all, first, list.size());
}

void Compiler::compile_condition() {
    const auto* condition = keyword("if");
    const auto* then = keyword("then");
    const auto* otherwise = keyword("else");
    // An `if` without `then` and `else` is compiled too: members that it evaluates count for unevaluated*.
    if (!condition) return;
    const std::size_t first = program_.children.size();
    const NodeId nodes[] = {child(*condition), then ? child(*then) : no_node, otherwise ? child(*otherwise) : no_node};
    program_.children.insert(program_.children.end(), std::begin(nodes), std::end(nodes));
    emit(Op::condition, types::all, first);
}

}  // namespace tenon::schema
