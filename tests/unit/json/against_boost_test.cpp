// Compares Tenon's parser with Boost's: both must give the same values and the same error messages.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <string>
#include <tenon/json.hpp>
#include <vector>

#include "boost_parser.hpp"
#include "json/arena.hpp"

namespace tenon::json {
namespace {

// Compares exactly, including the kind of each number, the bits of each double and the order of members.
bool same(const value& a, const value& b) {
    if (a.kind() != b.kind()) return false;
    if (a.is_double())
        return std::bit_cast<std::uint64_t>(a.get_double()) == std::bit_cast<std::uint64_t>(b.get_double());
    if (a.is_array())
        return std::equal(a.get_array().begin(), a.get_array().end(), b.get_array().begin(), b.get_array().end(), same);
    if (a.is_object())
        return std::equal(
            a.get_object().begin(), a.get_object().end(), b.get_object().begin(), b.get_object().end(),
            [](const auto& x, const auto& y) { return x.key() == y.key() && same(x.value(), y.value()); });
    return a == b;
}

std::string outcome(const Result<value>& r) { return r ? "value " + write(*r) : r.error().message; }

bool agrees(std::string_view text, ParseLimits limits = {}) {
    // A buffer of exactly this size, so a sanitizer detects each byte read beyond it.
    const std::vector<char> exact(text.begin(), text.end());
    const auto ours = parse({exact.data(), exact.size()}, limits), boosts = reference::parse(text, limits);
    const bool ok = ours ? boosts && same(*ours, *boosts)
                         : !boosts && ours.error().code == boosts.error().code && outcome(ours) == outcome(boosts);
    if (!ok) ADD_FAILURE() << text.substr(0, 400) << "\nours:  " << outcome(ours) << "\nBoost: " << outcome(boosts);
    return ok;
}

const std::vector<std::string> documents = {
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"some text"}}})",
    R"( { "a" : [ 1 , -2.5e-3 , true , false , null , { } , [ ] ] , "b":"\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\uDE00" } )",
    "[\"\u00e9\u20ac\U0001F600 plain text of more than sixteen bytes \u00e9 and more\", \"\x7f\", \"\"]",
    R"([0,-0,0.0,-0.0,1,-1,10,9223372036854775807,9223372036854775808,-9223372036854775808,-9223372036854775809])",
    R"([18446744073709551615,18446744073709551616,1e0,1E+2,1e-2,123456789012345678901234567890.5e3,0.1e-7])",
    R"({"a":{"b":{"c":[[[{"d":"e"}]]]}},"\u0061b":1,"ab\u0000":2,"":3})",
    "\"0123456789abcde\\n0123456789abcdef0123456789\\ud800\\udc00\"",
};

TEST(AgainstBoost, agrees_on_every_prefix_of_a_text) {
    for (const std::string& text : documents)
        for (std::size_t n = 0; n <= text.size(); ++n) ASSERT_TRUE(agrees(std::string_view(text).substr(0, n)));
}

TEST(AgainstBoost, agrees_when_any_byte_is_replaced_removed_or_doubled) {
    constexpr char all[] =
        "\0\x01\x1f \t\n\r\"\\/{}[]:,+-.0159aeEubfntrdDcCx\x7f\x80\xbf\xc0\xc2\xe0\xed\xf0\xf4\xf5\xff";
    const std::string_view bytes(all, sizeof all - 1);
    for (const std::string& text : documents)
        for (std::size_t i = 0; i < text.size(); ++i) {
            for (const char c : bytes) {
                std::string changed = text;
                changed[i] = c;
                ASSERT_TRUE(agrees(changed));
                ASSERT_TRUE(agrees(changed.insert(i, 1, text[i])));
            }
            ASSERT_TRUE(agrees(std::string(text).erase(i, 1)));
        }
}

TEST(AgainstBoost, agrees_on_randomly_damaged_texts) {
    EXPECT_TRUE(rc::check("some bytes of a text, anywhere", [] {
        std::string text = *rc::gen::elementOf(documents);
        for (int n = *rc::gen::inRange(1, 12); n > 0; --n) {
            const auto i = *rc::gen::inRange<std::size_t>(0, text.size());
            text[i] = *rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::elementOf(text));
        }
        RC_ASSERT(agrees(text));
    }));
    EXPECT_TRUE(
        rc::check("a string of any bytes", [](const std::string& bytes) { RC_ASSERT(agrees('"' + bytes + '"')); }));
    EXPECT_TRUE(rc::check("pieces of JSON in any order", [] {
        static const std::vector<std::string> pieces = {"{",     "}",   "[",    "]",  ",",  ":",    "\"a\"",
                                                        "\"b\"", "1",   "-",    ".5", "e9", "true", "null",
                                                        " ",     "\\u", "d83d", "\"", "00", "\xC3", "\xA9"};
        std::string text;
        for (int n = *rc::gen::inRange(1, 30); n > 0; --n) text += *rc::gen::elementOf(pieces);
        RC_ASSERT(agrees(text));
    }));
}

