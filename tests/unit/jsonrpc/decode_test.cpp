// rules: RPC-1, RPC-3, RPC-5, RPC-8, RPC-9, RPC-11, RPC-12
#include <gtest/gtest.h>

#include "json/collisions.hpp"
#include "jsonrpc/codec.hpp"
#include "unit/json/collision_keys.hpp"

namespace tenon::jsonrpc {
namespace {

// Describes the decoded message in one line.
std::string kind_of(const Message& m) {
    if (const auto* r = std::get_if<Request>(&m))
        return "request " + r->id.text() + " " + r->method + " " + json::write(r->params);
    if (const auto* n = std::get_if<Notification>(&m))
        return "notification " + n->method + " " + json::write(n->params);
    if (const auto* r = std::get_if<Response>(&m))
        return "response " + r->id.text() + " " +
               (r->outcome ? json::write(*r->outcome) : "error " + std::to_string(r->outcome.error().code));
    if (const auto* i = std::get_if<Invalid>(&m))
        return "invalid " + (i->id ? i->id->text() : "-") + " " + std::to_string(i->error.code);
    return "ignored";
}

std::string kind_of(std::string_view text) {
    const Incoming in = decode(text);
    EXPECT_EQ(in.messages.size(), 1U) << text;
    EXPECT_FALSE(in.batch) << text;
    return kind_of(in.messages.front());
}

struct Row {
    const char* text;
    const char* kind;
};

TEST(Decode, distinguishes_requests_notifications_responses_and_invalid_messages) {
    const Row table[] = {
        // requests
        {R"({"jsonrpc":"2.0","id":1,"method":"m"})", "request 1 m {}"},
        {R"({"jsonrpc":"2.0","id":"a","method":"m","params":{"x":[1]}})", R"(request "a" m {"x":[1]})"},
        {R"({"method":"","id":-0.50,"jsonrpc":"2.0","extra":true})", "request -0.50  {}"},
        // notifications
        {R"({"jsonrpc":"2.0","method":"m"})", "notification m {}"},
        {R"({"jsonrpc":"2.0","method":"m","params":{"a":null}})", R"(notification m {"a":null})"},
        // responses
        {R"({"jsonrpc":"2.0","id":1,"result":{}})", "response 1 {}"},
        {R"({"jsonrpc":"2.0","id":1,"result":null})", "response 1 null"},
        {R"({"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"m"}})", "response 1 error 7"},
        {R"({"jsonrpc":"2.0","id":1,"error":{"code":2147483647,"message":"m"}})", "response 1 error 2147483647"},
        {R"({"jsonrpc":"2.0","id":1,"error":{"code":-2147483648,"message":"m"}})", "response 1 error -2147483648"},
        // 2^32 - 32602 must not become -32602, nor 2^32 + 7 become 7.
        {R"({"jsonrpc":"2.0","id":1,"error":{"code":4294934694,"message":"m"}})", "response 1 error -32603"},
        {R"({"jsonrpc":"2.0","id":1,"error":{"code":4294967303,"message":"m"}})", "response 1 error -32603"},
        {R"({"jsonrpc":"2.0","id":1,"error":{"code":-2147483649,"message":"m"}})", "response 1 error -32603"},
        {R"({"jsonrpc":"2.0","id":1,"error":{"code":7.5,"message":"m"}})", "response 1 error -32603"},
        {R"({"jsonrpc":"2.0","id":1,"error":{"code":7}})", "response 1 error -32603"},
        {R"({"jsonrpc":"2.0","id":1,"error":"m"})", "response 1 error -32603"},
        {R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":7,"message":"m"}})", "response 1 error -32603"},
        // invalid messages that need no answer
        {R"({"jsonrpc":"2.0","result":{}})", "ignored"},
        {R"({"jsonrpc":"2.0","id":null,"result":{}})", "ignored"},
        {R"({"jsonrpc":"2.0","id":null,"error":{"code":7,"message":"m"}})", "ignored"},
        {R"({"id":1,"result":{}})", "ignored"},
        {R"({"jsonrpc":"1.0","id":1,"error":{}})", "ignored"},
        {R"({"jsonrpc":"2.0","method":"m","params":[]})", "ignored"},
        // invalid messages that must be answered with an error
        {"", "invalid - -32700"},
        {"{", "invalid - -32700"},
        {R"({"id":1,"id":1})", "invalid - -32700"},
        {"1", "invalid - -32600"},
        {"null", "invalid - -32600"},
        {"[]", "invalid - -32600"},
        {"{}", "invalid - -32600"},
        {R"({"id":1})", "invalid 1 -32600"},
        {R"({"jsonrpc":"2.0","id":1})", "invalid 1 -32600"},
        {R"({"jsonrpc":2.0,"id":1,"method":"m"})", "invalid 1 -32600"},
        {R"({"jsonrpc":"2.0 ","id":1,"method":"m"})", "invalid 1 -32600"},
        {R"({"jsonrpc":null,"id":1,"method":"m"})", "invalid 1 -32600"},
        {R"({"jsonrpc":"2.0","id":1,"method":null})", "invalid 1 -32600"},
        {R"({"jsonrpc":"2.0","id":null,"method":"m"})", "invalid - -32600"},
        {R"({"jsonrpc":"2.0","id":{},"method":"m"})", "invalid - -32600"},
        {R"({"jsonrpc":"2.0","id":false,"method":"m"})", "invalid - -32600"},
        {R"({"jsonrpc":"2.0","id":1,"method":"m","result":{}})", "invalid 1 -32600"},
        {R"({"jsonrpc":"2.0","id":1,"method":"m","params":[]})", "invalid 1 -32602"},
        {R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})", "invalid 1 -32602"},
        {R"({"jsonrpc":"2.0","id":1,"method":"m","params":"x"})", "invalid 1 -32602"},
    };
    for (const Row& row : table) EXPECT_EQ(kind_of(row.text), row.kind) << row.text;
}

