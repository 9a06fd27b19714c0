// Block style: lists and mappings by indentation, plain text, literal and folded text.
#include "skills/yaml.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "skills/yaml_parser.hpp"
#include "skills/yaml_scalar.hpp"

namespace tenon::skills {
namespace {

bool begins_item(std::string_view content) { return content == "-" || content.starts_with("- "); }

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r'; }

// Returns the position after the closing quote on the same line, or npos.
std::size_t end_of_quoted(std::string_view text) {
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '\\' && text[0] == '"') {
            ++i;
        } else if (text[i] == text[0]) {
            return i + 1;
        }
    }
    return std::string_view::npos;
}

}  // namespace

Result<json::value> parse_yaml(std::string_view text, YamlLimits limits) {
    if (!base::is_utf8(text)) return Error{code::parse_error, "the text is not valid UTF-8"};
    if (std::ranges::any_of(text, is_control)) return Error{code::parse_error, "the text has control characters"};
    return YamlParser(text, limits).document();
}

Result<json::value> YamlParser::document() {
    json::value out;
    if (skip_blank_lines()) out = node(-1, 1);
    if (ok() && skip_blank_lines()) fail("does not belong to the lines above: check its indentation");
    if (!ok()) return *error_;
    return out;
}

void YamlParser::fail(std::string_view what) {
    if (error_) return;
    line_ = std::min(line_, lines_.size() - 1);
    column_ = 0;
    error_ = Error{code::parse_error, "line " + std::to_string(line_ + 1) + " " + std::string(what)};
}

bool YamlParser::count(std::size_t depth) {
    if (depth > limits_.max_depth) fail("is nested too deeply");
    if (++nodes_ > limits_.max_nodes) fail("has too many values");
    return ok();
}

bool YamlParser::skip_blank_lines() {
    while (!at_end() && lines_[line_].blank) ++line_;
    return !at_end();
}

json::value YamlParser::typed(std::string_view text) {
    auto value = plain_value(text);
    if (!value) fail("has a number that JSON cannot express: put it in quotes");
    return value ? *std::move(value) : json::value();
}

json::value YamlParser::node(long parent, std::size_t depth) {
    if (!count(depth)) return {};
    const std::string_view here = content();
    if (here.starts_with('\t') || here.starts_with("-\t")) return fail("is indented by a tab: use spaces"), nullptr;
    if (begins_item(here)) return list(indent(), depth);
    if (begins_mapping(here)) return mapping(indent(), depth);
    column_ = lines_[line_].indent;
    return inline_value(parent, depth);
}

bool YamlParser::begins_mapping(std::string_view content) const {
    if (content.starts_with('[') || content.starts_with('{')) return false;
    if (!content.starts_with('"') && !content.starts_with('\'')) return colon_after_key(content) != content.npos;
    const std::size_t end = end_of_quoted(content);
    return end != content.npos && trim_left(content.substr(end)).starts_with(':');
}

json::value YamlParser::list(long indent, std::size_t depth) {
    json::array out;
    while (ok() && skip_blank_lines() && this->indent() == indent && begins_item(content())) {
        const std::string_view item = trim_left(content().substr(1));
        if (item.empty() || item[0] == '#') {
            ++line_;
            out.push_back(skip_blank_lines() && this->indent() > indent ? node(indent, depth + 1) : json::value());
        } else {
            lines_[line_].indent += content().size() - item.size();
            out.push_back(node(indent, depth + 1));
        }
    }
    if (ok() && skip_blank_lines() && this->indent() > indent) fail("is indented more than the list that it is in");
    return out;
}

json::value YamlParser::mapping(long indent, std::size_t depth) {
    json::object out;
    while (ok() && skip_blank_lines() && this->indent() == indent) {
        std::string name = key();
        if (!count(depth)) break;
        const std::size_t line = line_;
        json::value value = value_after_key(indent, depth);
        if (ok() && !out.emplace(name, std::move(value)).second) {
            line_ = line;
            fail("repeats a key of the same mapping");
        }
    }
    if (ok() && skip_blank_lines() && this->indent() > indent) fail("is indented more than the mapping that it is in");
    return out;
}

// Reads a key and its ":". Keys of other types than text are refused, because JSON has none.
std::string YamlParser::key() {
    column_ = lines_[line_].indent;
    const std::string_view here = content();
    std::string out;
    if (here[0] == '\t') return fail("is indented by a tab: use spaces"), out;
    if (here[0] == '"' || here[0] == '\'') {
        if (!begins_mapping(here)) return fail("must be `key: value`"), out;
        out = quoted(-1);
        column_ += rest().size() - trim_left(rest()).size();
    } else {
        const std::size_t colon = colon_after_key(here);
        if (colon == here.npos) return fail("must be `key: value`"), out;
        out = trim_right(here.substr(0, colon));
        if (out.empty() || std::string_view("?,[]{}#&*!|>%@`").find(out[0]) != std::string_view::npos || out == "<<" ||
            begins_item(out))
            return fail("has a key that is not supported: put it in quotes"), out;
        if (const auto value = plain_value(out); !value || !value->is_string())
            return fail("has a key that is not text: put it in quotes"), out;
        column_ += colon;
    }
    ++column_;  // the colon
    if (peek() != ' ' && peek() != '\t' && peek() != '\n') fail("needs a space after the \":\"");
    return out;
}

