#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <tenon/json_writer.hpp>

#include "base/utf8.hpp"

namespace tenon::json {
namespace {

std::string in_quotes(std::string_view s) {
    std::string out;
    Writer(out).string(s);
    return out;
}

TEST(Writer, escapes_control_characters_quotes_and_backslashes) {
    EXPECT_EQ(in_quotes(std::string_view("a\"\\\n\r\t\b\f\0\x1f", 10)), R"("a\"\\\n\r\t\b\f\u0000\u001f")");
}

TEST(Writer, replaces_invalid_utf8) {
    EXPECT_EQ(in_quotes("a\xFFz"), "\"a\xEF\xBF\xBDz\"");
    EXPECT_EQ(in_quotes("\xE2\x82"), "\"\xEF\xBF\xBD\"");
    EXPECT_EQ(in_quotes("\xED\xA0\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(Writer, separates_members_and_elements_with_commas) {
    std::string out;
    Writer w(out);
    w.begin_object();
    w.field("a", 1);
    w.key("b");
    w.begin_array();
    w.number(1.5);
    w.null();
    w.begin_object();
    w.end_object();
    w.end_array();
    w.field("c", "x");
    w.end_object();
    EXPECT_EQ(out, R"({"a":1,"b":[1.5,null,{}],"c":"x"})");
}

TEST(Writer, writes_null_for_nan_and_infinity) {
    EXPECT_EQ(write(value(std::nan(""))), "null");
    EXPECT_EQ(write(value(HUGE_VAL)), "null");
    EXPECT_EQ(write(value(0.1)), "0.1");
}

TEST(Writer, any_bytes_become_one_line_of_valid_json_that_parses_back) {
    EXPECT_TRUE(rc::check("any bytes", [](const std::string& bytes) {
        const std::string text = in_quotes(bytes);
        RC_ASSERT(text.find('\n') == std::string::npos);
        const auto back = parse(text);
        RC_ASSERT(back.has_value());
        if (base::is_utf8(bytes)) RC_ASSERT(std::string_view(back->get_string()) == bytes);
    }));
}

}  // namespace
}  // namespace tenon::json
