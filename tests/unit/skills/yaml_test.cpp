#include "skills/yaml.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tenon::skills {
namespace {

std::string as_json(std::string_view yaml) {
    const auto value = parse_yaml(yaml);
    return value ? json::write(*value) : "error: " + value.error().message;
}

bool is_refused(std::string_view yaml) { return !parse_yaml(yaml); }

TEST(Yaml, plain_values_have_the_types_of_the_core_schema) {
    EXPECT_EQ(
        as_json("a: 1\nb: -2\nc: 1.5\nd: true\ne: null\nf: ~\ng:\nh: yes\ni: 0x1f\nj: 0o17\nk: 1e3\nl: 1.0.0"),
        R"({"a":1,"b":-2,"c":1.5,"d":true,"e":null,"f":null,"g":null,"h":"yes","i":31,"j":15,"k":1000,"l":"1.0.0"})");
    EXPECT_EQ(as_json("a: 2024-01-01\nb: +7\nc: 12e\nd: .5\ne: -\u00e9"),
              "{\"a\":\"2024-01-01\",\"b\":7,\"c\":\"12e\",\"d\":0.5,\"e\":\"-\u00e9\"}");
}

TEST(Yaml, mappings_and_lists_nest_by_indentation) {
    EXPECT_EQ(as_json("a:\n  b:\n    - 1\n    - x: 2\n      y: 3\n    - - 4\n      - 5\nc: d"),
              R"({"a":{"b":[1,{"x":2,"y":3},[4,5]]},"c":"d"})");
    EXPECT_EQ(as_json("a:\n- 1\n-\n- b:\n    c\nd: 2"), R"({"a":[1,null,{"b":"c"}],"d":2})");
}

TEST(Yaml, comments_and_blank_lines_are_skipped) {
    EXPECT_EQ(as_json("# head\na: b # tail\n\n  # more\nc: d#e\nf: #\n  - g # h\n"),
              R"({"a":"b","c":"d#e","f":["g"]})");
}

TEST(Yaml, plain_text_continues_on_deeper_lines) {
    EXPECT_EQ(as_json("a:\n  - 1\n    - 2"), R"({"a":["1 - 2"]})");
    EXPECT_EQ(as_json("a: one\n  two\n\n  three\nb: http://x/y:z"), R"({"a":"one two\nthree","b":"http://x/y:z"})");
}

TEST(Yaml, quoted_text_has_escapes_and_folds_lines) {
    EXPECT_EQ(as_json(R"(a: "x\ty\u00e9\ud83d\ude00 \"q\" \\"
b: 'it''s: fine'
"c d": "")"),
              "{\"a\":\"x\\ty\u00e9\U0001F600 \\\"q\\\" \\\\\",\"b\":\"it's: fine\",\"c d\":\"\"}");
    EXPECT_EQ(as_json("a: \"one  \n  two\n\n  three \\\n  four\""), R"({"a":"one two\nthree four"})");
}

TEST(Yaml, literal_and_folded_text_keep_or_join_lines) {
    EXPECT_EQ(as_json("a: |\n  x\n   y\n\n  z\n\nb: >-\n  x\n  y\n\n  z\n    deep\n  w\nc: |+\n  x\n\nd: |2-\n   x"),
              R"({"a":"x\n y\n\nz\n","b":"x y\nz\n  deep\nw","c":"x\n\n","d":" x"})");
}

TEST(Yaml, flow_lists_and_mappings_are_read_over_several_lines) {
    EXPECT_EQ(as_json("a: [1, 'b', {c: d, \"e\":2}, [], ] # x\nf: {\n  g: [h,\n    i], # y\n  j: }"),
              R"({"a":[1,"b",{"c":"d","e":2},[]],"f":{"g":["h","i"],"j":null}})");
}

TEST(Yaml, ambiguous_yaml_is_refused) {
    for (const char* yaml : {"a: &x 1\nb: *x",
                             "a: !!str 1",
                             "<<: {a: 1}",
                             "? a\n: b",
                             "a: 1\na: 2",
                             "a: {b: 1, b: 2}",
                             "a: b: c",
                             "a: .inf",
                             "a: -.INF",
                             "a: .nan",
                             "1: a",
                             "true: a",
                             "a:\n\tb: c",
                             "\ta: b",
                             "a: 'x",
                             "a: \"x",
                             "a: [1, 2",
                             "a: {b",
                             "a: [b: c]",
                             "a: \"\\q\"",
                             "a: \"\\ud83d\"",
                             "a: 'x' y",
                             "a:\n  - 'x'\n   - 3",
                             "a: 1\n  b: 2",
                             "a: @b",
                             "a: `b`",
                             "- 1\na: 2",
                             "a: 1\n- 2",
                             "a: - 1",
                             "%YAML 1.2\na: b",
                             "a: [1,,2]",
                             "a: b\n---\nc: d",
                             "a: b #c\n  d",
                             "a: |x\n  b",
                             "a",
                             "a: 1e999",
                             "a:b",
                             "\"a\":b",
                             "[a]: b",
                             "a: [- b]"})
        EXPECT_TRUE(is_refused(std::string("x: y\n") + yaml)) << yaml << " gave " << as_json(yaml);
}

TEST(Yaml, errors_name_the_line) {
    EXPECT_EQ(parse_yaml("a: 1\nb: c: d\n").error().message, "line 2 has \": \" in a text: put the text in quotes");
    EXPECT_EQ(parse_yaml("a: 1\n\na: 2\n").error().message, "line 3 repeats a key of the same mapping");
}

TEST(Yaml, bytes_and_depth_are_limited) {
    EXPECT_TRUE(is_refused("a: \xff"));
    EXPECT_TRUE(is_refused("a: \x1b"));
    EXPECT_TRUE(is_refused("a: " + std::string(40, '[') + std::string(40, ']')));
    std::string deep;
    for (int i = 0; i < 40; ++i) deep += "- ";
    EXPECT_TRUE(is_refused(deep + "x"));
    std::string many;
    for (int i = 0; i < 2000; ++i) many += "- x\n";
    EXPECT_TRUE(is_refused(many));
}

// A text that was written in double quotes, as JSON, is read back.
RC_GTEST_PROP(Yaml, json_strings_are_yaml, (const std::vector<unsigned char>& bytes)) {
    std::string text;
    for (const unsigned char byte : bytes) text += static_cast<char>(byte % 95 + 32);
    RC_ASSERT(as_json("a: " + json::write(json::value(text))) == json::write(json::object{{"a", text}}));
}

// Any text is read or refused, without a crash.
RC_GTEST_PROP(Yaml, any_text_ends, (const std::vector<unsigned char>& picks)) {
    constexpr std::string_view pieces[] = {"a",  ":",  " ", "\n", "- ", "#",  "[", "]", "{", "}",    ",",  "'",
                                           "\"", "\\", "|", ">",  "\t", "  ", "1", "&", "-", "\r\n", "b: "};
    std::string text;
    for (const unsigned char pick : picks) text += pieces[pick % std::size(pieces)];
    const auto value = parse_yaml(text);
    RC_ASSERT(value.has_value() || value.error().message.starts_with("line "));
}

}  // namespace
}  // namespace tenon::skills
