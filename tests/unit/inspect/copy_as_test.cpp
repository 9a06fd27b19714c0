// Calls as text to paste.
#include "inspect/copy_as.hpp"

#include <gtest/gtest.h>

#include "inspect/assets.hpp"

namespace tenon::inspect {
namespace {

CopiedCall call_of(Target target) {
    CopiedCall out;
    out.target = std::move(target);
    out.method = "tools/call";
    out.params = {{"name", "echo"}, {"arguments", json::object{{"text", "it's"}, {"password", "swordfish"}}}};
    return out;
}

TEST(CopyAs, a_command_quotes_its_words_and_masks_secrets) {
    EXPECT_EQ(as_command(call_of({.command = {"node", "my server.js"}})),
              R"('tenon' 'call' 'echo' '{"text":"it'\''s","password":"***"}' '--' 'node' 'my server.js')");
    EXPECT_EQ(as_command(call_of({.url = "https://x.example/mcp"})),
              R"('tenon' 'call' 'https://x.example/mcp' 'echo' '{"text":"it'\''s","password":"***"}')");
}

TEST(CopyAs, other_requests_have_their_own_command) {
    CopiedCall call;
    call.target.url = "https://x.example/mcp";
    call.method = "resources/read";
    call.params = {{"uri", "note://a"}};
    EXPECT_EQ(as_command(call), "'tenon' 'read' 'https://x.example/mcp' 'note://a'");
    call.method = "prompts/get";
    call.params = {{"name", "letter"}, {"arguments", json::object{{"to", "Ada"}}}};
    EXPECT_EQ(as_command(call), "'tenon' 'prompt' 'https://x.example/mcp' 'letter' 'to=Ada'");
    call.method = "ping";
    EXPECT_EQ(as_command(call), "");
}

TEST(CopyAs, cpp_strings_are_escaped) {
    EXPECT_EQ(cpp_literal("a\"b\\c\nd\x01"
                          "1?"),
              R"("a\"b\\c\nd\0011?")");
    const std::string code = as_cpp(call_of({.command = {"x\"); system(\"rm"}}));
    EXPECT_NE(code.find(R"({"x\"); system(\"rm"})"), std::string::npos) << code;
    EXPECT_EQ(code.find("swordfish"), std::string::npos);
}

TEST(CopyAs, curl_hides_the_values_of_headers) {
    CopiedCall call = call_of({.url = "https://x.example/mcp", .headers = {{"Authorization", "Bearer abc"}}});
    call.modern = true;
    call.revision = "2026-07-28";
    const std::string text = as_curl(call);
    EXPECT_NE(text.find("-H 'Mcp-Name: echo'"), std::string::npos) << text;
    EXPECT_NE(text.find("-H 'Authorization: ***'"), std::string::npos);
    EXPECT_EQ(text.find("abc"), std::string::npos);
    EXPECT_EQ(text.find("swordfish"), std::string::npos);
    call.modern = false;
    EXPECT_TRUE(as_curl(call).starts_with("# This server has sessions"));
}

TEST(Assets, are_in_the_program_with_their_types) {
    ASSERT_NE(find_asset("/"), nullptr);
    EXPECT_EQ(find_asset("/"), find_asset("/index.html"));
    EXPECT_NE(find_asset("/")->bytes.find("@TENON_KEY@"), std::string_view::npos);
    EXPECT_EQ(find_asset("/API.md"), nullptr);
    EXPECT_EQ(find_asset("/../index.html"), nullptr);
    EXPECT_EQ(content_type_of("/a/b.js"), "text/javascript; charset=utf-8");
    EXPECT_EQ(content_type_of("/a"), "application/octet-stream");
    std::size_t total = 0;
    for (const Asset& asset : assets()) total += asset.bytes.size();
    EXPECT_LE(total, 1024u * 1024);
}

}  // namespace
}  // namespace tenon::inspect
