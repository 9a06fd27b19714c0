#include "base/printable.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/utf8.hpp"

namespace tenon::base {
namespace {

TEST(Printable, leaves_ordinary_text_alone) {
    for (const char* text : {"", "plain text", "caf\u00e9 \u65e5\u672c \U0001F600 <b>&amp;", "a\u00a0b"})
        EXPECT_EQ(printable(text), text);
}

TEST(Printable, puts_everything_on_one_line) { EXPECT_EQ(printable("a\r\nb\tc\u2028d"), "a  b c<U+2028>d"); }

TEST(Printable, escapes_control_and_invisible_characters) {
    EXPECT_EQ(printable("\x1b[2J\a\x7f\u009b"), " [2J  <U+009B>");
    EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a b");
    for (const char32_t c :
         {U'\u0080', U'\u009b', U'\u009f', U'\u061c', U'\u200b', U'\u200e', U'\u200f', U'\u2028', U'\u2029', U'\u202a',
          U'\u202e', U'\u2060', U'\u2066', U'\u2069', U'\ufeff', U'\u00ad', U'\U000E0041'}) {
        std::string text = "a";
        append_utf8(text, c);
        const std::string shown = printable(text);
        EXPECT_TRUE(shown.starts_with("a<U+") && shown.ends_with('>')) << shown;
    }
}

TEST(Printable, shows_bytes_that_are_not_utf8) {
    EXPECT_EQ(printable("a\xff\xc3z\xed\xa0\x80"), "a<FF><C3>z<ED><A0><80>");
}

TEST(Printable, is_truncated_between_characters_after_escaping) {
    EXPECT_EQ(printable("abcdef", 6), "abcdef");
    EXPECT_EQ(printable("abcdef", 3), "abc\u2026");
    EXPECT_EQ(printable("ab\u00e9", 3), "ab\u2026");
    EXPECT_EQ(printable("ab\u202e", 9), "ab\u2026");
    EXPECT_EQ(printable("ab\u202e", 10), "ab<U+202E>");
}

TEST(Printable, result_is_always_short_visible_utf8) {
    EXPECT_TRUE(rc::check("is visible, is UTF-8, is short", [](const std::string& bytes) {
        const std::string shown = printable(bytes, 40);
        RC_ASSERT(is_utf8(shown));
        RC_ASSERT(shown.size() <= 43U);
        RC_ASSERT(printable(shown) == shown);
    }));
}

}  // namespace
}  // namespace tenon::base
