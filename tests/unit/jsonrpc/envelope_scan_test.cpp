// Unreadable messages: which requests they answer.
#include "jsonrpc/envelope_scan.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace tenon::jsonrpc {
namespace {

using Ids = std::vector<std::int64_t>;

Ids answered(std::string_view text) { return scan_envelope(text).answers(); }

// Describes the scan of the text, fed at once or byte by byte.
std::string in_words(std::string_view text, bool bytewise) {
    EnvelopeScan scan;
    if (bytewise) {
        for (const char& c : text) scan.feed({&c, 1});
    } else {
        scan.feed(text);
    }
    scan.end();
    std::string out;
    for (const auto id : scan.answers()) out += std::to_string(id) + " ";
    return out + (scan.has_unknown_answer() ? "unknown " : "") + (scan.has_call() ? "call" : "");
}

TEST(EnvelopeScan, finds_the_id_at_any_position) {
    EXPECT_EQ(answered(R"({"jsonrpc":"2.0","id":7,"result":{}})"), Ids{7});
    EXPECT_EQ(answered(R"( { "result" : {"id":8,"method":"x","a":["}\"{"]} , "id" : 7 } )"), Ids{7});
    EXPECT_EQ(answered(R"({"id":-3,"error":{"code":1}})"), Ids{-3});
    EXPECT_EQ(answered(R"([{"id":1,"result":0},{"method":"x"},{"error":{},"id":2}])"), (Ids{1, 2}));
}

// rules: INT-6
TEST(EnvelopeScan, names_may_be_written_with_escapes) {
    EXPECT_EQ(answered(R"({"\u006Asonrpc":"\u0032.0","\u0072esult":{},"\u0069\u0064":7})"), Ids{7});
    EXPECT_EQ(answered(R"({"id":7,"\u0065\u0072\u0072\u006f\u0072":{}})"), Ids{7});
    EXPECT_TRUE(scan_envelope(R"({"\u006d\u0065\u0074\u0068\u006f\u0064":"x","id":7})").has_call());
    EXPECT_TRUE(answered(R"({"\\u0069d":7,"result":{}})").empty()) << "an escaped backslash";
    EXPECT_TRUE(answered(R"({"\u00zzd":7,"result":{}})").empty()) << "four digits are needed";
}

TEST(EnvelopeScan, finds_the_id_in_malformed_json) {
    EXPECT_EQ(answered("{\"id\":7,\"result\":{\"a\":\"\xff\"}}"), Ids{7});
    EXPECT_EQ(answered(R"({"id":7,"result":{"a":1,}})"), Ids{7});
    EXPECT_EQ(answered(R"({"id":7,"result":)"), Ids{7}) << "the request must be known before the message ends";
    EXPECT_EQ(answered(R"({"id":7,"result":)" + std::string(100'000, '[')), Ids{7});
    EXPECT_EQ(answered(R"({"id":7})"), Ids{7}) << "a message with neither result nor error";
}

TEST(EnvelopeScan, finds_the_id_before_the_message_ends) {
    EnvelopeScan scan;
    scan.feed(R"({"jsonrpc":"2.0","id":7,"res)");
    EXPECT_TRUE(scan.answers().empty());
    scan.feed(R"(ult":{"text":"it goes on)");
    EXPECT_EQ(scan.answers(), Ids{7});
    scan.feed(R"("}})");
    scan.end();
    EXPECT_EQ(scan.answers(), Ids{7}) << "an answer must be reported once";
}

TEST(EnvelopeScan, requests_and_notifications_are_not_answers) {
    for (const char* text : {R"({"id":7,"method":"ping"})", R"({"method":"x","params":{"id":7,"result":1}})",
                             R"({"params":[],"id":7,"method":"x"})"}) {
        const auto scan = scan_envelope(text);
        EXPECT_TRUE(scan.answers().empty()) << text;
        EXPECT_FALSE(scan.has_unknown_answer()) << text;
        EXPECT_TRUE(scan.has_call()) << text;
    }
}

TEST(EnvelopeScan, an_answer_with_an_unreadable_id_is_reported_as_unknown) {
    for (const char* text :
         {R"({"jsonrpc":"2.0","result":{})", R"({"id":null,"error":{}})", R"({"id":"7","result":1})",
          R"({"id":12345678901234567890123,"result":1})", R"({"jsonrpc":"2.0","id":)", R"({"jsonrpc":"2.0","id":12)"}) {
        const auto scan = scan_envelope(text);
        EXPECT_TRUE(scan.answers().empty()) << text;
        EXPECT_TRUE(scan.has_unknown_answer()) << text;
    }
}

TEST(EnvelopeScan, lines_that_are_not_json_rpc_are_ignored) {
    for (const char* text : {"Server starting...", "[INFO] listening on {port: 3000}", "", "  ", "{\"half\": ", "{}",
                             R"({"level":30,"time":1,"msg":"\"id\":7,\"result\""})", "[[]]", "7", "]", "}"}) {
        EXPECT_EQ(in_words(text, false), "") << text;
    }
}

TEST(EnvelopeScan, keeps_no_more_answers_than_its_limit) {
    std::string batch = "[";
    for (std::size_t i = 0; i <= EnvelopeScan::max_answers; ++i) batch += R"({"id":1,"result":0},)";
    const auto scan = scan_envelope(batch);
    EXPECT_EQ(scan.answers().size(), EnvelopeScan::max_answers);
    EXPECT_TRUE(scan.has_unknown_answer());
}

TEST(EnvelopeScan, any_bytes_split_anywhere_give_the_same_result) {
    EXPECT_TRUE(rc::check("splits do not matter", [] {
        const auto parts = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
            "{", "}", "[", "]", ":", ",", "\"id\"", "\"result\"", "\"method\"", "\"jsonrpc\"", "7", "\"", "\\", " ",
            "\xff", "{\"id\":1,", "\"error\":", "null"));
        std::string text;
        for (const std::string& part : parts) text += part;
        RC_ASSERT(in_words(text, true) == in_words(text, false));
    }));
}

}  // namespace
}  // namespace tenon::jsonrpc
