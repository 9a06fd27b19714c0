// Rules of the protocol that a server enforces whatever its handlers do.
#include "one_client.hpp"

namespace tenon {
namespace {

struct ServerRules : testing::TestWithParam<Era> {
    bool modern() const { return GetParam() == Era::modern; }
    Server server{"test", "1"};
};
INSTANTIATE_TEST_SUITE_P(Eras, ServerRules, testing::Values(Era::legacy, Era::modern),
                         [](const auto& of) { return of.param == Era::modern ? "modern" : "legacy"; });

// rules: RPC-14
TEST_P(ServerRules, handlers_cannot_send_codes_that_the_revision_reserves) {
    server.resource("x://page", "page",
                    []() -> std::string { throw url_elicitation_required("Sign in", "https://example.com/in", "1"); });
    server.prompt("odd", "Odd", []() -> std::string { throw Exception({-32077, "odd"}); });
    server.tool("odd", "Odd", []() -> std::string { throw ProtocolError({-32019, "odd"}); });
    OneClient client(server, GetParam());
    const auto page = client.ask("resources/read", {{"uri", "x://page"}});
    EXPECT_EQ(client.code_of(page), modern() ? -32603 : -32042);
    EXPECT_EQ(client.code_of(client.ask("prompts/get", {{"name", "odd"}})), modern() ? -32603 : -32077);
    EXPECT_EQ(client.code_of(client.call("odd")), modern() ? -32603 : -32019);
}

// rules: RPC-14
TEST_P(ServerRules, a_refusal_after_the_end_has_a_code_of_the_revision) {
    OneClient client(server, GetParam());
    client.session().shut_down("bye");
    EXPECT_EQ(client.code_of(client.ask("tools/list")), modern() ? -32603 : -32000);
}

// rules: LIFE-10
TEST_P(ServerRules, the_url_of_a_url_elicitation_is_valid) {
    server.tool("page", "Page", args(arg<std::string>("url")), [](Context& ctx, std::string url) {
        ctx.async_elicit_url("Go there", std::move(url), "1", make_reply<ElicitResult>([](Result<ElicitResult>) {}));
        return "asked";
    });
    server.tool("wrong", "Wrong", [](Context& ctx) -> std::string {
        std::string why;
        ctx.async_elicit_url("Go there", "not a url at all\n", "1", make_reply<ElicitResult>([&](auto answer) {
                                 if (!answer) why = answer.error().message;
                             }));
        return why;
    });
    server.tool("required", "Required",
                []() -> std::string { throw url_elicitation_required("Go there", "ftp://example.com", "1"); });
    OneClient client(server, GetParam(), {}, {{"elicitation", json::object{{"url", json::object()}}}});
    EXPECT_NE(client.text_of(client.call("wrong")).find("must be an absolute http or https URL"), std::string::npos);
    EXPECT_NE(client.text_of(client.call("required")).find("must be an absolute http or https URL"), std::string::npos);
    const auto sent = client.send("tools/call", {{"name", "page"}, {"arguments", {{"url", "https://example.com/a"}}}});
    EXPECT_NE(json::write(sent.front()).find("https://example.com/a"), std::string::npos);
}

// rules: SEC-3
TEST_P(ServerRules, tool_uses_of_a_sampling_request_are_balanced) {
    server.tool("sample", "Samples", [](Context& ctx) {
        SampleRequest request;
        request.messages.push_back({Role::assistant, {ToolUse{"a", "search"}}});
        std::string why;
        ctx.async_sample(request, make_reply<SampleResult>([&](auto answer) {
                             if (!answer) why = answer.error().message;
                         }));
        return why;
    });
    OneClient client(server, GetParam(), {}, {{"sampling", json::object{{"tools", json::object()}}}});
    EXPECT_NE(client.text_of(client.call("sample")).find("must have the tool_result of"), std::string::npos);
}

// rules: LIFE-10
TEST_P(ServerRules, only_methods_that_allow_it_ask_for_input) {
    std::string why;
    server.use([&](Context& ctx, const Request& request, Next next) {
        if (request.method == "completion/complete") {
            ctx.async_roots(make_reply<std::vector<Root>>([&](auto answer) {
                if (!answer) why = answer.error().message;
            }));
        }
        std::move(next).run();
    });
    server.prompt(
        "p", "P",
        args(arg<std::string>("city").complete([](std::string_view) { return std::vector<std::string>{"Oslo"}; })),
        [](std::string) { return "text"; });
    OneClient client(server, GetParam(), {}, {{"roots", json::object()}});
    const auto sent = client.send("completion/complete", {{"ref", {{"type", "ref/prompt"}, {"name", "p"}}},
                                                          {"argument", json::object{{"name", "city"}, {"value", ""}}}});
    EXPECT_EQ(why == "the result of completion/complete cannot ask the client (2026-07-28)", modern()) << why;
    EXPECT_EQ(sent.back().at("result").at("completion").at("values"), json::value(json::array{"Oslo"}));
}

// rules: SEC-1
TEST_P(ServerRules, a_user_who_declines_is_a_clean_answer) {
    std::string seen;
    server.tool("ask", "Asks", [&](Context& ctx, Reply<std::string> reply) {
        auto kept = std::make_shared<Reply<std::string>>(std::move(reply));
        ctx.async_elicit("May I?", {{"type", "object"}, {"properties", json::object()}},
                         make_reply<ElicitResult>([&seen, kept](Result<ElicitResult> answer) {
                             if (!answer) return;
                             seen = answer->action == ElicitAction::decline ? "declined" : "other";
                             std::move(*kept).send(seen);
                         }),
                         "may");
    });
    OneClient client(server, GetParam(), {}, {{"elicitation", json::object()}});
    const json::object no{{"action", "decline"}};
    if (modern()) {
        const auto asked = client.call("ask");
        EXPECT_EQ(client.text_of(client.call(
                      "ask", {}, {{"requestState", asked.at("requestState")}, {"inputResponses", {{"may", no}}}})),
                  "declined");
    } else {
        const auto asked = client.send("tools/call", {{"name", "ask"}});
        client.session().receive(
            json::write(json::object{{"jsonrpc", "2.0"}, {"id", asked.at(0).at("id")}, {"result", no}}));
        EXPECT_EQ(client.take().at(0).at("result").at("content").at(0).at("text"), "declined");
    }
    EXPECT_EQ(seen, "declined");
}

// rules: LIFE-11
TEST(ServerExtensions, an_identifier_needs_a_prefix) {
    const auto made = [](ServerOptions options) {
        try {
            Server("test", "1", std::move(options));
        } catch (const Exception& e) {
            return e.error().message;
        }
        return std::string("made");
    };
    EXPECT_EQ(made({.extensions_without_methods = {{"com.example/x", json::object()}}}), "made");
    EXPECT_NE(made({.extensions_without_methods = {{"x", json::object()}}}).find("The extension `x` needs"),
              std::string::npos);
    EXPECT_NE(made({.extensions = {{"com.example/x/y", json::object()}}}).find("needs an identifier"),
              std::string::npos);
}

// rules: RES-2, TOOL-16
TEST_P(ServerRules, contents_always_have_a_mime_type) {
    server.resource("x://text", "t", [] { return ResourceContents{.uri = "x://text", .text = "a"}; });
    server.resource("x://blob", "b", [] { return ResourceContents{.uri = "x://blob", .blob = "a"}; });
    server.tool("media", "Media", [] {
        return std::vector<Content>{ImageContent{"\x89PNG\r\n", ""}, AudioContent{"RIFF....WAVE", ""},
                                    ImageContent{"?", ""}, EmbeddedResource{.resource = {.uri = "x://e", .text = "a"}}};
    });
    OneClient client(server, GetParam());
    const auto type_of = [&](const char* uri) {
        return client.ask("resources/read", {{"uri", uri}}).at("contents").at(0).at("mimeType").as_string();
    };
    EXPECT_EQ(type_of("x://text"), "text/plain");
    EXPECT_EQ(type_of("x://blob"), "application/octet-stream");
    const json::value content = client.call("media").at("content");
    EXPECT_EQ(content.at(0).at("mimeType"), "image/png");
    EXPECT_EQ(content.at(1).at("mimeType"), "audio/wav");
    EXPECT_EQ(content.at(2).at("mimeType"), "application/octet-stream");
    EXPECT_EQ(content.at(3).at("resource").at("mimeType"), "text/plain");
}

// rules: TOOL-6
TEST_P(ServerRules, an_output_schema_may_have_any_type) {
    server.tool(Tool{.name = "users", .description = "Users", .outputSchema = json::object{{"type", "array"}}},
                [](json::object) {
                    ToolResult result;
                    result.structuredContent = json::array{1, 2};
                    return result;
                });
    OneClient client(server, GetParam());
    const json::object listed = client.ask("tools/list").at("tools").at(0).as_object();
    EXPECT_EQ(listed.contains("outputSchema"), modern());
    const json::object result = client.call("users");
    EXPECT_EQ(client.text_of(result), "[1,2]");
    EXPECT_EQ(result.contains("structuredContent"), modern()) << "before 2026-07-28 it must be an object";
    EXPECT_FALSE(result.contains("isError"));
}

// rules: LIFE-16
TEST_P(ServerRules, the_reason_of_a_cancellation_is_logged) {
    std::string log;
    server = Server("test", "1", {.log = [&](const LogRecord& r) { log += r.message; }});
    std::optional<Reply<std::string>> kept;
    server.tool("wait", "Waits", [&](Reply<std::string> reply) { kept = std::move(reply); });
    OneClient client(server, GetParam());
    client.send("tools/call", {{"name", "wait"}});
    client.session().receive(
        json::write(json::object{{"jsonrpc", "2.0"},
                                 {"method", "notifications/cancelled"},
                                 {"params", {{"requestId", client.last_id()}, {"reason", "the user\x1b left"}}}}));
    EXPECT_NE(log.find("the client cancelled tools/call"), std::string::npos) << log;
    EXPECT_NE(log.find("the user"), std::string::npos) << log;
    EXPECT_EQ(log.find('\x1b'), std::string::npos) << log;
    kept.reset();
}

// rules: LIFE-6
TEST(ServerEra, a_request_without_a_handshake_and_without_meta_has_invalid_params) {
    Server server("test", "1");
    Session session(server);
    session.receive(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
    const std::string output = session.take_output();
    EXPECT_NE(output.find("-32602"), std::string::npos) << output;
    EXPECT_NE(output.find("params._meta"), std::string::npos) << output;
}

}  // namespace
}  // namespace tenon
