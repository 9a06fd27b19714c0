#include "layout.hpp"

#include <algorithm>
#include <numeric>

#include "unicode.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t narrowest_column = 8;

// Returns how many bytes of `text` fit into `width` columns; at least one character.
std::size_t fitting_bytes(std::string_view text, std::size_t width) {
    std::size_t bytes = 0, used = 0;
    while (bytes < text.size()) {
        const CodePoint c = first_code_point(text.substr(bytes));
        const std::size_t wide = columns(c.value);
        if (used + wide > width && bytes > 0) break;
        used += wide;
        bytes += c.bytes;
    }
    return bytes;
}

void wrap_line(const SafeText& line, std::size_t width, std::vector<SafeText>& out) {
    const std::string_view all = line.view();
    std::size_t begin = 0;
    while (begin < all.size()) {
        const std::size_t fits = fitting_bytes(all.substr(begin), width);
        if (begin + fits == all.size()) break;
        std::size_t end = all.rfind(' ', begin + fits);
        if (end == std::string_view::npos || end <= begin) end = begin + fits;  // one long word
        out.push_back(line.slice(begin, end - begin));
        begin = all[end] == ' ' ? end + 1 : end;
    }
    out.push_back(line.slice(begin));
}

using Row = std::vector<SafeText>;

void write_row(Out& out, const std::vector<std::size_t>& widths, const Row& row, const std::vector<Look>& looks) {
    std::vector<std::vector<SafeText>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        cells.push_back(wrap(row[i], widths[i]));
        height = std::max(height, cells.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
        std::size_t owed = 0;  // pending spaces, written only if text follows
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const SafeText text = line < cells[i].size() ? cells[i][line] : SafeText();
            if (!text.empty()) {
                out << spaces(owed) << Styled{looks[i], text};
                owed = widths[i] - std::min(widths[i], text.width()) + gap;
            } else {
                owed += widths[i] + gap;
            }
        }
        out << "\n";
    }
}

void write_stacked(Out& out, const Table& table) {
    for (const Row& row : table.rows) {
        out << Styled(table.columns[0].look, row[0]) << "\n";
        for (std::size_t i = 1; i < row.size(); ++i)
            if (!row[i].empty()) write_wrapped(out, row[i], gap);
    }
}

Table without_empty_columns(const Table& table) {
    Table out;
    out.rows.resize(table.rows.size());
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (std::ranges::all_of(table.rows, [i](const Row& row) { return row[i].empty(); })) continue;
        out.columns.push_back(table.columns[i]);
        for (std::size_t row = 0; row < table.rows.size(); ++row) out.rows[row].push_back(table.rows[row][i]);
    }
    return out;
}

}  // namespace

std::vector<SafeText> wrap(const SafeText& text, std::size_t width) {
    std::vector<SafeText> out;
    const std::string_view all = text.view();
    for (std::size_t begin = 0; begin <= all.size();) {
        const std::size_t end = std::min(all.find('\n', begin), all.size());
        wrap_line(text.slice(begin, end - begin), std::max<std::size_t>(width, 1), out);
        begin = end + 1;
    }
    return out;
}

SafeText cut(const SafeText& line, std::size_t width) { return line.slice(0, fitting_bytes(line.view(), width)); }

void write_wrapped(Out& out, const SafeText& text, std::size_t indent) {
    const std::size_t width =
        out.facts().width > indent + narrowest_column ? out.facts().width - indent : narrowest_column;
    for (const SafeText& line : wrap(text, width)) out << (line.empty() ? SafeText() : spaces(indent)) << line << "\n";
}

std::vector<std::size_t> share_width(const std::vector<std::size_t>& wanted, std::size_t available) {
    std::vector<std::size_t> out = wanted;
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::size_t i) { return wanted[i]; });
    std::size_t left = available, columns_left = wanted.size();
    for (const std::size_t i : order) {  // narrow columns first, so wide ones share the rest
        const std::size_t share = std::max(left / columns_left--, narrowest_column);
        out[i] = std::min(wanted[i], share);
        left -= std::min(left, out[i]);
    }
    return out;
}

void write_table(Out& out, const Table& whole) {
    const Table table = without_empty_columns(whole);
    if (table.columns.empty()) return;
    std::vector<std::size_t> wanted;
    Row headings;
    std::vector<Look> looks;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        std::size_t width = SafeText(table.columns[i].heading).width();
        for (const Row& row : table.rows) width = std::max(width, row[i].width());
        wanted.push_back(width);
        headings.emplace_back(table.columns[i].heading);
        looks.push_back(table.columns[i].look);
    }
    const std::size_t gaps = gap * (table.columns.size() - 1);
    const std::size_t available = out.facts().width > gaps ? out.facts().width - gaps : 1;
    const auto widths = share_width(wanted, available);
    if (std::accumulate(widths.begin(), widths.end(), std::size_t{0}) > available) return write_stacked(out, table);
    write_row(out, widths, headings, std::vector<Look>(headings.size(), Look::dim));
    for (const Row& row : table.rows) write_row(out, widths, row, looks);
}

}  // namespace tenon::program
