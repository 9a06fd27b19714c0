// Flow style ([a, b] and {a: b}), and quoted text.
#include <algorithm>

#include "base/utf8.hpp"
#include "skills/yaml_parser.hpp"
#include "skills/yaml_scalar.hpp"

namespace tenon::skills {
namespace {

bool is_flow_mark(char c) { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'; }

// The escapes of one character, and what they stand for.
struct ShortEscape {
    char name;
    char32_t meaning;
};
constexpr ShortEscape short_escapes[] = {
    {'0', 0},  {'a', 7},   {'b', 8},   {'t', 9},   {'\t', 9},    {'n', 10},   {'v', 11},   {'f', 12},     {'r', 13},
    {'e', 27}, {' ', ' '}, {'"', '"'}, {'/', '/'}, {'\\', '\\'}, {'N', 0x85}, {'_', 0xA0}, {'L', 0x2028}, {'P', 0x2029},
};

bool is_high_surrogate(char32_t c) { return c >= 0xD800 && c < 0xDC00; }
bool is_low_surrogate(char32_t c) { return c >= 0xDC00 && c < 0xE000; }

}  // namespace

// Skips spaces, line breaks and comments.
void YamlParser::skip_flow_space(long parent) {
    while (ok()) {
        while (peek() == ' ' || peek() == '\t') ++column_;
        const bool comment = peek() == '#' && comment_start(lines_[line_].text, column_) == column_;
        if (peek() != '\n' && !comment) return;
        ++line_;
        if (!skip_blank_lines()) return fail("has a list or mapping that is not closed");
        if (indent() <= parent) return fail("is indented less than the list or mapping that it is in");
        column_ = lines_[line_].indent;
    }
}

json::value YamlParser::flow(long parent, std::size_t depth) {
    if (!count(depth)) return {};
    const char first = peek();
    if (first == '[') return flow_list(parent, depth);
    if (first == '{') return flow_mapping(parent, depth);
    if (first == '"' || first == '\'') return json::value(quoted(parent));
    return typed(flow_plain());
}

std::string_view YamlParser::flow_plain() {
    const std::string_view here = rest();
    if (here.starts_with("- ") || std::string_view("&*!|>%@`#?").find(peek()) != std::string_view::npos) {
        fail("begins with a character that YAML reserves, or uses an anchor, alias or tag: put it in quotes");
        return {};
    }
    std::size_t end = 0;
    for (; end < here.size() && !is_flow_mark(here[end]); ++end) {
        const char next = end + 1 < here.size() ? here[end + 1] : ' ';
        if (here[end] == ':' && (next == ' ' || next == '\t' || is_flow_mark(next))) break;
        if (here[end] == '#' && end > 0 && (here[end - 1] == ' ' || here[end - 1] == '\t')) break;
    }
    column_ += end;
    return trim_right(here.substr(0, end));
}

// Reads what follows an entry. Returns whether another entry may follow.
bool YamlParser::flow_separator(long parent, char close) {
    skip_flow_space(parent);
    if (!ok()) return false;
    const char c = peek();
    if (c != ',' && c != close)
        fail("needs a \",\" or the end of the list or mapping: put text with special characters in quotes");
    ++column_;
    return ok() && c == ',';
}

json::value YamlParser::flow_list(long parent, std::size_t depth) {
    json::array out;
    ++column_;
    do {
        skip_flow_space(parent);
        if (ok() && peek() == ']') {
            ++column_;
            break;
        }
        if (ok() && peek() == ',') fail("has an empty entry");
        if (ok()) out.push_back(flow(parent, depth + 1));
    } while (ok() && flow_separator(parent, ']'));
    return out;
}

std::string YamlParser::flow_key(long parent) {
    const bool has_quotes = peek() == '"' || peek() == '\'';
    std::string out = has_quotes ? quoted(parent) : std::string(flow_plain());
    const auto value = plain_value(out);
    if (!has_quotes && (!value || !value->is_string() || out == "<<"))
        fail("has a key that is not text: put it in quotes");
    if (ok()) skip_flow_space(parent);
    if (ok() && peek() != ':') fail("needs a \":\" after each key");
    ++column_;
    return out;
}

json::value YamlParser::flow_mapping(long parent, std::size_t depth) {
    json::object out;
    ++column_;
    do {
        skip_flow_space(parent);
        if (ok() && peek() == '}') {
            ++column_;
            break;
        }
        if (!ok() || !count(depth)) break;
        std::string name = flow_key(parent);
        if (ok()) skip_flow_space(parent);
        if (!ok()) break;
        json::value value = peek() == ',' || peek() == '}' ? json::value() : flow(parent, depth + 1);
        if (ok() && !out.emplace(name, std::move(value)).second) fail("repeats a key of the same mapping");
    } while (ok() && flow_separator(parent, '}'));
    return out;
}

std::string YamlParser::quoted(long parent) {
    const char quote = peek();
    std::string out;
    std::size_t kept = 0;  // the part of `out` that folding must not trim
    for (++column_; ok(); ++column_) {
        const char c = peek();
        if (c == '\n') {
            fold_line(out, kept, parent, false);
            --column_;
        } else if (c == quote) {
            ++column_;
            if (quote == '"' || peek() != '\'') return out;
            out += '\'';
        } else if (c == '\\' && quote == '"') {
            escape(out, parent);
            kept = out.size();
        } else {
            out += c;
        }
    }
    return out;
}

// Joins this line and the next. Empty lines become line breaks. Leaves the column at the content of the next line.
void YamlParser::fold_line(std::string& out, std::size_t kept, long parent, bool escaped) {
    if (!escaped) {
        while (out.size() > kept && (out.back() == ' ' || out.back() == '\t')) out.pop_back();
    }
    std::size_t empty = 0;
    for (++line_; !at_end() && trim_left(lines_[line_].text).empty(); ++line_) ++empty;
    if (at_end()) return fail("has a quoted text that is not closed");
    if (indent() <= parent) return fail("is indented less than the quoted text that it is in");
    out.append(empty, '\n');
    if (empty == 0 && !escaped) out += ' ';
    column_ = lines_[line_].text.size() - trim_left(lines_[line_].text).size();
}

// Reads an escape. Leaves the column at its last character.
void YamlParser::escape(std::string& out, long parent) {
    ++column_;
    const char name = peek();
    if (name == '\n') {
        fold_line(out, out.size(), parent, true);
        --column_;
        return;
    }
    if (name == 'x' || name == 'u' || name == 'U') {
        const char32_t c = code_point(name == 'x' ? 2 : name == 'u' ? 4 : 8);
        if (ok()) base::append_utf8(out, c);
        return;
    }
    const auto* found = std::ranges::find(short_escapes, name, &ShortEscape::name);
    if (found == std::end(short_escapes)) return fail("has an unknown escape in a quoted text");
    base::append_utf8(out, found->meaning);
}

std::optional<char32_t> YamlParser::hexadecimal(std::size_t digits) {
    char32_t out = 0;
    for (std::size_t i = 0; i < digits; ++i) {
        ++column_;
        const std::size_t digit = std::string_view("0123456789abcdefABCDEF").find(peek());
        if (digit == std::string_view::npos) return std::nullopt;
        out = out * 16 + static_cast<char32_t>(digit < 16 ? digit : digit - 6);
    }
    return out;
}

// Two escapes of UTF-16 surrogates make one character, as in JSON.
char32_t YamlParser::code_point(std::size_t digits) {
    const auto first = hexadecimal(digits);
    char32_t c = first.value_or(0x110000);
    if (is_high_surrogate(c) && rest().substr(1).starts_with("\\u")) {
        column_ += 2;  // to the u
        const auto second = hexadecimal(4);
        c = second && is_low_surrogate(*second) ? 0x10000 + ((c - 0xD800) << 10) + (*second - 0xDC00) : 0x110000;
    }
    if (c > 0x10FFFF || is_high_surrogate(c) || is_low_surrogate(c)) fail("has an escape that is not a character");
    return c;
}

}  // namespace tenon::skills
