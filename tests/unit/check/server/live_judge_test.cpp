// Judging single messages of a running server.
#include "check/server/live_judge.hpp"

#include <gtest/gtest.h>

namespace tenon::check {
namespace {

class LiveJudgeTest : public testing::Test {
 protected:
    std::string broken(const std::string& text, const LiveJudge::Request* request = nullptr) {
        const LiveVerdict* verdict = judge_.judge(text, read_patiently(text), request);
        if (verdict) {
            EXPECT_FALSE(verdict->detail.empty());
        }
        return verdict ? std::string(verdict->rule->id) : "";
    }
    std::string answer(const std::string& method, const std::string& result, std::size_t answers = 1) {
        const LiveJudge::Request request{method, {}, "1", answers};
        return broken(R"({"jsonrpc":"2.0","id":1,"result":)" + result + "}", &request);
    }
    LiveJudge judge_{true};
};

TEST_F(LiveJudgeTest, correct_messages_break_no_rule) {
    EXPECT_EQ(answer("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},
                                       "serverInfo":{"name":"x","version":"1"}})"),
              "");
    EXPECT_EQ(answer("tools/list", R"({"tools":[{"name":"a","description":"b","inputSchema":{"type":"object"}}]})"),
              "");
    EXPECT_EQ(broken(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"), "");
    EXPECT_EQ(broken(R"({"jsonrpc":"2.0","id":"q","method":"roots/list"})"), "");
}

TEST_F(LiveJudgeTest, text_and_envelope_are_judged) {
    EXPECT_EQ(broken("Listening..."), "STDIO-1.noise");
    EXPECT_EQ(broken(""), "STDIO-1.blank-line");
    EXPECT_EQ(broken("{"), "RPC-2.json");
    EXPECT_EQ(broken(R"({"id":1,"result":{}})"), "RPC-1.version");
    EXPECT_EQ(broken(R"({"jsonrpc":"2.0"})"), "RPC-3.kind");
    EXPECT_EQ(broken(R"({"jsonrpc":"2.0","id":5,"result":{}})"), "RPC-4.unasked");
    EXPECT_EQ(broken(R"({"jsonrpc":"2.0","id":5,"method":"notifications/x"})"), "RPC-5.no-id");
    EXPECT_EQ(answer("ping", "{}", 2), "RPC-7.one-response");
    EXPECT_EQ(answer("ping", "[]"), "RPC-4.result-object");
}

TEST_F(LiveJudgeTest, ids_of_requests_are_used_once) {
    const std::string request = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
    EXPECT_EQ(broken(request), "");
    EXPECT_EQ(broken(request), "RPC-10.unique-ids");
}

TEST_F(LiveJudgeTest, results_are_judged_after_the_introduction_named_the_revision) {
    EXPECT_EQ(answer("tools/list", R"({"tools":[{}]})"), "") << "the revision is not known yet";
    EXPECT_EQ(answer("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},
                                       "serverInfo":{"name":"x","version":"1"}})"),
              "");
    EXPECT_NE(answer("tools/list", R"({"tools":[{}]})"), "");
    EXPECT_EQ(broken(R"([{"jsonrpc":"2.0","method":"notifications/x"}])"), "RPC-12.no-array");
}

TEST_F(LiveJudgeTest, a_modern_server_sends_no_requests) {
    EXPECT_EQ(answer("server/discover", R"({"supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,
              "cacheScope":"private","resultType":"complete",
              "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"x","version":"1"}}})"),
              "");
    EXPECT_EQ(broken(R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})"), "LIFE-5.no-requests");
    EXPECT_EQ(answer("ping", "{}"), "RPC-4.result-type");
}

}  // namespace
}  // namespace tenon::check
