// The list of tools that a call needs: for its headers, to check its result, and after the server refused its headers.
#include <gtest/gtest.h>

#include "support/client_world.hpp"

namespace tenon::core {
namespace {

using namespace std::chrono_literals;

class LearnTools : public testing::Test, protected test::ClientWorld {
 protected:
    LearnTools() { settings.learn_tools = true; }

    CallId call_search() {
        return call("tools/call", {{"name", "search"}, {"arguments", json::object{{"region", "eu"}}}});
    }
    static std::string tools(std::string_view header = "Region", std::string_view more = "") {
        return R"({"resultType":"complete","tools":[{"name":"search","inputSchema":{"type":"object","properties":)"
               R"({"region":{"type":"string","x-mcp-header":")" +
               std::string(header) + R"("}}},"outputSchema":{"type":"object","required":["n"]}}])" + std::string(more) +
               "}";
    }
    std::vector<std::string> methods() const {
        std::vector<std::string> out;
        for (const json::value& message : sent)
            if (const json::value* method = message.as_object().if_contains("method"))
                out.emplace_back(method->as_string());
        return out;
    }
    std::size_t lists() const {
        const auto all = methods();
        return static_cast<std::size_t>(std::ranges::count(all, "tools/list"));
    }
    std::string header() const {
        return outgoing.back().mirrored.empty() ? "" : outgoing.back().mirrored.front().first;
    }
    static constexpr std::string_view good = R"({"resultType":"complete","content":[],"structuredContent":{"n":1}})";
    static constexpr std::string_view bad = R"({"resultType":"complete","content":[],"structuredContent":{"m":1}})";
};

// rules: TOOL-13
TEST_F(LearnTools, arguments_are_mirrored_though_the_host_never_listed_the_tools) {
    connect_modern();
    const CallId id = call_search();
    EXPECT_EQ(last_method(), "tools/list");
    answer(tools());
    EXPECT_EQ(last_method(), "tools/call");
    EXPECT_EQ(header(), "Mcp-Param-Region");
    answer(good);
    EXPECT_EQ(error_of(id), 0);
}

// rules: TOOL-13
TEST_F(LearnTools, calls_share_one_list) {
    connect_modern();
    call_search();
    call_search();
    EXPECT_EQ(lists(), 1u);
    answer(tools());
    EXPECT_EQ(lists(), 1u);
    EXPECT_EQ(last_method(), "tools/call");
    call_search();
    call("tools/call", {{"name", "unknown"}});
    EXPECT_EQ(last_method(), "tools/call") << "the whole list is known";
    EXPECT_EQ(lists(), 1u);
}

TEST_F(LearnTools, all_pages_are_read) {
    connect_modern();
    call_search();
    answer(R"({"resultType":"complete","tools":[],"nextCursor":"2"})");
    EXPECT_EQ(last_method(), "tools/list");
    EXPECT_EQ(last().at("params").at("cursor").as_string(), "2");
    answer(tools());
    EXPECT_EQ(header(), "Mcp-Param-Region");
}

TEST_F(LearnTools, an_endless_list_is_given_up_and_the_call_is_sent) {
    settings.limits.max_pages = 3;
    connect_modern();
    call_search();
    for (int page = 0; page < 3; ++page) {
        EXPECT_EQ(last_method(), "tools/list");
        answer(R"({"resultType":"complete","tools":[],"nextCursor":"again"})");
    }
    EXPECT_EQ(last_method(), "tools/call");
}

TEST_F(LearnTools, nothing_is_listed_after_the_host_has_listed_the_tools) {
    connect_modern();
    call("tools/list");
    answer(tools());
    call_search();
    EXPECT_EQ(header(), "Mcp-Param-Region");
    EXPECT_EQ(lists(), 1u);
}

TEST_F(LearnTools, a_call_does_not_fail_because_the_list_fails) {
    connect_modern();
    const CallId id = call_search();
    refuse(code::internal_error);
    EXPECT_EQ(last_method(), "tools/call");
    answer(bad);
    EXPECT_EQ(error_of(id), 0);
    EXPECT_EQ(lists(), 1u);
    call_search();
    EXPECT_EQ(lists(), 1u) << "a list that failed is not repeated for each call";
}

