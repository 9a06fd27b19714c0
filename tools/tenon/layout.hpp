// Lays out text in columns that fit a terminal.
#pragma once

#include <cstddef>
#include <vector>

#include "out.hpp"

namespace tenon::program {

/// Breaks a text into lines of at most `width` columns, at spaces, and inside words that are too long.
std::vector<SafeText> wrap(const SafeText& text, std::size_t width);

/// Cuts a line to `width` columns.
SafeText cut(const SafeText& line, std::size_t width);

/// Writes `text` in lines that fit the width of `out`, each after `indent` spaces.
void write_wrapped(Out& out, const SafeText& text, std::size_t indent = 0);

struct Table {
    struct Column {
        Literal heading;
        Look look = Look::plain;
    };
    std::vector<Column> columns;
    std::vector<std::vector<SafeText>> rows;  ///< one cell per column, each a single line
};

/// Returns the width of each column, with a sum of at most `available` if possible. Narrow columns get the width they
/// want. Wide columns share the rest.
std::vector<std::size_t> share_width(const std::vector<std::size_t>& wanted, std::size_t available);

/// Writes the table. Leaves out empty columns, and continues wide cells on the next line. On a very narrow terminal
/// each cell has its own line.
void write_table(Out& out, const Table& table);

}  // namespace tenon::program
