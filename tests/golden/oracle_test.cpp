// Tests that the oracle detects invalid messages.
#include <gtest/gtest.h>

#include "golden/oracle.hpp"

namespace golden {
namespace {

class OracleTest : public testing::Test {
 protected:
    static std::string verdict(std::string_view revision, std::string_view message, const std::string& method = "") {
        auto oracle = Oracle::load(revision);
        return oracle->verdict(tenon::json::parse(message).value().get_object(), method);
    }
    void SetUp() override {
        if (!Oracle::load("2025-11-25"))
            GTEST_SKIP() << "the official schemas are not installed; dialogues are not checked against them";
    }
};

TEST_F(OracleTest, accepts_valid_messages) {
    EXPECT_EQ(verdict("2024-11-05", R"({"jsonrpc":"2.0","id":1,"result":{}})", "ping"), "");
    EXPECT_EQ(verdict("2025-11-25", R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}})"), "");
    EXPECT_EQ(verdict("2025-06-18", R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}})"), "");
    EXPECT_EQ(verdict("2025-03-26", R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"), "");
}

TEST_F(OracleTest, finds_a_missing_version) { EXPECT_NE(verdict("2025-06-18", R"({"id":1,"result":{}})", "ping"), ""); }

TEST_F(OracleTest, finds_a_result_next_to_an_error) {
    EXPECT_NE(verdict("2025-06-18", R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}})", "ping"),
              "");
}

TEST_F(OracleTest, finds_a_notification_with_an_id) {
    EXPECT_NE(verdict("2025-06-18", R"({"jsonrpc":"2.0","id":1,"method":"notifications/tools/list_changed"})"), "");
}

TEST_F(OracleTest, finds_a_tool_result_without_content) {
    EXPECT_NE(verdict("2025-06-18", R"({"jsonrpc":"2.0","id":1,"result":{"structuredContent":{}}})", "tools/call"), "");
}

TEST_F(OracleTest, finds_a_field_of_a_newer_revision) {
    const char* message =
        R"({"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","title":"A","inputSchema":{"type":"object"}}]}})";
    EXPECT_EQ(verdict("2025-06-18", message, "tools/list"), "");
    EXPECT_NE(verdict("2025-03-26", message, "tools/list"), "");
}

TEST_F(OracleTest, finds_content_of_a_newer_revision) {
    const char* message =
        R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"audio","data":"","mimeType":"audio/wav"}]}})";
    EXPECT_EQ(verdict("2025-03-26", message, "tools/call"), "");
    EXPECT_NE(verdict("2024-11-05", message, "tools/call"), "");
}

TEST_F(OracleTest, finds_a_null_id_if_the_revision_forbids_it) {
    EXPECT_NE(verdict("2025-11-25", R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}})"), "");
}

TEST_F(OracleTest, finds_a_method_that_a_server_must_not_send) {
    EXPECT_NE(verdict("2025-06-18", R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "");
    EXPECT_NE(verdict("2025-03-26", R"({"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}})"), "");
}

}  // namespace
}  // namespace golden
