// The lines of a YAML text, and a position in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon::skills {

/// One line without its line break.
struct YamlLine {
    std::string_view text;
    std::size_t indent = 0;  // leading spaces; "- - x" counts from the content of the innermost list
    bool blank = true;       // has only spaces, or a comment
};

/// Splits at "\n" and "\r\n".
std::vector<YamlLine> yaml_lines(std::string_view text);

/// Returns where a comment begins, or the size of the text. `from`: the first character that may begin one.
std::size_t comment_start(std::string_view text, std::size_t from);

/// Returns the text without spaces and tabs at its end.
std::string_view trim_right(std::string_view text);
std::string_view trim_left(std::string_view text);

/// Returns the position of the ":" that ends a plain key, or npos. A ":" ends a key before a space or at the end.
std::size_t colon_after_key(std::string_view text);

}  // namespace tenon::skills
