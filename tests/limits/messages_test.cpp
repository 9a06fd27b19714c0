// The limits of one message and of its response.
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

TEST_F(EndpointLimit, max_members) {
    HttpWorld& w = start({.max_members = 100});
    const std::string session = w.begin(), other = w.begin();
    json::object many;
    for (int i = 0; i < 101; ++i) many[std::to_string(i)] = i;
    const Sent refused = w.post(request(1, "ping", std::move(many)), w.in_session(session));
    EXPECT_NE(refused.error(), 0);
    EXPECT_TRUE(says(refused, "limit `max_members` of 100")) << why(refused);
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, max_nodes) {
    HttpWorld& w = start({.max_nodes = 1000});
    const std::string session = w.begin(), other = w.begin();
    json::array many;
    many.resize(1000, 0);
    const Sent refused = w.post(request(1, "ping", {{"x", std::move(many)}}), w.in_session(session));
    EXPECT_NE(refused.error(), 0);
    EXPECT_TRUE(says(refused, "limit `max_nodes` of 1000")) << why(refused);
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, max_id_bytes) {
    HttpWorld& w = start({.max_id_bytes = 100});
    const std::string session = w.begin(), other = w.begin(), text(200, 'i');
    const Sent id = w.post(request(json::value(std::string_view(text)), "ping"), w.in_session(session));
    const Sent token = w.post(tool_request(1, "echo", {{"message", "x"}}, {{"progressToken", std::string_view(text)}}),
                              w.in_session(session));
    w.run_all();
    for (const Sent& refused : {id, token}) {
        EXPECT_NE(refused.error(), 0);
        EXPECT_TRUE(says(refused, "limit `max_id_bytes` of 100 bytes")) << why(refused);
        EXPECT_EQ(refused.writer->response.body.find("iiii"), std::string::npos) << "it is not repeated";
    }
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, max_uri_bytes) {
    HttpWorld& w = start({.max_uri_bytes = 100});
    const std::string session = w.begin(), other = w.begin(), uri = "note://" + std::string(200, 'u');
    for (const char* method : {"resources/read", "resources/subscribe", "resources/unsubscribe"}) {
        const Sent refused = w.post(request(1, method, {{"uri", uri}}), w.in_session(session));
        EXPECT_NE(refused.error(), 0) << method;
        EXPECT_TRUE(says(refused, "limit `max_uri_bytes` of 100 bytes")) << method << ": " << why(refused);
    }
    expect_others_are_served(other);
}

TEST_F(EndpointLimit, max_client_info_bytes) {
    HttpWorld& w = start({.max_client_info_bytes = 1000});
    const std::string other = w.begin(), text(2000, 'c');
    const json::object large{{"experimental", json::object{{"x", json::object{{"y", text}}}}}};
    const Sent refused = w.post(initialize_request("2025-11-25", large));
    const Sent alone = w.post_alone(tool_request(1, "echo", {{"message", "x"}}, modern_meta(large)));
    w.run_all();
    for (const Sent& one : {refused, alone}) {
        EXPECT_NE(one.error(), 0);
        EXPECT_TRUE(says(one, "1000 bytes")) << why(one);
    }
    EXPECT_EQ(w.endpoint->sessions(), 1U);
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
        EXPECT_LT(refused.writer->response.body.size(), 300U);
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
    EXPECT_EQ(tools, 5U);
    EXPECT_EQ(pages, 3U);
    expect_others_are_served(other);
}

}  // namespace
}  // namespace tenon::test
