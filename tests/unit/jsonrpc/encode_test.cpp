// rules: RPC-1, RPC-4, RPC-6, RPC-13, INT-1, INT-2
#include <gtest/gtest.h>

#include <type_traits>

#include "jsonrpc/codec.hpp"

namespace tenon::jsonrpc {
namespace {

// A plain string cannot become a message by accident. Only bytes of a json::Writer that are explicitly marked as
// Encoded can.
static_assert(!std::is_convertible_v<std::string, Encoded> && !std::is_convertible_v<const char*, Encoded>);

TEST(Encode, a_result_has_version_id_and_result) {
    EXPECT_EQ(encode_result(Id(std::int64_t{7}), {R"({"a":1})"}).json, R"({"jsonrpc":"2.0","id":7,"result":{"a":1}})");
}

TEST(Encode, an_error_has_code_message_and_optional_data) {
    EXPECT_EQ(encode_error(Id(std::string("x")), {-1, "no"}).json,
              R"({"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"no"}})");
    EXPECT_EQ(encode_error(Id(std::string("x")), {-1, "no", json::object{{"k", 1}}}).json,
              R"({"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"no","data":{"k":1}}})");
}

TEST(Encode, an_unreadable_id_is_written_as_null_or_left_out) {
    EXPECT_EQ(encode_error(std::nullopt, {-1, ""}, UnreadableId::null).json,
              R"({"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":""}})");
    EXPECT_EQ(encode_error(std::nullopt, {-1, ""}, UnreadableId::absent).json,
              R"({"jsonrpc":"2.0","error":{"code":-1,"message":""}})");
}

TEST(Encode, empty_params_are_left_out) {
    EXPECT_EQ(encode_request(Id(std::int64_t{1}), "roots/list", {}).json,
              R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})");
    EXPECT_EQ(encode_notification("m", {}).json, R"({"jsonrpc":"2.0","method":"m"})");
    EXPECT_EQ(encode_notification("m", {R"({"a":1})"}).json, R"({"jsonrpc":"2.0","method":"m","params":{"a":1}})");
}

TEST(Encode, a_batch_is_an_array_of_its_messages) {
    const Encoded one = encode_notification("a", {}), two = encode_notification("b", {});
    EXPECT_EQ(encode_batch({one, two}).json, "[" + one.json + "," + two.json + "]");
}

TEST(Encode, untrusted_text_cannot_break_the_line_or_the_json) {
    const Encoded out =
        encode_error(Id(std::string("a\n\xff\0b", 5)), {-1, std::string("x\r\n\0\x1b\"\\\xed\xa0\x80", 10)});
    for (const char c : out.json) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
    EXPECT_TRUE(json::parse(out.json));
}

}  // namespace
}  // namespace tenon::jsonrpc
