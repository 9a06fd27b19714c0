// The parser of parse_yaml(): one object for one text.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "skills/yaml.hpp"
#include "skills/yaml_lines.hpp"

namespace tenon::skills {

/// Reads from line to line. Stores the first error; after it, all functions return quickly with empty values. The
/// functions of block style are in yaml.cpp, those of flow style and quoted text in yaml_flow.cpp.
///
/// `parent` is the indentation of the enclosing list or mapping: content must be indented more. -1: there is none.
class YamlParser {
 public:
    YamlParser(std::string_view text, YamlLimits limits) : lines_(yaml_lines(text)), limits_(limits) {}

    Result<json::value> document();

 private:
    // yaml.cpp
    json::value node(long parent, std::size_t depth);
    json::value list(long indent, std::size_t depth);
    json::value mapping(long indent, std::size_t depth);
    std::string key();
    json::value value_after_key(long indent, std::size_t depth);
    json::value inline_value(long parent, std::size_t depth);
    json::value plain(long parent);
    json::value block_text(long parent);
    std::size_t block_indent(long parent, std::size_t explicit_indent) const;
    bool begins_mapping(std::string_view content) const;
    void end_of_value();

    // yaml_flow.cpp
    json::value flow(long parent, std::size_t depth);
    json::value flow_list(long parent, std::size_t depth);
    json::value flow_mapping(long parent, std::size_t depth);
    std::string flow_key(long parent);
    std::string_view flow_plain();
    bool flow_separator(long parent, char close);
    void skip_flow_space(long parent);
    std::string quoted(long parent);
    void fold_line(std::string& out, std::size_t kept, long parent, bool escaped);
    void escape(std::string& out, long parent);
    std::optional<char32_t> hexadecimal(std::size_t digits);
    char32_t code_point(std::size_t digits);

    bool ok() const { return !error_; }
    bool at_end() const { return line_ == lines_.size(); }
    void fail(std::string_view what);
    bool count(std::size_t depth);
    bool skip_blank_lines();  // returns whether there is a line
    long indent() const { return static_cast<long>(lines_[line_].indent); }
    std::string_view content() const { return lines_[line_].text.substr(lines_[line_].indent); }
    std::string_view rest() const { return lines_[line_].text.substr(std::min(column_, lines_[line_].text.size())); }
    char peek() const { return column_ < lines_[line_].text.size() ? lines_[line_].text[column_] : '\n'; }
    json::value typed(std::string_view text);

    std::vector<YamlLine> lines_;
    YamlLimits limits_;
    std::size_t line_ = 0, column_ = 0, nodes_ = 0;
    std::optional<Error> error_;
};

}  // namespace tenon::skills
