// rules: TOOL-11
#include <gtest/gtest.h>

#include <tenon/json_writer.hpp>

namespace tenon::json {
namespace {

std::string neutral(const value& v) {
    std::string out;
    Writer w(out);
    w.neutralise();
    w.value(v);
    return out;
}

TEST(Neutralise, control_characters_become_visible_in_texts_and_names) {
    EXPECT_EQ(neutral("a\x1b[31mred"), "\"a\u241b[31mred\"");
    EXPECT_EQ(neutral(object{{"k\x07", "v\x08"}}), "{\"k\u2407\":\"v\u2408\"}");
    EXPECT_EQ(neutral("\xC2\x9B"
                      "5m"),
              "\"\uFFFD5m\"")
        << "C1 starts a terminal escape, too";
    EXPECT_EQ(neutral(value(std::string(100, 'x') + "\x7f!")), "\"" + std::string(100, 'x') + "\u2421!\"");
    EXPECT_EQ(neutral("\x7f"), "\"\u2421\"");
    EXPECT_EQ(neutral("over\rwritten"), "\"over\u240dwritten\"");
}

TEST(Neutralise, ordinary_text_stays) {
    const std::string text = "tab\tnewline\nwindows\r\n\"quoted\" \\ \u00e4\u00a0\u20ac \U0001F600";
    EXPECT_EQ(neutral(value(text)), write(value(text)));
}

TEST(Neutralise, is_off_by_default) { EXPECT_EQ(write(value("\x1b\x7f")), "\"\\u001b\x7f\""); }

}  // namespace
}  // namespace tenon::json
