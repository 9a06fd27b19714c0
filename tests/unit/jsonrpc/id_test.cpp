// rules: RPC-4, RPC-10
#include <gtest/gtest.h>

#include "jsonrpc/id.hpp"
#include "jsonrpc/raw_id.hpp"

namespace tenon::jsonrpc {
namespace {

Id id_of(std::string_view text) { return Id::from(json::parse(text).value(), text).value(); }

TEST(Id, keeps_its_spelling) {
    for (const char* text : {"0", "-0", "1", "-1", "1.0", "1.50", "1e2", "1E+2", "9007199254740993",
                             "-9223372036854775808", "9223372036854775808", "18446744073709551615",
                             "18446744073709551616", "1e400", "0.1", "\"\"", "\"a\"", "\"1\"", "\"é\\n\\\"\""})
        EXPECT_EQ(id_of(text).text(), text);
}

TEST(Id, other_types_than_string_and_number_are_refused) {
    for (const char* text : {"null", "true", "{}", "[]", "[1]"})
        EXPECT_FALSE(Id::from(json::parse(text).value())) << text;
}

TEST(Id, is_compared_by_value_and_type) {
    EXPECT_EQ(id_of("1"), id_of("1.0"));
    EXPECT_EQ(id_of("100"), id_of("1e2"));
    EXPECT_EQ(id_of("0"), id_of("-0"));
    EXPECT_EQ(id_of("\"\\u0061\""), id_of("\"a\""));
    EXPECT_FALSE(id_of("1") == id_of("\"1\""));
    EXPECT_FALSE(id_of("9007199254740992") == id_of("9007199254740993"));
    EXPECT_FALSE(id_of("9007199254740993") == id_of("9007199254740992.0"));
    EXPECT_FALSE(id_of("18446744073709551615") == id_of("18446744073709551616"));
    EXPECT_FALSE(id_of("18446744073709551616") == id_of("18446744073709551617"));
    EXPECT_EQ(id_of("18446744073709551616"), id_of("1844674407370955161600e-2"));
}

TEST(Id, equal_ids_have_equal_hashes) {
    EXPECT_EQ(id_of("1").hash(), id_of("1.0").hash());
    EXPECT_EQ(id_of("0").hash(), id_of("-0").hash());
    EXPECT_EQ(id_of("18446744073709551615").hash(), id_of("18446744073709551615").hash());
}

std::string raw(std::string_view text, std::size_t index = 0) { return std::string(RawIds(text).at(index)); }

TEST(RawIds, finds_only_the_top_level_id) {
    EXPECT_EQ(raw(R"({"id":1.50})"), "1.50");
    EXPECT_EQ(raw(R"(  { "a" : {"id":2} , "b":["id",3,{"id":4}], "s":"\"id\":5", "id" : 6.0 } )"), "6.0");
    EXPECT_EQ(raw(R"({"\u0069d":7})"), "7");
    EXPECT_EQ(raw(R"({"\u0069\u0064":8})"), "8");
    EXPECT_EQ(raw(R"({"ids":1,"i":2,"":3,"di":4})"), "");
    EXPECT_EQ(raw("{}"), "");
    EXPECT_EQ(raw("7"), "");
}

TEST(RawIds, finds_the_ids_of_a_batch_in_order) {
    RawIds ids(R"([{"id":0.5}, "id", {"x":[{"id":9}]} ,{"x":"]}","id":1.50},{"id":-0}])");
    EXPECT_EQ(ids.at(0), "0.5");
    EXPECT_EQ(ids.at(1), "");
    EXPECT_EQ(ids.at(2), "");
    EXPECT_EQ(ids.at(3), "1.50");
    EXPECT_EQ(ids.at(3), "1.50");
    EXPECT_EQ(ids.at(4), "-0");
}

}  // namespace
}  // namespace tenon::jsonrpc