TEST(Decode, reads_each_message_of_a_batch_with_its_own_id) {
    const Incoming in = decode(
        R"( [ {"jsonrpc":"2.0","id":1.50,"method":"a"} , 7, {"jsonrpc":"2.0","params":{"id":9.5},"id":1e2,"method":"b"},
                                   {"jsonrpc":"2.0","method":"c"}, {"jsonrpc":"2.0","id":-0,"method":"d"} ] )");
    ASSERT_TRUE(in.batch);
    ASSERT_EQ(in.messages.size(), 5U);
    EXPECT_EQ(kind_of(in.messages[0]), "request 1.50 a {}");
    EXPECT_EQ(kind_of(in.messages[1]), "invalid - -32600");
    EXPECT_EQ(kind_of(in.messages[2]), R"(request 1e2 b {"id":9.5})");
    EXPECT_EQ(kind_of(in.messages[3]), "notification c {}");
    EXPECT_EQ(kind_of(in.messages[4]), "request -0 d {}");
}

TEST(Decode, keeps_the_spelling_of_an_id) {
    for (const std::string id :
         {"0", "-0", "7", "-7", "999999999999999999", "-999999999999999999", "9223372036854775807",
          "9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616",
          "-9223372036854775809", "1.0", "1e2", "0.1000", R"("")", R"("7")", R"("a\"b")"})
        EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","method":"m","id":)" + id + "}"), "request " + id + " m {}");
}

TEST(Decode, duplicate_keys_in_unknown_members_are_an_error) {
    EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","id":1,"method":"m","extra":{"a":1,"a":2}})"), "invalid - -32700");
    EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","id":1,"method":"m","extra":1,"extra":2})"), "invalid - -32700");
    EXPECT_EQ(kind_of(R"({"jsonrpc":"2.0","id":1,"method":"m","i\u0064":2})"), "invalid - -32700");
}

