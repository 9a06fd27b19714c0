// Everything that a handler sends is cleaned: control characters by default, secrets with ServerOptions::redact.
// rules: TOOL-11
#include "one_client.hpp"

namespace tenon {
namespace {

constexpr const char* dirty = "hunter2 \x1b[31m\x9b\x07";

// A server that sends the text with control characters on every path.
struct Output : testing::TestWithParam<Era> {
    void make(ServerOptions options) {
        server.emplace("test", "1", std::move(options));
        server->tool("text", "T", [] { return dirty; });
        server->tool("link", "T", [] {
            return Content(ResourceLink{.uri = "x://hunter2", .name = dirty, .title = dirty, .description = dirty});
        });
        server->tool("embedded", "T",
                     [] { return Content(EmbeddedResource{.resource = {.uri = "x://e", .text = dirty}}); });
        server->tool("structured", "T", [] { return json::object{{dirty, dirty}}; });
        server->tool("fails", "T", []() -> std::string { throw std::runtime_error(dirty); });
        server->tool("breaks", "T", []() -> std::string {
            throw ProtocolError({-7, dirty, json::object{{"d", dirty}}});
        });
        server->tool("logs", "T", [](Context& ctx) {
            ctx.log(LogLevel::error, json::object{{dirty, dirty}}, dirty);
            return "ok";
        });
        server->tool("progress", "T", [](Context& ctx) {
            ctx.progress(1, 2, dirty);
            return "ok";
        });
        server->resource("x://r", "r", [] { return dirty; });
        server->resource("x://f", "f", []() -> std::string { throw std::runtime_error(dirty); });
        server->prompt("p", "p", args(arg<std::optional<std::string>>("a").complete([](std::string_view) {
                           return std::vector<std::string>{dirty};
                       })),
                       [](std::optional<std::string>) { return dirty; });
        server->prompt("f", "f", []() -> std::string { throw std::runtime_error(dirty); });
    }
    /// Returns everything that the server sends on these paths, as decoded text.
    std::string everything() {
        OneClient client(*server, GetParam());
        std::string out;
        const auto add = [&](std::string_view method, json::object params) {
            params["_meta"] = json::object{{"progressToken", 1}, {"io.modelcontextprotocol/logLevel", "debug"}};
            for (const json::value& message : client.send(method, std::move(params))) collect(message, out);
        };
        for (const char* tool : {"text", "link", "embedded", "structured", "fails", "breaks", "logs", "progress"})
            add("tools/call", {{"name", tool}});
        for (const char* uri : {"x://r", "x://f"}) add("resources/read", {{"uri", uri}});
        for (const char* prompt : {"p", "f"}) add("prompts/get", {{"name", prompt}});
        add("completion/complete",
            {{"ref", {{"type", "ref/prompt"}, {"name", "p"}}}, {"argument", {{"name", "a"}, {"value", ""}}}});
        return out;
    }
    static void collect(const json::value& v, std::string& out) {
        if (const auto* s = v.if_string()) (out += *s) += '|';
        if (const auto* a = v.if_array())
            for (const auto& element : *a) collect(element, out);
        if (const auto* o = v.if_object())
            for (const auto& [key, value] : *o) (out += key) += '|', collect(value, out);
    }
    static std::size_t count(const std::string& text, std::string_view word) {
        std::size_t n = 0;
        for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++n;
        return n;
    }
    std::optional<Server> server;
};
INSTANTIATE_TEST_SUITE_P(Eras, Output, testing::Values(Era::legacy, Era::modern),
                         [](const auto& of) { return of.param == Era::modern ? "modern" : "legacy"; });

TEST_P(Output, control_characters_are_neutralised_on_every_path_by_default) {
    make({});
    const std::string all = everything();
    EXPECT_GE(count(all, "hunter2"), 18u) << "each path says it: " << all;
    EXPECT_EQ(all.find('\x1b'), std::string::npos);
    EXPECT_EQ(all.find('\x07'), std::string::npos);
    EXPECT_GE(count(all, "\u241b[31m"), 17u) << all;
}

TEST_P(Output, redaction_covers_every_path) {
    make({.redact = [](std::string& s) {
        for (std::size_t at; (at = s.find("hunter2")) != std::string::npos;) s.replace(at, 7, "[gone]");
    }});
    const std::string all = everything();
    EXPECT_EQ(count(all, "hunter2"), 0u) << all;
    EXPECT_GE(count(all, "[gone]"), 18u) << all;
}

TEST_P(Output, a_log_message_or_progress_over_the_size_limit_is_left_out) {
    make({.limits = {.max_message_bytes = 100'000}});
    server->tool("floods", "T", [](Context& ctx) {
        ctx.info(std::string(200'000, 'x'));
        ctx.progress(1, {}, std::string(200'000, 'x'));
        return "ok";
    });
    OneClient client(*server, GetParam());
    const auto sent = client.send(
        "tools/call", {{"name", "floods"},
                       {"_meta", json::object{{"progressToken", 1}, {"io.modelcontextprotocol/logLevel", "debug"}}}});
    ASSERT_EQ(sent.size(), 3u);
    for (const json::value& message : sent) EXPECT_LT(json::write(message).size(), 100'000u);
    EXPECT_NE(json::write(sent[0]).find("left out"), std::string::npos);
    EXPECT_NE(json::write(sent[1]).find("left out"), std::string::npos);
}

}  // namespace
}  // namespace tenon