TEST_F(LearnTools, a_call_does_not_wait_for_a_slow_list) {
    connect_modern();
    const CallId id = call_search();
    pass(settings.limits.learn_time);
    EXPECT_EQ(last_method(), "tools/call");
    answer(good);
    EXPECT_EQ(error_of(id), 0);
}

TEST_F(LearnTools, a_short_timeout_of_the_call_ends_the_wait_for_the_list) {
    connect_modern();
    ClientCall one;
    one.method = "tools/call";
    one.params = {{"name", "search"}};
    one.timeout = 1s;
    const CallId id = call(std::move(one));
    pass(1s);
    EXPECT_EQ(last_method(), "tools/call");
    pass(1s);
    EXPECT_EQ(error_of(id), code::request_timeout);
}

// rules: TOOL-13
TEST_F(LearnTools, a_result_is_checked_though_the_host_never_listed_the_tools) {
    connect_legacy("2025-06-18");
    const CallId id = call_search();
    EXPECT_EQ(last_method(), "tools/call") << "a legacy call needs no headers";
    answer(bad);
    EXPECT_EQ(last_method(), "tools/list");
    EXPECT_EQ(error_of(id), 1);
    answer(tools());
    EXPECT_EQ(error_of(id), code::invalid_answer);
    const CallId next = call_search();
    answer(good);
    EXPECT_EQ(error_of(next), 0);
    EXPECT_EQ(lists(), 1u);
}

TEST_F(LearnTools, a_result_that_cannot_be_checked_is_handed_over) {
    connect_legacy("2025-06-18");
    const CallId id = call_search();
    answer(good);
    pass(settings.limits.learn_time);
    EXPECT_EQ(error_of(id), 0);
}

TEST_F(LearnTools, revisions_without_these_features_list_nothing) {
    connect_legacy("2025-03-26");
    const CallId id = call_search();
    answer(bad);
    EXPECT_EQ(error_of(id), 0);
    EXPECT_EQ(lists(), 0u);
}

TEST_F(LearnTools, a_transport_without_headers_needs_no_list_before_the_call) {
    settings.sends_mirrored = false;
    connect_modern();
    call_search();
    EXPECT_EQ(last_method(), "tools/call");
}

TEST_F(LearnTools, can_be_switched_off) {
    settings.learn_tools = false;
    connect_modern();
    const CallId id = call_search();
    EXPECT_EQ(last_method(), "tools/call");
    refuse(code::header_mismatch);
    EXPECT_EQ(error_of(id), code::header_mismatch);
}

// rules: TOOL-13
TEST_F(LearnTools, a_header_mismatch_leads_to_a_new_list_and_one_retry) {
    connect_modern();
    call("tools/list");
    answer(tools("Old"));
    const CallId id = call_search();
    EXPECT_EQ(header(), "Mcp-Param-Old");
    refuse(code::header_mismatch);
    EXPECT_EQ(last_method(), "tools/list");
    answer(tools("New"));
    EXPECT_EQ(last_method(), "tools/call");
    EXPECT_EQ(header(), "Mcp-Param-New");
    refuse(code::header_mismatch);
    EXPECT_EQ(error_of(id), code::header_mismatch) << "only one retry";
}

TEST_F(LearnTools, a_header_mismatch_is_reported_when_the_list_fails) {
    connect_modern();
    call("tools/list");
    answer(tools());
    const CallId id = call_search();
    refuse(code::header_mismatch);
    refuse(code::internal_error);
    EXPECT_EQ(error_of(id), code::header_mismatch);
}

TEST_F(LearnTools, changed_tools_are_listed_again_when_a_call_needs_them) {
    connect_legacy("2025-06-18");
    call("tools/list");
    answer(tools());
    receive(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    const CallId id = call_search();
    answer(bad);
    EXPECT_EQ(last_method(), "tools/list");
    answer(R"({"tools":[{"name":"search","inputSchema":{"type":"object"}}]})");
    EXPECT_EQ(error_of(id), 0);
}

}  // namespace
}  // namespace tenon::core