TEST(Decode, a_batch_inside_a_batch_is_invalid) {
    const Incoming in = decode(R"([[{"jsonrpc":"2.0","id":1,"method":"a"}]])");
    ASSERT_EQ(in.messages.size(), 1U);
    EXPECT_EQ(kind_of(in.messages[0]), "invalid - -32600");
}

TEST(Decode, refuses_a_batch_over_the_limit_as_a_whole) {
    const Incoming in = decode("[1,2,3]", {.max_batch = 2});
    EXPECT_FALSE(in.batch);
    ASSERT_EQ(in.messages.size(), 1U);
    EXPECT_EQ(kind_of(in.messages[0]), "invalid - -32600");
}

TEST(Decode, enforces_the_depth_limit) {
    EXPECT_EQ(kind_of(decode(R"({"jsonrpc":"2.0","method":"m","params":{}})", {.max_depth = 2}).messages[0]),
              "notification m {}");
    EXPECT_EQ(kind_of(decode(R"({"jsonrpc":"2.0","method":"m","params":{"a":{}}})", {.max_depth = 2}).messages[0]),
              "invalid - -32700");
}

std::string colliding_params() { return R"({"a":)" + json::testing::colliding_object() + "}"; }

TEST(Decode, a_request_with_colliding_keys_is_refused_with_its_id) {
    const auto in = decode_in_arena(R"({"jsonrpc":"2.0","id":7,"method":"m","params":)" + colliding_params() + "}");
    const auto& refused = std::get<Invalid>(in.messages.at(0));
    EXPECT_EQ(refused.id, Id(std::int64_t{7}));
    EXPECT_EQ(refused.error.code, code::invalid_params);
    EXPECT_EQ(refused.error.message, "Invalid params: " + std::string(json::colliding_keys));
}

TEST(Decode, a_response_with_colliding_keys_becomes_an_error) {
    for (const char* member : {"result", "error"}) {
        const auto in = decode(R"({"jsonrpc":"2.0","id":7,")" + std::string(member) + "\":" + colliding_params() + "}");
        const auto& response = std::get<Response>(in.messages.at(0));
        EXPECT_EQ(response.id, Id(std::int64_t{7}));
        ASSERT_FALSE(response.outcome);
        EXPECT_EQ(response.outcome.error().message,
                  "the peer's response cannot be read: " + std::string(json::colliding_keys));
    }
}

TEST(Decode, a_notification_with_colliding_keys_is_ignored) {
    const auto in = decode(R"({"jsonrpc":"2.0","method":"m","params":)" + colliding_params() + "}");
    EXPECT_EQ(std::get<Ignored>(in.messages.at(0)).why,
              "the notification m: Invalid params: " + std::string(json::colliding_keys));
}

TEST(Decode, an_id_over_max_id_bytes_is_refused_and_not_repeated) {
    const auto with_id = [](const std::string& id) {
        return decode(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"m"})", {.max_id_bytes = 10}).messages.at(0);
    };
    EXPECT_TRUE(std::holds_alternative<Request>(with_id("\"0123456789\"")));
    EXPECT_TRUE(std::holds_alternative<Request>(with_id("1234567890")));
    for (const char* id : {"\"01234567890\"", "12345678901", "1.000000000", "1e100000000"}) {
        const auto message = with_id(id);
        ASSERT_TRUE(std::holds_alternative<Invalid>(message)) << id;
        const auto& refused = std::get<Invalid>(message);
        EXPECT_FALSE(refused.id);
        EXPECT_EQ(refused.error.code, code::invalid_request);
        EXPECT_EQ(refused.error.message,
                  "Invalid request: the member `id` is longer than the limit `max_id_bytes` of 10 bytes");
    }
}

TEST(Decode, a_response_with_an_id_over_max_id_bytes_is_ignored) {
    const auto in = decode(R"({"jsonrpc":"2.0","id":"01234567890","result":{}})", {.max_id_bytes = 10});
    EXPECT_EQ(std::get<Ignored>(in.messages.at(0)).why,
              "a response: the member `id` is longer than the limit `max_id_bytes` of 10 bytes");
}

