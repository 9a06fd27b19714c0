// The limits of one message, and of what its answer says.
#include "limits/endpoint_limit.hpp"

namespace tenon::test {
namespace {

TEST_F(EndpointLimit, max_depth) {
    HttpWorld& w = start({.max_depth = 10});
    const std::string session = w.begin(), other = w.begin();
    const std::string deep = R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":)" + std::string(10'000, '[') +
                             std::string(10'000, ']') + "}}";
    const Sent refused = w.send("POST", "/mcp", w.in_session(session), deep);
    EXPECT_EQ(refused.status(), 400);
    EXPECT_TRUE(says(refused, "limit of 10 levels")) << why(refused);
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, max_batch) {
    HttpWorld& w = start({.max_batch = 2});
    const std::string session = w.begin("2025-03-26"), other = w.begin();
    json::array batch;
    for (int i = 0; i < 3; ++i) batch.push_back(tool_request(i, "echo", {{"message", "x"}}));
    const Sent refused = w.post(batch, w.in_session(session));
    EXPECT_TRUE(says(refused, "at most 2 messages")) << why(refused);
    EXPECT_TRUE(w.posted.empty()) << "no part of it may run";
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, max_error_text_bytes) {
    HttpWorld& w = start({.max_error_text_bytes = 64});
    const std::string session = w.begin(), other = w.begin();
    const std::string name(100'000, 'n');
    for (const Sent& refused :
         {w.post(tool_request(1, name), w.in_session(session)), w.post(request(2, name), w.in_session(session))}) {
        EXPECT_NE(refused.error(), 0);
        EXPECT_TRUE(says(refused, "nnn")) << "it says which";
        EXPECT_LT(refused.exchange->response.body.size(), 300U);
    }
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, max_violations) {
    HttpWorld& w = start({.max_violations = 3});
    const json::value schema =
        json::parse(R"({"type":"object","properties":{"list":{"type":"array","items":{"type":"string"}}}})").value();
    server->tool(Tool{"strings", "Takes strings", schema.as_object()}, [](json::object) { return "fine"; });
    const std::string session = w.begin(), other = w.begin();
    json::array numbers;
    for (int i = 0; i < 1000; ++i) numbers.push_back(i);
    const Sent refused = w.post(tool_request(1, "strings", {{"list", numbers}}), w.in_session(session));
    w.run_all();
    const std::string text = why(refused);
    std::size_t listed = 0;
    for (std::size_t at = text.find("arguments.list"); at != text.npos; at = text.find("arguments.list", at + 1))
        ++listed;
    EXPECT_EQ(listed, 3U) << text;
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, page_size) {
    HttpWorld& w = start({.page_size = 2});
    const std::string session = w.begin(), other = w.begin();
    std::size_t pages = 0, tools = 0;
    json::object params;
    do {
        const json::value answer = w.post(request(1, "tools/list", params), w.in_session(session)).answer();
        const json::object& result = answer.at("result").as_object();
        EXPECT_LE(result.at("tools").as_array().size(), 2U);
        tools += result.at("tools").as_array().size();
        const json::value* next = result.if_contains("nextCursor");
        params = next ? json::object{{"cursor", *next}} : json::object();
    } while (++pages < 10 && !params.empty());
    EXPECT_EQ(tools, 4U);
    EXPECT_EQ(pages, 2U);
    expect_others_are_served(other);
}

}  // namespace
}  // namespace tenon::test
