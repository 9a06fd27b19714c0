#include "schema/pattern.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "schema/regex_syntax.hpp"

namespace tenon::schema {
namespace {

using Kind = RegexTerm::Kind;

std::string code_point(char32_t c) {
    std::array<char, 8> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<std::uint32_t>(c), 16).ptr;
    return "\\x{" + std::string(digits.data(), end) + "}";
}

std::string written_set(const CodePoints& set) {
    if (set.properties.empty() && resolved_ranges(set).empty()) return "[^\\x{0}-\\x{10FFFF}]";
    if (set.properties.empty() && set.ranges.empty()) return "(?s:.)";
    std::string out = set.negated ? "[^" : "[";
    for (const auto& r : set.ranges) {
        out += code_point(r.first);
        if (r.last != r.first) out.append("-").append(code_point(r.last));
    }
    for (const auto& p : set.properties) out += p;
    return out + "]";
}

std::string written_quantifier(const RegexTerm& term) {
    const std::string min = std::to_string(term.min);
    if (term.max == RegexTerm::unbounded) return term.min == 0 ? "*" : "{" + min + ",}";
    return "{" + min + "," + std::to_string(term.max) + "}";
}

// Recursion is as deep as the groups, which the parser has bounded.
std::string written(const Regex& regex, std::uint32_t id) {
    const RegexTerm& term = regex.terms[id];
    std::string out;
    switch (term.kind) {
        case Kind::start: return "\\A";
        case Kind::end: return "\\z";
        case Kind::word_boundary: return "\\b";
        case Kind::no_word_boundary: return "\\B";
        case Kind::one_of: return written_set(regex.sets[term.set]);
        case Kind::repeat: return "(?:" + written(regex, term.children[0]) + ")" + written_quantifier(term);
        case Kind::sequence:
            for (const auto child : term.children) out += written(regex, child);
            return out;
        case Kind::alternatives:
            for (const auto child : term.children) out.append(out.empty() ? "(?:" : "|").append(written(regex, child));
            return out + ")";
    }
    return out;
}

std::string why(const re2::RE2& re) {
    switch (re.error_code()) {
        case re2::RE2::ErrorRepeatSize: return "a repetition above 1000";
        case re2::RE2::ErrorPatternTooLarge: return "a pattern that needs too much memory";
        default: return re.error();
    }
}

Error refusal(const std::string& what) { return {code::invalid_params, what}; }

}  // namespace

Pattern::Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

Result<Pattern> Pattern::compile(std::string_view ecma, const Limits& limits, PatternBudget& budget) {
    if (ecma.size() > limits.max_pattern_bytes)
        return refusal("a pattern longer than " + std::to_string(limits.max_pattern_bytes) + " bytes");
    const auto regex = parse_regex(ecma);
    if (!regex) return regex.error();
    if (!regex->unsupported.empty()) return refusal(regex->unsupported + ", which cannot be matched in linear time");

    Pattern p;
    p.source_ = ecma;
    if (budget.allow_runs) p.runs_ = RegexRuns::build(*regex);
    if (!p.runs_.empty()) return p;
    p.table_ = RegexTable::build(*regex, budget.table_work);
    if (!p.table_.empty()) return p;

    re2::RE2::Options options(re2::RE2::Quiet);
    options.set_max_mem(static_cast<std::int64_t>(budget.memory));
    p.re2_ = std::make_unique<re2::RE2>(written(*regex, regex->root), options);
    if (!p.re2_->ok()) return refusal(why(*p.re2_));
    // RE2 gives two thirds of its memory to the program, whose instructions have 16 bytes.
    const auto size = static_cast<std::size_t>(p.re2_->ProgramSize());
    budget.memory -= std::min(budget.memory, size * 24);
    p.weight_ = 1 + size / 64;
    return p;
}

bool Pattern::search(std::string_view text) const {
    return re2_->Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

}  // namespace tenon::schema
