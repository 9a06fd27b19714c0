// The keywords type, const, enum, allOf, anyOf, oneOf, not and if.
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

Types type_named(std::string_view name) {
    for (const auto& t : named_types)
        if (t.name == name) return t.bits;
    return 0;
}

}  // namespace

void Compiler::compile_type() {
    const auto* v = keyword("type");
    if (!v) return;
    Types allowed = 0;
    const auto add = [&](const json::value& name) {
        const Types bits = name.is_string() ? type_named(name.get_string()) : Types{0};
        if (bits == 0)
            fail("type", base::shorten(json::write(name), 60) +
                             " is not a type; use null, boolean, integer, number, string, array or object");
        allowed = static_cast<Types>(allowed | bits);
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
