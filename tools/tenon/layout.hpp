// Text in columns that fit a terminal.
#pragma once

#include <cstddef>
#include <vector>

#include "out.hpp"

namespace tenon::program {

/// The lines of a text, none wider than `width`: broken at spaces, and inside words that are too long.
std::vector<SafeText> wrap(const SafeText& text, std::size_t width);

/// The beginning of one line, as much as fits.
SafeText cut(const SafeText& line, std::size_t width);

/// `text` in lines of the width that `out` has, each after `indent` spaces.
void write_wrapped(Out& out, const SafeText& text, std::size_t indent = 0);

struct Table {
    struct Column {
        Literal heading;
        Look look = Look::plain;
    };
    std::vector<Column> columns;
    std::vector<std::vector<SafeText>> rows;  ///< a cell for each column, one line each
};

/// How wide each column is, so that all fit `available`: as wide as it wants, or what is left when the wide ones share.
std::vector<std::size_t> share_width(const std::vector<std::size_t>& wanted, std::size_t available);

/// Columns without any text are left out; cells that are too wide go on below. Where there is no room for columns at
/// all, the cells of a row stand below each other.
void write_table(Out& out, const Table& table);

}  // namespace tenon::program
