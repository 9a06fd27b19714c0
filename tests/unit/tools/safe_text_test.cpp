#include "tools/tenon/safe_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <tenon/json.hpp>

#include "tools/tenon/json_text.hpp"
#include "tools/tenon/unicode.hpp"

namespace tenon::program {
namespace {

std::string shown(std::string_view bytes) { return std::string(safe_text(bytes).view()); }
std::string as_json(std::string_view bytes) { return std::string(safe_json(bytes).view()); }

template <class T>
concept MakesSafeText = requires(const T& t) {
    SafeText(t);
};
static_assert(!MakesSafeText<std::string> && !MakesSafeText<std::string_view> && !MakesSafeText<const char*>,
              "the only ways to a SafeText are literals and safe_text()");

bool is_safe(std::string_view text) {
    while (!text.empty()) {
        const CodePoint c = first_code_point(text);
        const bool allowed = c.value == '\n' || c.value == '\t' || is_emoji_style(c.value);
        if (!c.valid || (is_dangerous(c.value) && !allowed)) return false;
        text.remove_prefix(c.bytes);
    }
    return true;
}

TEST(SafeText, leaves_ordinary_text_alone) {
    for (const std::string text : {"", "plain", "two\nlines\tand a tab", "Grüße, 世界, 🎉", "é"})
        EXPECT_EQ(shown(text), text);
}

TEST(SafeText, escapes_terminal_control_characters) {
    EXPECT_EQ(shown("\x1b[2J"), "<U+001B>[2J");
    EXPECT_EQ(shown("\x1b]0;title\a"), "<U+001B>]0;title<U+0007>");
    EXPECT_EQ(shown("a\bb\x7f"), "a<U+0008>b<U+007F>");
    EXPECT_EQ(shown("\xc2\x9b"
                    "31m"),
              "<U+009B>31m")
        << "CSI as a C1 control character";
    EXPECT_EQ(shown("over\rwritten"), "over<U+000D>written");
    EXPECT_EQ(shown(std::string_view("\0", 1)), "<U+0000>");
}

TEST(SafeText, escapes_invisible_and_direction_changing_characters) {
    EXPECT_EQ(shown("\u202Egnp.exe"), "<U+202E>gnp.exe");
    EXPECT_EQ(shown("pay\u200Bpal"), "pay<U+200B>pal");
    EXPECT_EQ(shown("\u2066\u2069\ufeff\u00ad\u061c"), "<U+2066><U+2069><U+FEFF><U+00AD><U+061C>");
    EXPECT_EQ(shown("\U000E0041"), "<U+E0041>") << "a letter of the tag block";
    EXPECT_EQ(shown("a\u2028b"), "a<U+2028>b");
}

TEST(SafeText, keeps_one_emoji_style_mark_after_a_symbol) {
    EXPECT_EQ(shown("❤\ufe0f"), "❤\ufe0f");
    EXPECT_EQ(shown("a\ufe0f"), "a<U+FE0F>");
    EXPECT_EQ(shown("❤\ufe0f\ufe0f"), "❤\ufe0f<U+FE0F>") << "a row of style marks can carry a hidden message";
}

TEST(SafeText, shows_invalid_utf8_as_hex) {
    EXPECT_EQ(shown("\xff"), "<FF>");
    EXPECT_EQ(shown("\x9b"), "<9B>") << "the C1 control character as a bare byte";
    EXPECT_EQ(shown("\xc0\xaf"), "<C0><AF>") << "an overlong encoding";
    EXPECT_EQ(shown("\xed\xa0\x80"), "<ED><A0><80>") << "an encoded surrogate";
    EXPECT_EQ(shown("\xe2\x82"), "<E2><82>") << "a truncated character";
}

TEST(SafeText, converts_crlf_to_a_newline) { EXPECT_EQ(shown("a\r\nb"), "a\nb"); }

TEST(SafeText, safe_line_contains_no_newline) {
    EXPECT_EQ(safe_line(" a\n\n b\t c ").view(), "a b c");
    EXPECT_EQ(safe_line("\x1b\n").view(), "<U+001B>");
}

TEST(SafeText, is_safe_for_any_bytes) {
    rc::check("any bytes", [](const std::string& bytes) {
        RC_ASSERT(is_safe(safe_text(bytes).view()));
        RC_ASSERT(is_safe(safe_line(bytes).view()));
        RC_ASSERT(safe_line(bytes).view().find('\n') == std::string_view::npos);
    });
    rc::check("any slice", [](const std::string& bytes, std::uint8_t at, std::uint8_t n) {
        RC_ASSERT(is_safe(safe_text(bytes).slice(at, n).view()));
    });
}

TEST(SafeText, escaping_twice_changes_nothing) {
    rc::check([](const std::string& bytes) {
        const SafeText once = safe_text(bytes);
        RC_ASSERT(safe_text(once.view()) == once);
    });
}

TEST(SafeJson, escapes_the_same_characters_as_json_escapes) {
    EXPECT_EQ(as_json("\"\x7f\xc2\x9b\u202e\""), R"("\u007f\u009b\u202e")");
    EXPECT_EQ(as_json("\"\U000E0041\""), R"("\udb40\udc41")");
    EXPECT_EQ(compact_json("\x1b[2J\n").view(), R"("\u001b[2J\n")");
}

TEST(SafeJson, keeps_the_json_value) {
    rc::check([](const std::vector<std::uint16_t>& units) {
        std::string text;
        for (const std::uint16_t unit : units) {
            const bool surrogate = unit >= 0xD800 && unit <= 0xDFFF;
            const char32_t c = surrogate ? 0x9B : unit;
            if (c < 0x80)
                text += static_cast<char>(c);
            else if (c < 0x800)
                text += {static_cast<char>(0xC0 | (c >> 6)), static_cast<char>(0x80 | (c & 63))};
            else
                text += {static_cast<char>(0xE0 | (c >> 12)), static_cast<char>(0x80 | ((c >> 6) & 63)),
                         static_cast<char>(0x80 | (c & 63))};
        }
        const json::value v = json::object{{"text", text}, {"list", json::array{text, 1}}};
        for (const SafeText& written : {compact_json(v), pretty_json(v)}) {
            RC_ASSERT(is_safe(written.view()));
            RC_ASSERT(json::parse(written.view()).value() == v);
        }
    });
}

TEST(PrettyJson, has_a_line_for_each_member) {
    EXPECT_EQ(pretty_json(json::parse(R"({"a":[1,2],"b":{},"c":[]})").value()).view(),
              "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {},\n  \"c\": []\n}");
}

TEST(Columns, count_terminal_columns_and_not_bytes) {
    EXPECT_EQ(columns("abc"), 3u);
    EXPECT_EQ(columns("世界"), 4u);
    EXPECT_EQ(columns("e\u0301"), 1u);
    EXPECT_EQ(columns("🎉"), 2u);
}

}  // namespace
}  // namespace tenon::program