TEST(AgainstBoost, agrees_on_utf8_and_surrogate_pairs) {
    for (int a = 0; a < 256; ++a)
        for (int b = 0; b < 256; b += 1 + b % 3) {
            std::string text = "\"xy\"";
            text[1] = static_cast<char>(a);
            text[2] = static_cast<char>(b);
            ASSERT_TRUE(agrees(text));
            for (const int c : {0x7f, 0x80, 0xbf, 0xc0})
                ASSERT_TRUE(agrees(std::string(text).insert(3, {static_cast<char>(c), '\x80'})));
        }
    const char* const units[] = {"0000", "d7ff", "d800", "DBFF", "dc00", "DfFf",
                                 "e000", "ffff", "12g4", "-123", "+12",  " 12"};
    for (const std::string a : units)
        for (const std::string b : units)
            for (const std::string end : {"\"", "", " and a tail that is long enough\""}) {
                ASSERT_TRUE(agrees("\"\\u" + a + "\\u" + b + end));
                ASSERT_TRUE(agrees("\"\\u" + a + "\\n" + b + end));
                ASSERT_TRUE(agrees("\"\\u" + a + end));
            }
}

TEST(AgainstBoost, agrees_on_numbers_at_the_limits) {
    const char* const whole[] = {"0",
                                 "1",
                                 "9",
                                 "922337203685477580",
                                 "9223372036854775807",
                                 "9223372036854775808",
                                 "9223372036854775809",
                                 "18446744073709551615",
                                 "18446744073709551616",
                                 "99999999999999999999999999",
                                 "17976931348623157",
                                 "17976931348623159",
                                 "49406564584124654"};
    const char* const tails[] = {"",
                                 ".",
                                 ".0",
                                 ".5",
                                 ".12345678901234567890123",
                                 "e",
                                 "e+",
                                 "e5",
                                 "E-5",
                                 "e292",
                                 "e308",
                                 "e309",
                                 "e400",
                                 "e-308",
                                 "e-324",
                                 "e-340",
                                 "e-400",
                                 "e99999999",
                                 "e999999999",
                                 "e-999999999",
                                 "e2147483647",
                                 "e-2147483647",
                                 "e2147483648",
                                 "e00000000000001",
                                 ".25e-2147483647",
                                 "e99999999999999999999",
                                 ".5e-99999999999999"};
    const std::string behind = ",\"something long behind it, so that Boost is in a hurry\"]";
    for (const std::string sign : {"", "-", "+", "0"})
        for (const std::string w : whole)
            for (const std::string tail : tails) {
                ASSERT_TRUE(agrees(sign + w + tail));
                ASSERT_TRUE(agrees("[" + sign + w + tail + "]"));
                ASSERT_TRUE(agrees("[" + sign + w + tail + behind));
            }
    EXPECT_TRUE(rc::check("any number", [](double d, std::int64_t i, std::uint64_t u) {
        RC_ASSERT(agrees(write(array{d, i, u})));
    }));
}

TEST(AgainstBoost, agrees_on_the_depth_limit) {
    for (std::size_t depth = 0; depth < 6; ++depth)
        for (std::size_t n = 0; n < 7; ++n) {
            const std::string closing(n, ']');
            ASSERT_TRUE(agrees(std::string(n, '[') + closing, {depth}));
            ASSERT_TRUE(agrees(std::string(n, '[') + "1" + closing, {depth}));
            ASSERT_TRUE(agrees("{\"a\":" + std::string(n, '[') + "{}" + closing + "}", {depth}));
        }
    ASSERT_TRUE(agrees(std::string(100'000, '[')));
}

TEST(AgainstBoost, agrees_on_large_texts) {
    for (const std::size_t size :
         {std::size_t{15}, std::size_t{16}, std::size_t{17}, std::size_t{65536}, std::size_t{1} << 20}) {
        const std::string plain(size, 'x');
        ASSERT_TRUE(agrees('"' + plain + '"'));
        ASSERT_TRUE(agrees('"' + plain));
        ASSERT_TRUE(agrees('"' + plain + "\\n\u20ac" + plain + "\\u20ac\""));
        ASSERT_TRUE(agrees('"' + plain + "\xE2\x82\"" + plain));
        ASSERT_TRUE(agrees("{\"" + plain + "\\t\":\"" + plain + "\\t\",\"" + plain + "\":\"\\t\"}"));
    }
    std::string many = "[", members = "{";
    for (int i = 0; i < 5000; ++i)
        many += "[1,\"a\\n\"],", members += "\"k" + std::to_string(i) + "\":{\"a\":1,\"b\":2},";
    ASSERT_TRUE(agrees(many + "null]"));
    ASSERT_TRUE(agrees(members + "\"k\":1}"));
    ASSERT_TRUE(agrees(members + "\"k4999\":1}"));
    ASSERT_TRUE(agrees(members + "\"k0\":1}"));
    ASSERT_TRUE(agrees(members + "\"k0\":1"));
}

TEST(AgainstBoost, agrees_on_small_objects_with_and_without_duplicate_keys) {
    for (int n = 1; n < 40; ++n)
        for (int twice = 0; twice <= n; ++twice) {
            std::string text = "{";
            for (int i = 0; i < n; ++i)
                text += "\"" + std::string(static_cast<std::size_t>(i % 3), '_') + std::to_string(i) + "\":0,";
            text += twice == n ? "\"x\":0}"
                               : "\"" + std::string(static_cast<std::size_t>(twice % 3), '_') + std::to_string(twice) +
                                     "\":0}";
            ASSERT_TRUE(agrees(text));
        }
}

TEST(Parse, a_value_may_span_several_pieces_of_an_arena) {
    std::string text = "[";
    for (int i = 0; i < 300; ++i) text += R"({"a":[1.5,"something longer than a small string"]},)";
    Arena arena;
    const auto v = parse(text + "{}]", {}, arena.storage());
    EXPECT_TRUE(same(v.value(), reference::parse(text + "{}]").value()));
}

}  // namespace
}  // namespace tenon::json
