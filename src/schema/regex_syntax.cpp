#include "schema/regex_syntax.hpp"

#include <algorithm>
#include <optional>

#include "schema/regex_property.hpp"
#include "schema/text.hpp"

namespace tenon::schema {
namespace {

using Kind = RegexTerm::Kind;
using Range = CodePoints::Range;

constexpr std::size_t max_groups_inside_each_other = 100;
constexpr std::uint32_t max_repetitions = 1'000'000;

// Returns the same set of code points as sorted ranges without overlaps.
std::vector<Range> joined(std::vector<Range> ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
    std::vector<Range> out;
    for (const auto& r : ranges) {
        if (!out.empty() && r.first <= out.back().last + 1)
            out.back().last = std::max(out.back().last, r.last);
        else
            out.push_back(r);
    }
    return out;
}

const std::vector<Range> digits{{'0', '9'}};
const std::vector<Range> word{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
const std::vector<Range> space{{0x09, 0x0D},     {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680},
                               {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
                               {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
const std::vector<Range> line_ends{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};

class Parser {
 public:
    explicit Parser(std::string_view pattern) : rest_(pattern), size_(pattern.size()) {}

    Result<Regex> parse() {
        regex_.root = alternatives(0);
        if (error_.empty() && !rest_.empty()) fail("an unmatched )");
        if (!error_.empty()) return Error{code::invalid_params, error_};
        return std::move(regex_);
    }

 private:
    // Keeps the first error. Parsing continues with an empty rest.
    void fail(std::string what) {
        if (error_.empty()) error_ = std::move(what) + " at byte " + std::to_string(size_ - rest_.size());
        rest_ = {};
    }
    void unsupported(std::string_view what) {
        if (regex_.unsupported.empty()) regex_.unsupported = what;
    }
    bool take(std::string_view s) {
        if (!rest_.starts_with(s)) return false;
        rest_.remove_prefix(s.size());
        return true;
    }

    std::uint32_t add(RegexTerm term) {
        regex_.terms.push_back(std::move(term));
        return static_cast<std::uint32_t>(regex_.terms.size() - 1);
    }
    std::uint32_t add_set(CodePoints set) {
        regex_.sets.push_back(std::move(set));
        return add({.kind = Kind::one_of, .set = static_cast<std::uint32_t>(regex_.sets.size() - 1)});
    }
    std::uint32_t add_literal(char32_t c) { return add_set({.ranges = {{c, c}}}); }

    std::uint32_t alternatives(std::size_t depth) {
        if (depth > max_groups_inside_each_other) {
            fail("groups nested too deeply");
            return 0;
        }
        RegexTerm term{.kind = Kind::alternatives};
        do term.children.push_back(sequence(depth));
        while (take("|"));
        return term.children.size() == 1 ? term.children[0] : add(std::move(term));
    }

    std::uint32_t sequence(std::size_t depth) {
        RegexTerm term;
        while (!rest_.empty() && rest_[0] != '|' && rest_[0] != ')') {
            const std::uint32_t first_set = static_cast<std::uint32_t>(regex_.terms.size());
            const std::uint32_t atom = this->atom(depth);
            term.children.push_back(quantified(atom));
            if (regex_.terms.size() == first_set) break;  // an error: nothing was added
        }
        return add(std::move(term));
    }

    std::uint32_t quantified(std::uint32_t atom) {
        RegexTerm term{.kind = Kind::repeat};
        if (take("*")) {
            term.max = RegexTerm::unbounded;
        } else if (take("+")) {
            term.min = 1;
            term.max = RegexTerm::unbounded;
        } else if (take("?")) {
            term.max = 1;
        } else if (!counted(term)) {
            return atom;
        }
        take("?");  // lazy quantifiers match the same texts
        const Kind kind = error_.empty() ? regex_.terms[atom].kind : Kind::sequence;
        if (kind == Kind::start || kind == Kind::end || kind == Kind::word_boundary || kind == Kind::no_word_boundary)
            fail("a quantifier after an assertion");
        if (term.min > term.max) fail("a quantifier {n,m} with n above m");
        term.children = {atom};
        return add(std::move(term));
    }

    static std::optional<std::uint32_t> number(std::string_view& s) {
        constexpr std::uint32_t cap = max_repetitions + 1;
        if (s.empty() || !is_digit(s[0])) return std::nullopt;
        std::uint32_t n = 0;
        for (; !s.empty() && is_digit(s[0]); s.remove_prefix(1))
            n = std::min(cap, n * 10 + static_cast<std::uint32_t>(s[0] - '0'));
        return n;
    }

    // A brace that does not begin a quantifier is a literal, as in browsers.
    bool counted(RegexTerm& term) {
        std::string_view s = rest_;
        if (!s.starts_with('{')) return false;
        s.remove_prefix(1);
        const auto min = number(s);
        if (!min) return false;
        std::optional<std::uint32_t> max = min;
        if (s.starts_with(',')) {
            s.remove_prefix(1);
            max = s.starts_with('}') ? RegexTerm::unbounded : number(s);
        }
        if (!max || !s.starts_with('}')) return false;
        rest_ = s.substr(1);
        term.min = *min;
        term.max = *max;
        if (*min > max_repetitions || (*max > max_repetitions && *max != RegexTerm::unbounded))
            unsupported("a repetition above " + std::to_string(max_repetitions));
        return true;
    }

    std::uint32_t atom(std::size_t depth) {
        switch (rest_[0]) {
            case '(': return group(depth);
            case '[': return add_set(char_class());
            case '\\': return escape();
            case '^': return rest_.remove_prefix(1), add({.kind = Kind::start});
            case '$': return rest_.remove_prefix(1), add({.kind = Kind::end});
            case '.': return rest_.remove_prefix(1), add_set({.ranges = line_ends, .negated = true});
            case '*':
            case '+':
            case '?': return fail("a quantifier with nothing before it"), add({});
            case '{':
                if (RegexTerm unused; counted(unused)) return fail("a quantifier with nothing before it"), add({});
                return add_literal(take_code_point(rest_));
            default: return add_literal(take_code_point(rest_));
        }
    }

    std::uint32_t group(std::size_t depth) {
        rest_.remove_prefix(1);
        if (rest_.starts_with('?')) group_head();
        const std::uint32_t inner = error_.empty() ? alternatives(depth + 1) : 0;
        if (!take(")")) fail("an unclosed (");
        return add({.children = {inner}});
    }

    void group_head() {
        if (take("?:")) return;
        if (take("?=")) return unsupported("lookahead (?=");
        if (take("?!")) return unsupported("lookahead (?!");
        if (take("?<=")) return unsupported("lookbehind (?<=");
        if (take("?<!")) return unsupported("lookbehind (?<!");
        if (!take("?<") || !group_name()) fail("an unknown kind of group (?");
    }

    bool group_name() {
        const auto end = rest_.find('>');
        if (end == rest_.npos || end == 0 || is_digit(rest_[0])) return false;
        for (const char c : rest_.substr(0, end))
            if (!is_alnum(c) && c != '_' && c != '$' && static_cast<unsigned char>(c) < 0x80) return false;
        rest_.remove_prefix(end + 1);
        return true;
    }

    std::uint32_t escape() {
        rest_.remove_prefix(1);
        if (rest_.empty()) return fail("a \\ at the end"), add({});
        const char c = rest_[0];
        if (take("b")) return add({.kind = Kind::word_boundary});
        if (take("B")) return add({.kind = Kind::no_word_boundary});
        if (c >= '1' && c <= '9') {
            number(rest_);
            unsupported(std::string("backreference \\") + c);
            return add({});
        }
        if (take("k")) {
            if (!take("<") || !group_name()) fail("\\k without a <name>");
            unsupported("backreference \\k");
            return add({});
        }
        CodePoints set;
        if (class_escape(set)) return add_set(std::move(set));
        return add_literal(character_escape());
    }

    // Parses \d, \w, \s, \p and their opposites.
    bool class_escape(CodePoints& set) {
        if (rest_.empty()) return false;
        const char c = rest_[0];
        const std::vector<Range>* ranges = nullptr;
        if (c == 'd' || c == 'D') ranges = &digits;
        if (c == 'w' || c == 'W') ranges = &word;
        if (c == 's' || c == 'S') ranges = &space;
        if (ranges) {
            rest_.remove_prefix(1);
            set.ranges = *ranges;
            set.negated = c < 'a';
            return true;
        }
        if (c != 'p' && c != 'P') return false;
        rest_.remove_prefix(1);
        property(set, c == 'P');
        return true;
    }

    void property(CodePoints& set, bool negated) {
        const auto end = rest_.find('}');
        if (!rest_.starts_with('{') || end == rest_.npos) return fail("\\p without a {property}");
        const std::string_view name = rest_.substr(1, end - 1);
        const auto known = re2_property(name);
        if (!known) return fail("an unknown Unicode property \\p{" + std::string(name) + "}");
        if (known->empty())
            set.ranges = {{0, max_code_point}}, set.negated = negated;
        else
            set.properties.push_back((negated ? "\\P{" : "\\p{") + *known + "}");
        rest_.remove_prefix(end + 1);
    }

    char32_t character_escape() {
        if (rest_.empty()) return fail("a \\ at the end"), 0;
        const char c = rest_[0];
        rest_.remove_prefix(1);
        switch (c) {
            case 't': return '\t';
            case 'n': return '\n';
            case 'v': return '\v';
            case 'f': return '\f';
            case 'r': return '\r';
            case 'c': return control();
            case 'x': return hex(2);
            case 'u': return unicode();
            case '0':
                if (!rest_.empty() && is_digit(rest_[0])) fail("an octal escape");
                return 0;
            default: break;
        }
        if (is_alnum(c) || static_cast<unsigned char>(c) >= 0x80)
            return fail(std::string("an unknown escape \\") + c), 0;
        return static_cast<unsigned char>(c);
    }

    char32_t control() {
        if (rest_.empty() || !is_alpha(rest_[0])) return fail("\\c without a letter"), 0;
        const char c = rest_[0];
        rest_.remove_prefix(1);
        return static_cast<char32_t>(c) & 0x1F;
    }

    char32_t hex(std::size_t count) {
        char32_t c = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const int digit = rest_.empty() ? -1 : hex_digit(rest_[0]);
            if (digit < 0) return fail("too few hexadecimal digits"), 0;
            c = c * 16 + static_cast<char32_t>(digit);
            rest_.remove_prefix(1);
        }
        return c;
    }

    char32_t unicode() {
        if (take("{")) return braced();
        const char32_t high = hex(4);
        if (high < 0xD800 || high > 0xDFFF) return high;
        if (high < 0xDC00 && take("\\u")) {
            const char32_t low = hex(4);
            if (low >= 0xDC00 && low <= 0xDFFF) return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
        }
        unsupported("half of a surrogate pair \\ud800");
        return 0xFFFD;
    }

    char32_t braced() {
        char32_t c = 0;
        bool any = false;
        for (; !rest_.empty() && hex_digit(rest_[0]) >= 0; rest_.remove_prefix(1), any = true) {
            c = c * 16 + static_cast<char32_t>(hex_digit(rest_[0]));
            if (c > max_code_point) return fail("a code point above 10FFFF"), 0;
        }
        if (!any || !take("}")) return fail("\\u{ without digits and }"), 0;
        if (c >= 0xD800 && c <= 0xDFFF) unsupported("half of a surrogate pair \\u{d800}");
        return c;
    }

    CodePoints char_class() {
        rest_.remove_prefix(1);
        CodePoints set;
        set.negated = take("^");
        while (!rest_.empty() && rest_[0] != ']') class_member(set);
        if (!take("]")) fail("an unclosed [");
        set.ranges = joined(std::move(set.ranges));  // joined only once, because a repetition uses the set many times
        return set;
    }

    void class_member(CodePoints& set) {
        CodePoints first;
        const bool is_set = class_atom(first);
        if (is_set || !rest_.starts_with('-') || rest_.starts_with("-]")) return unite(set, first);
        rest_.remove_prefix(1);
        CodePoints last;
        if (class_atom(last)) return fail("a range that ends with a class");
        if (!error_.empty()) return;
        if (last.ranges[0].first < first.ranges[0].first) return fail("a range out of order");
        set.ranges.push_back({first.ranges[0].first, last.ranges[0].first});
    }

    // Returns true for a class such as \d, false for one character.
    bool class_atom(CodePoints& out) {
        if (rest_.empty()) return fail("an unclosed ["), false;
        char32_t c = 0;
        if (take("\\")) {
            if (class_escape(out)) return true;
            c = take("b") ? '\b' : character_escape();
        } else {
            c = take_code_point(rest_);
        }
        out.ranges = {{c, c}};
        return false;
    }

    static void unite(CodePoints& set, const CodePoints& other) {
        const auto ranges = resolved_ranges(other);
        set.ranges.insert(set.ranges.end(), ranges.begin(), ranges.end());
        set.properties.insert(set.properties.end(), other.properties.begin(), other.properties.end());
    }

    std::string_view rest_;
    std::size_t size_;
    Regex regex_;
    std::string error_;
};

std::vector<Range> complement(const std::vector<Range>& ranges) {
    std::vector<Range> out;
    char32_t next = 0;
    for (const auto& r : ranges) {
        if (r.first > next) out.push_back({next, r.first - 1});
        next = r.last + 1;
    }
    if (next <= max_code_point) out.push_back({next, max_code_point});
    return out;
}

}  // namespace

std::vector<Range> resolved_ranges(const CodePoints& set) {
    std::vector<Range> out = joined(set.ranges);
    return set.negated ? complement(out) : out;
}

Result<Regex> parse_regex(std::string_view pattern) { return Parser(pattern).parse(); }

}  // namespace tenon::schema
