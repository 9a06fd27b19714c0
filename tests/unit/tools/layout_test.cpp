#include "tools/tenon/layout.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numeric>

#include "screen.hpp"

namespace tenon::program {
namespace {

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    std::vector<std::string> out;
    for (const SafeText& line : wrap(safe_text(text), width)) out.emplace_back(line.view());
    return out;
}

using Lines = std::vector<std::string>;

TEST(Wrap, breaks_at_spaces) {
    EXPECT_EQ(wrapped("one two three", 8), (Lines{"one two", "three"}));
    EXPECT_EQ(wrapped("one two", 7), (Lines{"one two"}));
    EXPECT_EQ(wrapped("", 5), (Lines{""}));
}

TEST(Wrap, keeps_newlines) { EXPECT_EQ(wrapped("a\n\nb", 5), (Lines{"a", "", "b"})); }

TEST(Wrap, cuts_words_that_are_too_long) { EXPECT_EQ(wrapped("abcdefgh ij", 3), (Lines{"abc", "def", "gh", "ij"})); }

TEST(Wrap, counts_columns_and_not_bytes) { EXPECT_EQ(wrapped("世界 世界", 5), (Lines{"世界", "世界"})); }

TEST(Wrap, lines_are_never_too_wide_and_only_spaces_are_lost) {
    rc::check([](const std::string& bytes) {
        const std::size_t width = *rc::gen::inRange<std::size_t>(2, 20);
        const SafeText text = safe_line(bytes);
        std::string joined;
        for (const SafeText& line : wrap(text, width)) {
            RC_ASSERT(line.width() <= width);
            joined += line.view();
        }
        std::erase(joined, ' ');
        std::string all(text.view());
        std::erase(all, ' ');
        RC_ASSERT(joined == all);
    });
}

TEST(ShareWidth, columns_get_their_full_width_when_it_fits) {
    EXPECT_EQ(share_width({5, 10, 20}, 40), (std::vector<std::size_t>{5, 10, 20}));
}

TEST(ShareWidth, shrinks_the_widest_columns) {
    EXPECT_EQ(share_width({5, 10, 100}, 40), (std::vector<std::size_t>{5, 10, 25}));
    EXPECT_EQ(share_width({100, 100}, 40), (std::vector<std::size_t>{20, 20}));
}

Table tools() {
    return {{{"NAME", Look::bold}, {"FLAGS"}, {"DESCRIPTION"}},
            {{safe_line("echo"), {}, safe_line("gives back what it gets, to the letter")},
             {safe_line("add"), {}, safe_line("adds")}}};
}

TEST(Table, aligns_columns_and_wraps_cells) {
    Screen screen({.width = 30});
    write_table(screen.out, tools());
    EXPECT_EQ(screen.shown(),
              "NAME  DESCRIPTION\n"
              "echo  gives back what it gets,\n"
              "      to the letter\n"
              "add   adds\n");
}

TEST(Table, stacks_cells_when_the_width_is_too_small) {
    Screen screen({.width = 20});
    const SafeText cell = safe_line("a long cell");
    write_table(screen.out, {{{"A"}, {"B"}, {"C"}}, {{cell, cell, {}}, {cell, {}, cell}}});
    EXPECT_EQ(screen.shown(), "a long cell\n  a long cell\na long cell\n  a long cell\n");
}

TEST(Table, without_rows_nothing_is_written) {
    Screen screen;
    write_table(screen.out, {{{"A"}}, {}});
    EXPECT_EQ(screen.shown(), "");
}

TEST(Table, fits_any_width_and_has_no_trailing_spaces) {
    for (std::size_t width = 20; width < 100; ++width) {
        Screen screen({.width = width});
        write_table(screen.out, tools());
        std::istringstream lines(screen.shown());
        for (std::string line; std::getline(lines, line);) {
            EXPECT_LE(line.size(), width);
            EXPECT_FALSE(line.ends_with(' ')) << line;
        }
    }
}

TEST(Out, uses_colours_only_when_enabled) {
    Screen with({.terminal = true, .colours = true}), without;
    for (Screen* screen : {&with, &without}) screen->out << Styled(Look::red, "x") << Styled(Look::plain, "y") << "z";
    EXPECT_EQ(with.shown(), "\x1b[31mx\x1b[0myz");
    EXPECT_EQ(without.shown(), "xyz");
}

TEST(Out, reports_failed_writes) {
    Out out([](std::string_view) { return false; }, {});
    out << "x";
    EXPECT_FALSE(out.failed());
    out.flush();
    EXPECT_TRUE(out.failed());
}

}  // namespace
}  // namespace tenon::program
