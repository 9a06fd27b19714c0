// The limits of a client that other tests do not reach: elsewhere.txt names those tests. A server exceeds a limit. Its
// own call fails with the reason, and the client continues.
#include "support/client_world.hpp"

namespace tenon::test {
namespace {

struct ClientLimit : testing::Test, ClientWorld {
    ClientLimit() {
        settings.identity.abilities.elicitation_form = true;
        settings.identity.abilities.roots = true;
    }
    /// Answers a call with this result, and expects that it fails with these words and that the next call succeeds.
    void expect_refused(std::string_view result, std::string_view words) {
        const core::CallId id = call("tools/call", {{"name", "a"}});
        answer(result);
        EXPECT_NE(error_of(id), 0);
        EXPECT_NE(why(id).find(words), std::string::npos) << why(id);
        expect_usable();
    }
    void expect_usable() {
        const core::CallId id = call("tools/call", {{"name", "b"}});
        answer(R"({"content":[]})");
        EXPECT_EQ(error_of(id), 0) << why(id);
    }
    void ask(const std::string& id, std::string_view params = "{}") {
        receive(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"elicitation/create","params":)" + std::string(params) +
                "}");
    }
    std::string last_error() const {
        const json::value v = last();
        return v.as_object().contains("error") ? std::string(v.at("error").at("message").as_string()) : "";
    }
    static std::string form(std::size_t bytes) {
        return R"({"message":")" + std::string(bytes, 'm') +
               R"(","requestedSchema":{"type":"object","properties":{}}})";
    }
};

TEST_F(ClientLimit, max_depth) {
    settings.limits.max_depth = 10;
    connect_legacy();
    expect_refused(R"({"x":)" + std::string(20, '[') + std::string(20, ']') + "}", "10 levels");
}

TEST_F(ClientLimit, max_members) {
    settings.limits.max_members = 20;
    connect_legacy();
    std::string many = "{\"a\":0";
    for (int i = 0; i < 20; ++i) many += ",\"" + std::to_string(i) + "\":0";
    expect_refused(many + "}", "max_members");
}

TEST_F(ClientLimit, max_nodes) {
    settings.limits.max_nodes = 200;
    connect_legacy();
    std::string many = R"({"x":[0)";
    for (int i = 0; i < 200; ++i) many += ",0";
    expect_refused(many + "]}", "max_nodes");
}

TEST_F(ClientLimit, max_id_bytes) {
    settings.limits.max_id_bytes = 100;
    connect_legacy();
    ask("\"" + std::string(200, 'i') + "\"", form(1));
    EXPECT_TRUE(asks.empty());
    ASSERT_FALSE(notes.empty());
    EXPECT_NE(notes.back().find("max_id_bytes"), std::string::npos) << notes.back();
    EXPECT_EQ(notes.back().find("iiii"), std::string::npos) << "the id is not repeated";
    expect_usable();
}

TEST_F(ClientLimit, max_server_request_bytes) {
    settings.limits.max_server_request_bytes = 10'000;
    connect_legacy();
    ask("1", form(100));
    EXPECT_EQ(asks.size(), 1U);
    ask("2", form(20'000));
    EXPECT_EQ(asks.size(), 1U);
    EXPECT_NE(last_error().find("ClientLimits::max_server_request_bytes"), std::string::npos) << json::write(last());
    expect_usable();
}

TEST_F(ClientLimit, max_input_requests) {
    settings.limits.max_input_requests = 2;
    connect_modern();
    std::string questions;
    for (const char* key : {"a", "b", "c"})
        questions += (questions.empty() ? "\"" : ",\"") + std::string(key) + R"(":{"method":"roots/list","params":{}})";
    const core::CallId id = call("tools/call", {{"name", "a"}});
    answer(R"({"resultType":"input_required","inputRequests":{)" + questions + "}}");
    EXPECT_NE(error_of(id), 0);
    EXPECT_NE(why(id).find("more than 2"), std::string::npos) << why(id);
    EXPECT_TRUE(asks.empty());
}

TEST_F(ClientLimit, max_uri_bytes) {
    settings.limits.max_uri_bytes = 100;
    connect_legacy();
    receive(R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a://)" +
            std::string(200, 'u') + "\"}}");
    for (const core::Announce& one : announced) EXPECT_LT(json::write(one.params).size(), 150U);
    expect_usable();
}

TEST_F(ClientLimit, max_tools) {
    settings.limits.max_tools = 1;
    connect_legacy();
    const std::string schema = R"("inputSchema":{},"outputSchema":{"type":"object","required":["n"]})";
    call("tools/list");
    answer(R"({"tools":[{"name":"a",)" + schema + R"(},{"name":"b",)" + schema + "}]}");
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes.at(0).find("ClientLimits::max_tools"), std::string::npos) << notes.at(0);
    const core::CallId a = call("tools/call", {{"name", "a"}});
    answer(R"({"content":[],"structuredContent":{}})");
    EXPECT_EQ(error_of(a), code::invalid_answer);
    const core::CallId b = call("tools/call", {{"name", "b"}});
    answer(R"({"content":[],"structuredContent":{}})");
    EXPECT_EQ(error_of(b), 0) << "it is not checked";
}

