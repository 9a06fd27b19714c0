// The keywords of numbers and strings. All keywords of numbers become one instruction, and so do those of strings.
#include "schema/compiler.hpp"

namespace tenon::schema {
namespace {

using BoundKind = NumberBound::Kind;
using Limits64 = std::numeric_limits<std::int64_t>;

void allow_nothing(NumberRule& rule) {
    rule.low = 1;
    rule.high = 0;
}

// Narrows the range of integers to `bound` and above. Excludes `bound` itself when `exclusive`.
void narrow_from_below(NumberRule& rule, const json::value& bound, bool exclusive) {
    if (compare_numbers(bound, json::value(Limits64::max())) > 0) return allow_nothing(rule);
    if (compare_numbers(bound, json::value(Limits64::min())) < 0) return;
    const bool whole = bound.kind() != json::kind::double_ || is_integral(bound.get_double());
    const std::int64_t n = bound.kind() == json::kind::double_
                               ? static_cast<std::int64_t>(std::ceil(bound.get_double()))
                               : bound.to_number<std::int64_t>();
    if (exclusive && whole && n == Limits64::max()) return allow_nothing(rule);
    rule.low = std::max(rule.low, exclusive && whole ? n + 1 : n);
}

void narrow_from_above(NumberRule& rule, const json::value& bound, bool exclusive) {
    if (compare_numbers(bound, json::value(Limits64::min())) < 0) return allow_nothing(rule);
    if (compare_numbers(bound, json::value(Limits64::max())) > 0) return;
    const bool whole = bound.kind() != json::kind::double_ || is_integral(bound.get_double());
    const std::int64_t n = bound.kind() == json::kind::double_
                               ? static_cast<std::int64_t>(std::floor(bound.get_double()))
                               : bound.to_number<std::int64_t>();
    if (exclusive && whole && n == Limits64::min()) return allow_nothing(rule);
    rule.high = std::min(rule.high, exclusive && whole ? n - 1 : n);
}

// Makes every bound inclusive: a double above b is at least the next double after b.
void narrow_doubles(NumberRule& rule, BoundKind kind, const json::value& bound) {
    const double d = bound.to_number<double>();
    if (kind == BoundKind::multiple_of || compare_numbers(bound, json::value(d)) != 0) {
        rule.double_range_is_all = false;
        return;
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    switch (kind) {
        case BoundKind::minimum: rule.double_low = std::max(rule.double_low, d); break;
        case BoundKind::exclusive_minimum:
            rule.double_low = std::max(rule.double_low, std::nextafter(d, infinity));
            break;
        case BoundKind::maximum: rule.double_high = std::min(rule.double_high, d); break;
        default: rule.double_high = std::min(rule.double_high, std::nextafter(d, -infinity)); break;
    }
}

void narrow(NumberRule& rule, BoundKind kind, const json::value& bound) {
    switch (kind) {
        case BoundKind::minimum: return narrow_from_below(rule, bound, false);
        case BoundKind::exclusive_minimum: return narrow_from_below(rule, bound, true);
        case BoundKind::maximum: return narrow_from_above(rule, bound, false);
        case BoundKind::exclusive_maximum: return narrow_from_above(rule, bound, true);
        case BoundKind::multiple_of:
            if (bound.kind() == json::kind::int64)
                rule.step = bound.get_int64();
            else
                rule.range_is_all = false;
    }
}

}  // namespace

void Compiler::compile_bound(NumberRule& rule, std::string_view name, NumberBound::Kind kind) {
    const auto* v = keyword(name);
    if (!v) return;
    if (!is_number(*v)) return fail_type(name, "a number", *v);
    if (kind == BoundKind::multiple_of && !(compare_numbers(*v, json::value(0)) > 0))
        return fail(name, "must be above 0, got " + json::write(*v));
    narrow(rule, kind, *v);
    narrow_doubles(rule, kind, *v);
    rule.bounds.push_back({kind, *v});
}

void Compiler::compile_number() {
    NumberRule rule;
    compile_bound(rule, "minimum", BoundKind::minimum);
    compile_bound(rule, "maximum", BoundKind::maximum);
    compile_bound(rule, "exclusiveMinimum", BoundKind::exclusive_minimum);
    compile_bound(rule, "exclusiveMaximum", BoundKind::exclusive_maximum);
    compile_bound(rule, "multipleOf", BoundKind::multiple_of);
    if (rule.bounds.empty()) return;
    program_.numbers.push_back(std::move(rule));
    emit(Op::number, types::number, program_.numbers.size() - 1);
}

void Compiler::compile_string() {
    StringRule rule;
    const auto min = count("minLength"), max = count("maxLength");
    rule.min_length = min.value_or(0);
    rule.max_length = max.value_or(no_count);
    const auto* source = text("pattern");
    if (source) rule.pattern = pattern("pattern", *source);
    compile_format(rule);
    if (!min && !max && !source && !rule.format) return;
    program_.strings.push_back(std::move(rule));
    emit(Op::string, types::string, program_.strings.size() - 1);
}

void Compiler::compile_format(StringRule& rule) {
    const auto* name = text("format");
    if (!name || !(options_.assert_formats || current_.dialect.has(Vocabulary::format_assertion))) return;
    rule.format = find_format(*name);
    rule.format_name = *name;
}

}  // namespace tenon::schema
