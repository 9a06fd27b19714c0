// RE2 as an oracle: translates an expression to RE2's syntax and matches it.
#pragma once

#include <re2/re2.h>

#include <cstdio>
#include <string>

#include "schema/regex_syntax.hpp"

namespace tenon::schema::testing {

inline std::string re2_code_point(char32_t c) {
    char text[16];
    std::snprintf(text, sizeof text, "\\x{%X}", static_cast<unsigned>(c));
    return text;
}

inline std::string re2_set(const CodePoints& set) {
    if (set.properties.empty() && resolved_ranges(set).empty()) return "[^\\x{0}-\\x{10FFFF}]";
    if (set.properties.empty() && set.ranges.empty()) return "(?s:.)";
    std::string out = set.negated ? "[^" : "[";
    for (const auto& r : set.ranges) out += re2_code_point(r.first) + "-" + re2_code_point(r.last);
    for (const auto& p : set.properties) out += p;
    return out + "]";
}

inline std::string re2_quantifier(const RegexTerm& term) {
    const bool unbounded = term.max == RegexTerm::unbounded;
    return "{" + std::to_string(term.min) + "," + (unbounded ? "" : std::to_string(term.max)) + "}";
}

inline std::string re2_syntax(const Regex& regex, std::uint32_t id) {
    using Kind = RegexTerm::Kind;
    const RegexTerm& term = regex.terms[id];
    std::string out;
    switch (term.kind) {
        case Kind::start: return "\\A";
        case Kind::end: return "\\z";
        case Kind::word_boundary: return "\\b";
        case Kind::no_word_boundary: return "\\B";
        case Kind::one_of: return re2_set(regex.sets[term.set]);
        case Kind::repeat: return "(?:" + re2_syntax(regex, term.children[0]) + ")" + re2_quantifier(term);
        case Kind::sequence:
            for (const auto child : term.children) out += re2_syntax(regex, child);
            return out;
        case Kind::alternatives:
            for (const auto child : term.children) out += (out.empty() ? "(?:" : "|") + re2_syntax(regex, child);
            return out + ")";
    }
    return out;
}

inline bool re2_matches(std::string_view source, std::string_view text) {
    const auto regex = parse_regex(source);
    if (!regex) return false;
    const re2::RE2 re2(re2_syntax(*regex, regex->root), re2::RE2::Quiet);
    return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), re2);
}

}  // namespace tenon::schema::testing
