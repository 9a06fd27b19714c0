// The keywords of numbers and strings.
#include "schema/compiler.hpp"

namespace tenon::schema {

void Compiler::compile_bound(std::string_view name, Op op) {
    const auto* v = keyword(name);
    if (!v) return;
    if (!is_number(*v)) return fail_type(name, "a number", *v);
    program_.values.push_back(*v);
    emit(op, types::number, program_.values.size() - 1);
}

void Compiler::compile_number() {
    compile_bound("minimum", Op::minimum);
    compile_bound("maximum", Op::maximum);
    compile_bound("exclusiveMinimum", Op::exclusive_minimum);
    compile_bound("exclusiveMaximum", Op::exclusive_maximum);
    if (const auto* v = keyword("multipleOf"); v && is_number(*v) && !(compare_numbers(*v, json::value(0)) > 0))
        return fail("multipleOf", "must be above 0, got " + json::write(*v));
    compile_bound("multipleOf", Op::multiple_of);
}

void Compiler::compile_string() {
    if (const auto n = count("minLength"); n && *n > 0) {
        program_.counts.push_back(*n);
        emit(Op::min_length, types::string, program_.counts.size() - 1);
    }
    if (const auto n = count("maxLength")) {
        program_.counts.push_back(*n);
        emit(Op::max_length, types::string, program_.counts.size() - 1);
    }
    if (const auto* source = text("pattern")) emit(Op::pattern, types::string, pattern("pattern", *source));
    compile_format();
}

void Compiler::compile_format() {
    const auto* name = text("format");
    if (!name || !(options_.assert_formats || current_.dialect.has(Vocabulary::format_assertion))) return;
    const FormatCheck check = find_format(*name);
    if (!check) return;
    program_.formats.push_back({check, std::string(*name)});
    emit(Op::format, types::string, program_.formats.size() - 1);
}

}  // namespace tenon::schema