TEST(Decode, a_message_with_more_values_than_max_nodes_is_refused) {
    const std::string text = R"({"jsonrpc":"2.0","id":1,"method":"m"})";  // one object, three keys and three values
    EXPECT_TRUE(std::holds_alternative<Request>(decode(text, {.max_nodes = 7}).messages.at(0)));
    const auto in = decode(text, {.max_nodes = 6});
    EXPECT_EQ(std::get<Invalid>(in.messages.at(0)).error.message,
              "Parse error: the text has more values and keys than the limit `max_nodes` of 6");
}

TEST(Decode, reports_the_memory_of_a_message) {
    const auto small = decode_in_arena(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}})");
    const auto large = decode_in_arena(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":")" +
                                       std::string(1'000'000, 'x') + R"("}})");
    EXPECT_LE(small.memory->bytes(), 1024u);
    EXPECT_GE(large.memory->bytes(), 1'000'000u);
    EXPECT_LE(large.memory->bytes(), 1'010'000u);
}

TEST(Decode, a_message_over_the_limits_fails_the_request_that_it_names) {
    const auto first = [](const std::string& text, std::size_t max_nodes) {
        return decode(text, {.max_members = 4, .max_nodes = max_nodes}).messages.at(0);
    };
    const std::string why = "Parse error: the text has more values and keys than the limit `max_nodes` of 20";
    const std::string zeros = "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]";

    const auto request = first(R"({"jsonrpc":"2.0","id":"a","method":"m","params":{"id":2,"x":)" + zeros + "}}", 20);
    EXPECT_EQ(std::get<Invalid>(request).id, Id("a"));
    EXPECT_EQ(std::get<Invalid>(request).error.message, why);

    const auto response = first(R"({"jsonrpc":"2.0","id":7,"result":{"id":2,"x":)" + zeros + "}}", 20);
    EXPECT_EQ(std::get<Response>(response).id, Id(std::int64_t{7}));
    EXPECT_EQ(std::get<Response>(response).outcome.error().message, "the peer's response cannot be read: " + why);

    const auto crowded = first(R"({"jsonrpc":"2.0","id":7,"result":{"a":0,"b":0,"c":0,"d":0,"e":0}})", 99);
    EXPECT_EQ(std::get<Response>(crowded).outcome.error().message,
              "the peer's response cannot be read: Parse error: an object has more members than the limit "
              "`max_members` of 4");

    // An id that comes after the limit, or inside of another member, is not used as the id of the message.
    for (const std::string& text : {R"({"result":{"id":2,"x":)" + zeros + R"(},"id":7,"jsonrpc":"2.0"})",
                                    R"([{"id":1,"x":)" + zeros + "}]", zeros}) {
        const auto refused = first(text, 20);
        EXPECT_EQ(std::get<Invalid>(refused).id, std::nullopt) << text;
        EXPECT_EQ(std::get<Invalid>(refused).error.message, why) << text;
    }
}

TEST(Decode, a_message_over_max_nodes_is_refused_wherever_the_limit_is_reached) {
    const std::string text = R"({"jsonrpc":"2.0","id":7,"x":[],"y":{"a":[1,{}]},"result":{"id":2,"x":[0,[1]]}})";
    for (std::size_t max = 0; max < 22; ++max) {
        const auto message = decode(text, {.max_nodes = max}).messages.at(0);
        if (const auto* r = std::get_if<Response>(&message)) {
            EXPECT_EQ(r->id, Id(std::int64_t{7})) << max;
            EXPECT_FALSE(r->outcome) << max;
        } else {
            EXPECT_FALSE(std::get<Invalid>(message).id) << max;
        }
    }
    EXPECT_TRUE(std::get<Response>(decode(text, {.max_nodes = 22}).messages.at(0)).outcome);
}

}  // namespace
}  // namespace tenon::jsonrpc