TEST_F(ClientLimit, max_violations) {
    settings.limits.max_violations = 2;
    connect_legacy();
    call("tools/list");
    answer(R"({"tools":[{"name":"a","inputSchema":{},"outputSchema":{"type":"object","properties":)"
           R"({"list":{"type":"array","items":{"type":"string"}}}}}]})");
    const core::CallId id = call("tools/call", {{"name", "a"}});
    answer(R"({"content":[],"structuredContent":{"list":[1,2,3,4,5,6]}})");
    const std::string text = why(id);
    std::size_t listed = 0;
    for (std::size_t at = text.find("list["); at != text.npos; at = text.find("list[", at + 1)) ++listed;
    EXPECT_GE(listed, 1U) << text;
    EXPECT_LE(listed, 2U) << text;
    expect_usable();
}

TEST_F(ClientLimit, max_elicitations) {
    settings.limits.max_elicitations = 2;
    settings.identity.abilities.elicitation_url = true;
    connect_legacy();
    for (const std::string id : {"1", "2", "3"})
        ask(id, R"({"mode":"url","message":"m","url":"https://a/","elicitationId":"e)" + id + R"("})");
    for (const std::string id : {"1", "2", "3"})
        receive(R"({"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e)" + id +
                R"("}})");
    EXPECT_EQ(announced.size(), 2u) << "the oldest is forgotten";
}

TEST_F(ClientLimit, max_subscriptions) {
    settings.limits.max_subscriptions = 2;
    connect_modern();
    for (const std::string uri : {"a://1", "a://2"}) {
        const core::CallId id = call(core::ClientCall::Kind::subscribe, {{"uri", uri}});
        receive(R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":)"
                R"({"resourceSubscriptions":[")" +
                uri + R"("]},"_meta":{"io.modelcontextprotocol/subscriptionId":)" + last_id() + "}}}");
        EXPECT_EQ(error_of(id), 0) << why(id);
    }
    const core::CallId third = call(core::ClientCall::Kind::subscribe, {{"uri", "a://3"}});
    EXPECT_NE(why(third).find("the limit is 2 (ClientLimits::max_subscriptions)"), std::string::npos) << why(third);
    const core::CallId tool = call("tools/call", {{"name", "b"}});
    answer(R"({"resultType":"complete","content":[]})");
    EXPECT_EQ(error_of(tool), 0) << why(tool);
}

TEST_F(ClientLimit, max_cache_time) {
    settings.limits.max_cache_time = 1h;
    connect_modern();
    const std::string page = R"({"resultType":"complete","tools":[],"ttlMs":999999999999,"cacheScope":"public"})";
    call("tools/list");
    answer(page);
    const std::size_t before = sent.size();
    pass(59min);
    call("tools/list");
    EXPECT_EQ(sent.size(), before) << "the result is cached";
    pass(2min);
    call("tools/list");
    EXPECT_EQ(sent.size(), before + 1);
    answer(page);
}

TEST_F(ClientLimit, max_error_text_bytes) {
    settings.limits.max_error_text_bytes = 64;
    connect_legacy();
    receive("{\"" + std::string(100'000, 'n') + "\":");
    for (const std::string& note : notes) EXPECT_LT(note.size(), 500U);
    EXPECT_FALSE(notes.empty());
    expect_usable();
}

}  // namespace
}  // namespace tenon::test
