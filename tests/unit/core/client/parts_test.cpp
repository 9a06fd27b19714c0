// Parts of the client that keep data: cached results, known tools, pages of lists.
#include <gtest/gtest.h>

#include "core/client/page_guard.hpp"
#include "support/client_world.hpp"

namespace tenon::core {
namespace {

using namespace std::chrono_literals;

class ClientMemory : public testing::Test, protected test::ClientWorld {};

TEST_F(ClientMemory, a_result_is_cached_for_its_ttl) {
    connect_modern();
    call("tools/list");
    answer(R"({"tools":[],"ttlMs":5000,"cacheScope":"private"})");
    const auto before = sent.size();
    now += 4999ms;
    EXPECT_EQ(error_of(call("tools/list")), 0);
    EXPECT_EQ(sent.size(), before);
    call("tools/list", {{"cursor", "x"}});
    EXPECT_EQ(sent.size(), before + 1) << "other parameters must not be answered from the cache";
    ClientCall fresh;
    fresh.method = "tools/list";
    fresh.fresh = true;
    call(std::move(fresh));
    EXPECT_EQ(sent.size(), before + 2);
    now += 1ms;
    call("tools/list");
    EXPECT_EQ(sent.size(), before + 3);
}

// rules: HTTP-14
TEST_F(ClientMemory, private_results_do_not_outlive_the_credentials_of_their_request) {
    connect_modern();
    call("tools/list");
    answer(R"({"tools":[],"ttlMs":5000,"cacheScope":"private"})");
    call("prompts/list");
    answer(R"({"prompts":[],"ttlMs":5000,"cacheScope":"public"})");
    call("resources/list");
    answer(R"({"resources":[],"ttlMs":5000})");
    engine().credentials_changed();
    const auto before = sent.size();
    call("prompts/list");
    EXPECT_EQ(sent.size(), before) << "public results may be shared";
    call("tools/list");
    EXPECT_EQ(sent.size(), before + 1);
    call("resources/list");
    EXPECT_EQ(sent.size(), before + 2) << "without a scope, a result is private";
}

// rules: HTTP-14
TEST_F(ClientMemory, a_result_of_a_request_with_older_credentials_is_not_cached) {
    connect_modern();
    call("tools/list");
    engine().credentials_changed();
    answer(R"({"tools":[],"ttlMs":5000,"cacheScope":"private"})");
    const auto before = sent.size();
    call("tools/list");
    EXPECT_EQ(sent.size(), before + 1);
}

TEST_F(ClientMemory, a_change_notification_invalidates_cached_results) {
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

TEST_F(ClientMemory, results_with_input_rounds_or_without_a_ttl_are_not_cached) {
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

TEST(ResultCache, is_limited_by_entries_and_bytes) {
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
    cache.keep("prompts/list", {}, json::object{{"ttlMs", 1000}, {"x", std::string(850, 'x')}}, {});
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

TEST_F(ClientMemory, an_output_schema_with_an_external_reference_fails_the_call) {
    connect_legacy();
    call("tools/list");
    answer(R"({"tools":[{"name":"t","inputSchema":{},"outputSchema":{"$ref":"https://example.com/schema"}}]})");
    const CallId id = call("tools/call", {{"name", "t"}});
    answer(R"({"content":[],"structuredContent":{}})");
    EXPECT_EQ(error_of(id), code::invalid_answer);
}

TEST_F(ClientMemory, tools_with_invalid_header_annotations_are_left_out) {
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

TEST(ResultCache, counts_memory_instead_of_text_length) {
    ClientLimits limits;
    limits.max_cache_bytes = 10'000;
    ResultCache cache(limits);
    const json::value many = json::object{{"ttlMs", 1000}, {"x", json::array(1000, 0)}};  // about 2,000 bytes as text
    cache.keep("tools/list", {}, many, {});
    EXPECT_EQ(cache.entries(), 0u);
}

// Returns the error message, or an empty string.
std::string text_of(const Result<void>& result) { return result ? "" : result.error().message; }

TEST(PageGuard, stops_at_a_repeated_cursor_or_max_pages) {
    const ClientLimits limits;
    PageGuard circle(limits, {});
    EXPECT_TRUE(circle.next("a"));
    EXPECT_TRUE(circle.next("b"));
    EXPECT_FALSE(circle.next("a"));
    ClientLimits few;
    few.max_pages = 3;
    PageGuard endless(few, {});
    EXPECT_TRUE(endless.next("a"));
    EXPECT_TRUE(endless.next("b"));
    EXPECT_NE(text_of(endless.next("c")).find("ClientLimits::max_pages"), std::string::npos);
}

TEST(PageGuard, stops_lists_that_are_too_large_or_too_slow) {
    ClientLimits limits;
    limits.max_list_entries = 10;
    limits.max_list_bytes = 1000;
    limits.list_time = 5s;
    PageGuard entries(limits, {}), bytes(limits, {}), time(limits, {});
    EXPECT_TRUE(entries.page(10, 0, 0s));
    EXPECT_NE(text_of(entries.page(1, 0, 0s)).find("ClientLimits::max_list_entries"), std::string::npos);
    EXPECT_TRUE(bytes.page(0, 1000, 0s));
    EXPECT_NE(text_of(bytes.page(0, 1, 0s)).find("ClientLimits::max_list_bytes"), std::string::npos);
    EXPECT_TRUE(time.page(1, 1, 4s));
    EXPECT_TRUE(time.next("a"));
    EXPECT_EQ(time.time_left(), 1s);
    EXPECT_TRUE(time.page(1, 1, 1s));
    EXPECT_NE(text_of(time.next("b")).find("ClientLimits::list_time"), std::string::npos);
}

TEST_F(ClientMemory, progress_does_not_extend_a_call_beyond_its_longest_time) {
    connect_legacy();
    ClientCall slow;
    slow.method = "tools/list";
    slow.longest = 90s;
    slow.progress = std::make_shared<const std::function<void(const Progress&)>>([](const Progress&) {});
    const CallId id = call(std::move(slow));
    const std::string token = last_id();
    for (int i = 1; i < 10; ++i) {
        EXPECT_EQ(error_of(id), 1) << i;
        pass(10s);
        receive(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + token +
                R"(,"progress":)" + std::to_string(i) + "}}");
    }
    EXPECT_EQ(error_of(id), code::request_timeout);
    EXPECT_NE(why(id).find("90"), std::string::npos) << why(id);
}

TEST_F(ClientMemory, output_schemas_over_max_tool_bytes_are_not_kept_and_this_is_logged) {
    settings.limits.max_tool_bytes = 2000;
    connect_legacy();
    const std::string schema = R"("inputSchema":{},"outputSchema":{"type":"object","required":["n"],"title":")";
    call("tools/list");
    answer(R"({"tools":[{"name":"a",)" + schema + R"("}},{"name":"b",)" + schema + std::string(3000, 'x') + R"("}}]})");
    EXPECT_EQ(notes.size(), 1u);
    EXPECT_NE(notes.at(0).find("ClientLimits::max_tool_bytes"), std::string::npos) << notes.at(0);
    const CallId a = call("tools/call", {{"name", "a"}});
    answer(R"({"content":[],"structuredContent":{}})");
    EXPECT_EQ(error_of(a), code::invalid_answer);
    const CallId b = call("tools/call", {{"name", "b"}});
    answer(R"({"content":[],"structuredContent":{}})");
    EXPECT_EQ(error_of(b), 0);
    // Listing the same tools again must not use more memory.
    for (int i = 0; i < 20; ++i) {
        call("tools/list");
        answer(R"({"tools":[{"name":"a",)" + schema + R"("}}]})");
    }
    EXPECT_EQ(notes.size(), 1u);
}

}  // namespace
}  // namespace tenon::core