json::value YamlParser::value_after_key(long indent, std::size_t depth) {
    if (!ok()) return {};
    const std::string_view value = trim_left(rest());
    if (!value.empty() && value[0] != '#') {
        column_ += rest().size() - value.size();
        return count(depth + 1) ? inline_value(indent, depth + 1) : json::value();
    }
    ++line_;
    if (!skip_blank_lines()) return {};
    if (this->indent() > indent) return node(indent, depth + 1);
    if (this->indent() == indent && begins_item(content()))
        return count(depth + 1) ? list(indent, depth + 1) : json::value();
    return {};
}

json::value YamlParser::inline_value(long parent, std::size_t depth) {
    const char first = peek();
    const std::string_view here = rest();
    if (first == '"' || first == '\'') {
        std::string text = quoted(parent);
        end_of_value();
        return json::value(text);
    }
    if (first == '[' || first == '{') {
        json::value value = flow(parent, depth);
        end_of_value();
        return value;
    }
    if (first == '|' || first == '>') return block_text(parent);
    if (std::string_view("&*!%@`,]}").find(first) != std::string_view::npos)
        fail("begins with a character that YAML reserves, or uses an anchor, alias or tag: put it in quotes");
    else if (begins_item(here) || here == "?" || here.starts_with("? ") || here == ":" || here.starts_with(": "))
        fail("begins a list or mapping where only a value can be");
    return ok() ? plain(parent) : json::value();
}

// Only a comment may follow a value on its line.
void YamlParser::end_of_value() {
    if (!ok()) return;
    const std::string_view after = rest();
    const std::string_view text = trim_left(after);
    if (!text.empty() && (text[0] != '#' || text.size() == after.size()))
        return fail("has text after the end of a value");
    ++line_;
}

json::value YamlParser::plain(long parent) {
    std::string out;
    std::size_t blank = 0;
    for (bool first = true, commented = false; !at_end(); ++line_, first = false) {
        const YamlLine& line = lines_[line_];
        if (!first && trim_left(line.text).empty()) {
            ++blank;
            continue;
        }
        if (!first && (indent() <= parent || line.blank)) break;
        if (commented) return fail("continues a text after a comment: put the text in quotes"), nullptr;
        const std::string_view here = first ? rest() : trim_left(line.text);
        const std::size_t end = comment_start(here, 1);
        const std::string_view part = trim_right(here.substr(0, end));
        if (colon_after_key(part) != part.npos) return fail("has \": \" in a text: put the text in quotes"), nullptr;
        if (!first) out += blank == 0 ? std::string(1, ' ') : std::string(blank, '\n');
        out += part;
        blank = 0;
        commented = end < here.size();
    }
    return typed(out);
}

// Returns the indentation of the lines of a literal or folded text: explicit, or that of its first line.
std::size_t YamlParser::block_indent(long parent, std::size_t explicit_indent) const {
    const auto least = static_cast<std::size_t>(std::max(parent, 0L));
    if (explicit_indent > 0) return least + explicit_indent;
    for (std::size_t i = line_; i < lines_.size(); ++i)
        if (lines_[i].text.find_first_not_of(' ') != std::string_view::npos)
            return std::max(lines_[i].indent, static_cast<std::size_t>(parent + 1));
    return least + 1;
}

json::value YamlParser::block_text(long parent) {
    const bool folded = peek() == '>';
    Chomp chomp = Chomp::clip;
    std::size_t explicit_indent = 0;
    for (++column_; peek() == '+' || peek() == '-' || (peek() >= '1' && peek() <= '9'); ++column_) {
        if (peek() >= '1' && peek() <= '9') {
            explicit_indent = static_cast<std::size_t>(peek() - '0');
        } else {
            chomp = peek() == '+' ? Chomp::keep : Chomp::strip;
        }
    }
    end_of_value();
    if (!ok()) return {};
    const std::size_t indent = block_indent(parent, explicit_indent);
    std::vector<std::string_view> lines;
    for (; !at_end(); ++line_) {
        const YamlLine& line = lines_[line_];
        const bool empty = line.text.find_first_not_of(' ') == std::string_view::npos;
        if (!empty && line.indent < indent) break;
        lines.push_back(line.text.substr(std::min(indent, line.text.size())));
    }
    return json::value(join_block(lines, folded, chomp));
}

}  // namespace tenon::skills
