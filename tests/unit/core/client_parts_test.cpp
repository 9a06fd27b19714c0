// The client's memory: kept answers, known tools, pages.
#include <gtest/gtest.h>

#include "core/page_guard.hpp"
#include "support/client_world.hpp"

namespace tenon::core {
namespace {

using namespace std::chrono_literals;

class ClientMemory : public testing::Test, protected test::ClientWorld {};

TEST_F(ClientMemory, an_answer_is_used_again_as_long_as_the_server_allows) {
    connect_modern();
    call("tools/list");
    answer(R"({"tools":[],"ttlMs":5000,"cacheScope":"private"})");
    const auto before = sent.size();
    now += 4999ms;
    EXPECT_EQ(error_of(call("tools/list")), 0);
    EXPECT_EQ(sent.size(), before);
    call("tools/list", {{"cursor", "x"}});
    EXPECT_EQ(sent.size(), before + 1) << "another question";
    ClientCall fresh;
    fresh.method = "tools/list";
    fresh.fresh = true;
    call(std::move(fresh));
    EXPECT_EQ(sent.size(), before + 2);
    now += 1ms;
    call("tools/list");
    EXPECT_EQ(sent.size(), before + 3);
}

TEST_F(ClientMemory, a_change_makes_what_was_kept_stale) {
    connect_modern();
    const auto kept = [&](const std::string& method, json::object params, std::string_view notice) {
        call(method, params);
        answer(R"({"tools":[],"ttlMs":5000})");
        receive(notice);
        const auto before = sent.size();
        call(method, params);
        return sent.size() == before;
    };
    EXPECT_TRUE(kept("tools/list", {}, R"({"jsonrpc":"2.0","method":"notifications/prompts/list_changed"})"));
    EXPECT_FALSE(
        kept("tools/list", {{"cursor", "a"}}, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"));
    EXPECT_FALSE(kept("resources/read", {{"uri", "a:b"}},
                      R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b"}})"));
    EXPECT_TRUE(kept("resources/read", {{"uri", "a:c"}},
                     R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b"}})"));
}

TEST_F(ClientMemory, what_took_input_and_what_has_no_hints_is_not_kept) {
    connect_modern();
    call("resources/read", {{"uri", "a:b"}});
    answer(R"({"resultType":"input_required","requestState":"x"})");
    answer(R"({"contents":[],"ttlMs":5000})");
    const auto before = sent.size();
    call("resources/read", {{"uri", "a:b"}});
    EXPECT_EQ(sent.size(), before + 1);
    answer(R"({"contents":[]})");
    call("resources/read", {{"uri", "a:b"}});
    EXPECT_EQ(sent.size(), before + 2);
    answer(R"({"contents":[],"ttlMs":-5})");
    call("resources/read", {{"uri", "a:b"}});
    EXPECT_EQ(sent.size(), before + 3);
}

TEST(ResultCache, is_bounded_by_entries_and_by_bytes) {
    ClientLimits limits;
    limits.max_cache_entries = 3;
    limits.max_cache_bytes = 1000;
    ResultCache cache(limits);
    const json::value small = json::object{{"ttlMs", 1000}};
    for (int i = 0; i < 10; ++i) cache.keep("tools/list", {{"cursor", std::to_string(i)}}, small, {});
    EXPECT_EQ(cache.entries(), 3u);
    EXPECT_FALSE(cache.find("tools/list", {{"cursor", "0"}}, {}));
    EXPECT_TRUE(cache.find("tools/list", {{"cursor", "9"}}, {}));
    cache.keep("tools/list", {}, json::object{{"ttlMs", 1000}, {"x", std::string(2000, 'x')}}, {});
    EXPECT_FALSE(cache.find("tools/list", {}, {}));
    cache.keep("prompts/list", {}, json::object{{"ttlMs", 1000}, {"x", std::string(950, 'x')}}, {});
    EXPECT_EQ(cache.entries(), 1u);
    EXPECT_LE(cache.bytes(), 1000u);
    cache.keep("tools/call", {}, small, {});
    EXPECT_EQ(cache.entries(), 1u);
    cache.clear();
    EXPECT_EQ(cache.bytes(), 0u);
}

// rules: TOOL-13
TEST_F(ClientMemory, a_result_that_breaks_the_listed_output_schema_is_an_error) {
    connect_legacy();
    call("tools/list");
    answer(R"({"tools":[{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":)"
           R"({"n":{"type":"integer"}},"required":["n"]}}]})");
    const auto outcome = [&](std::string_view result) {
        const CallId id = call("tools/call", {{"name", "t"}});
        answer(result);
        return error_of(id);
    };
    EXPECT_EQ(outcome(R"({"content":[],"structuredContent":{"n":1}})"), 0);
    EXPECT_EQ(outcome(R"({"content":[],"structuredContent":{"n":"1"}})"), code::invalid_answer);
    EXPECT_EQ(outcome(R"({"content":[]})"), code::invalid_answer);
    EXPECT_EQ(outcome(R"({"content":[],"isError":true})"), 0);
    const CallId other = call("tools/call", {{"name", "unknown"}});
    answer(R"({"content":[],"structuredContent":[]})");
    EXPECT_EQ(error_of(other), 0);
}

TEST_F(ClientMemory, an_output_schema_that_leads_elsewhere_is_not_taken_for_one_that_fits) {
    connect_legacy();
    call("tools/list");
    answer(R"({"tools":[{"name":"t","inputSchema":{},"outputSchema":{"$ref":"https://example.com/schema"}}]})");
    const CallId id = call("tools/call", {{"name", "t"}});
    answer(R"({"content":[],"structuredContent":{}})");
    EXPECT_EQ(error_of(id), code::invalid_answer);
}

TEST_F(ClientMemory, tools_whose_header_annotations_are_invalid_are_left_out) {
    connect_modern();
    const CallId id = call("tools/list");
    answer(
        R"({"tools":[{"name":"a","inputSchema":{"properties":{"x":{"type":"number","x-mcp-header":"X"}}}},)"
        R"({"name":"b","inputSchema":{"properties":{"o":{"properties":{"x":{"type":"string","x-mcp-header":"X"}}}}}}]})");
    EXPECT_EQ(answers.at(id)->at("tools").as_array().size(), 1u);
    EXPECT_EQ(notes.size(), 1u);
    call("tools/call", {{"name", "b"}, {"arguments", json::object{{"o", json::object{{"x", "here"}}}}}});
    ASSERT_EQ(outgoing.back().mirrored.size(), 1u);
    EXPECT_EQ(outgoing.back().mirrored[0].first, "Mcp-Param-X");
    EXPECT_EQ(outgoing.back().mirrored[0].second.as_string(), "here");
    EXPECT_EQ(outgoing.back().name, "b");
    EXPECT_EQ(outgoing.back().method, "tools/call");
}

TEST(PageGuard, stops_circles_and_endless_lists) {
    PageGuard circle(1000);
    EXPECT_TRUE(circle.next("a"));
    EXPECT_TRUE(circle.next("b"));
    EXPECT_FALSE(circle.next("a"));
    PageGuard endless(3);
    EXPECT_TRUE(endless.next("a"));
    EXPECT_TRUE(endless.next("b"));
    EXPECT_FALSE(endless.next("c"));
}

}  // namespace
}  // namespace tenon::core
