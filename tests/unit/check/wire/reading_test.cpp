#include "check/wire/reading.hpp"

#include <gtest/gtest.h>

#include "check/server/unsafe_text.hpp"
#include "check/wire/transcript.hpp"

namespace tenon::check {
namespace {

TextDefect defect_of(std::string_view text) { return read_patiently(text).defect; }

TEST(Reading, names_the_defect_of_a_text) {
    EXPECT_EQ(defect_of(R"({"a":1})"), TextDefect::none);
    EXPECT_EQ(defect_of("{\"a\":\"\xE9\"}"), TextDefect::not_utf8);
    EXPECT_EQ(defect_of("\xEF\xBB\xBF{\"a\":1}"), TextDefect::byte_order_mark);
    EXPECT_EQ(defect_of("{\"a\":\"x\ty\"}"), TextDefect::control_character);
    EXPECT_EQ(defect_of(R"({"a":"\ud83d"})"), TextDefect::lone_surrogate);
    EXPECT_EQ(defect_of(R"({"a":"\ude00\ud83d"})"), TextDefect::lone_surrogate);
    EXPECT_EQ(defect_of(R"({"a":1,"a":2})"), TextDefect::repeated_member);
    EXPECT_EQ(defect_of(R"({"a":1,})"), TextDefect::no_json);
    EXPECT_EQ(defect_of("Server started"), TextDefect::no_json);
    EXPECT_EQ(defect_of(""), TextDefect::no_json);
}

TEST(Reading, reads_the_value_despite_a_defect) {
    for (const std::string_view text :
         {"{\"id\":7,\"a\":\"\xE9\"}", "\xEF\xBB\xBF{\"id\":7}", "{\"id\":7,\"a\":\"\x01\"}",
          R"({"id":7,"a":"\udc00"})", R"({"id":7,"a":1,"a":2})"}) {
        const Reading reading = read_patiently(text);
        ASSERT_TRUE(reading.value) << text;
        EXPECT_EQ(reading.value->at("id"), json::value(7));
    }
    EXPECT_FALSE(read_patiently("{").value);
    EXPECT_TRUE(read_patiently(R"("\ud83d\ude00")").value);
    EXPECT_EQ(defect_of(R"("\ud83d\ude00")"), TextDefect::none);
}

TEST(Reading, keeps_the_spelling_of_ids) {
    EXPECT_EQ(spelled_id(R"({"jsonrpc":"2.0","id":9007199254740993})"), "9007199254740993");
    EXPECT_EQ(spelled_id(R"([{"id":1},{"id":"x"}])", 1), "\"x\"");
    EXPECT_EQ(spelled_id(R"({"jsonrpc":"2.0"})"), "");
}

TEST(SuspiciousText, escapes_hidden_text_and_stack_traces_are_found_in_nested_values) {
    const json::value tool = {{"name", "nice"}, {"annotations", {{"title", "\x1b[8m"}}}};
    EXPECT_EQ(text_that(tool, has_terminal_escape), "\x1b[8m");
    EXPECT_FALSE(text_that(tool, has_hidden_text));
    EXPECT_TRUE(has_hidden_text("a\xE2\x80\xAE"));                                  // right-to-left override
    EXPECT_TRUE(has_hidden_text("a\xF3\xA0\x81\x81"));                              // tag character
    EXPECT_FALSE(has_hidden_text("\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xA7"));  // emoji with a zero-width joiner
    EXPECT_FALSE(has_terminal_escape("line\nline\ttab"));
    EXPECT_TRUE(has_terminal_escape("\xC2\x9B"));
    EXPECT_TRUE(shows_its_insides("\"Error: x\\n    at f (/srv/a.js:1:1)\""));
    EXPECT_FALSE(shows_its_insides("no such tool"));
}

TEST(Transcript, a_long_transcript_keeps_its_beginning_and_end) {
    Transcript transcript(4, 100);
    const std::size_t mark = transcript.mark();
    for (int i = 0; i < 40; ++i) transcript.sent("message " + std::to_string(i));
    const auto shown = transcript.since(mark);
    ASSERT_EQ(shown.size(), 17U);
    EXPECT_EQ(shown.front().bytes, "mess");
    EXPECT_EQ(shown.front().left_out, 5U);
    EXPECT_EQ(shown[4].direction, Evidence::Direction::note);
    EXPECT_NE(shown[4].bytes.find("24 messages"), std::string::npos);
    EXPECT_TRUE(transcript.since(transcript.mark()).empty());
}

TEST(Transcript, keeps_only_the_newest_messages) {
    Transcript transcript(100, 10);
    const std::size_t mark = transcript.mark();
    for (int i = 0; i < 25; ++i) transcript.received(std::to_string(i));
    const auto shown = transcript.since(mark);
    ASSERT_EQ(shown.size(), 10U);
    EXPECT_EQ(shown.front().bytes, "15");
    EXPECT_EQ(transcript.since(mark + 24).front().bytes, "24");
}

}  // namespace
}  // namespace tenon::check
