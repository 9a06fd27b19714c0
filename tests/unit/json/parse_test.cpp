#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstring>
#include <tenon/json.hpp>

#include "json/scan.hpp"
#include "unit/json/collision_keys.hpp"

namespace tenon::json {
namespace {

TEST(Parse, refuses_malformed_json) {
    for (const char* text : {"", " ", "{", "[1,]", "{\"a\":1,}", "nul", "1 2", "{\"a\":1}x", "'a'", "\"\x01\"",
                             "\"\\ud800\"", "\"\xC0\xAF\"", "\"\xED\xA0\x80\"", "// c\n1", "NaN"}) {
        const auto r = parse(text);
        ASSERT_FALSE(r) << text;
        EXPECT_EQ(r.error().code, code::parse_error) << text;
    }
}

TEST(Parse, refuses_duplicate_keys_at_any_level) {
    EXPECT_FALSE(parse(R"({"a":1,"a":1})"));
    EXPECT_FALSE(parse(R"([{"x":{"a":1,"b":2,"\u0061":3}}])"));
    EXPECT_TRUE(parse(R"([{"a":1},{"a":1}])"));
}

TEST(Parse, refuses_a_raw_nul_and_keeps_an_escaped_one) {
    EXPECT_FALSE(parse(std::string_view("\"a\0b\"", 5)));
    EXPECT_EQ(parse("\"a\\u0000b\"").value().as_string(), std::string_view("a\0b", 3));
}

TEST(Parse, the_depth_is_limited_and_deep_input_does_not_crash) {
    EXPECT_TRUE(parse(std::string(128, '[') + std::string(128, ']')));
    const auto r = parse(std::string(129, '[') + std::string(129, ']'));
    ASSERT_FALSE(r);
    EXPECT_NE(r.error().message.find("128 levels"), std::string::npos);
    EXPECT_FALSE(parse(std::string(1'000'000, '[')));
}

TEST(Parse, keeps_integers_exact) {
    EXPECT_EQ(write(parse("[9007199254740993,-9223372036854775808,18446744073709551615]").value()),
              "[9007199254740993,-9223372036854775808,18446744073709551615]");
}

TEST(Parse, doubles_are_read_exactly) {
    EXPECT_TRUE(rc::check("any finite double", [](std::uint64_t bits) {
        double d;
        std::memcpy(&d, &bits, sizeof d);
        RC_PRE(std::isfinite(d));
        RC_ASSERT(parse(write(d)).value().to_number<double>() == d);
    }));
    EXPECT_EQ(parse("1.7976931348623157e308").value(), value(1.7976931348623157e308));
    EXPECT_EQ(parse("0.1e1").value(), value(1.0));
}

TEST(Parse, parse_patiently_uses_the_last_duplicate_key_and_enforces_limits) {
    const auto parsed = parse_patiently(R"({"a":1,"b":[1],"a":{"c":null,"c":"x"},"b":true})", {});
    ASSERT_TRUE(parsed);
    EXPECT_EQ(write(*parsed), R"({"a":{"c":"x"},"b":true})");
    EXPECT_FALSE(parse_patiently("[1,2", {}));
    EXPECT_FALSE(parse_patiently("[1,2]", {.max_nodes = 2}));
    EXPECT_FALSE(parse_patiently(testing::colliding_object(), {}));
}

TEST(Parse, refuses_an_object_with_more_members_than_max_members) {
    EXPECT_TRUE(parse(R"([{"a":1,"b":2},{"c":3,"d":4}])", {.max_members = 2}));
    const auto parsed = parse(R"([{"a":1,"b":{"c":3,"d":4,"e":5}}])", {.max_members = 2});
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().code, code::parse_error);
    EXPECT_EQ(parsed.error().message, "Parse error: an object has more members than the limit `max_members` of 2");
}

// Node::span has 29 bits.
TEST(Parse, max_nodes_is_limited_by_the_counter_in_a_node) {
    EXPECT_EQ(Scan::most_nodes({.max_nodes = 5}), 5U);
    for (const std::size_t max : {std::size_t{1} << 29, std::size_t{1} << 32, static_cast<std::size_t>(-1)})
        EXPECT_EQ(Scan::most_nodes({.max_nodes = max}), 536'870'911U);
}

TEST(Parse, refuses_more_values_and_keys_than_max_nodes) {
    for (const std::size_t max : {1u, 2u, 5u, 127u, 128u, 129u, 200u, 256u, 257u, 1000u}) {
        std::string text = "[";
        for (std::size_t i = 2; i < max; ++i) text += "0,";
        const std::string fits = max == 1 ? "[]" : text + "0]", beyond = max == 1 ? "[0]" : text + "0,0]";
        EXPECT_TRUE(parse(fits, {.max_nodes = max})) << max;
        for (const std::string& last : {beyond, beyond + " trailing", text + "0,[]]", text + "0,[["}) {
            const auto parsed = parse(last, {.max_nodes = max});
            ASSERT_FALSE(parsed) << max;
            EXPECT_EQ(
                parsed.error().message,
                "Parse error: the text has more values and keys than the limit `max_nodes` of " + std::to_string(max));
        }
    }
}

}  // namespace
}  // namespace tenon::json
