// rules: HTTP-4, ANTI-10. And SEP-2243, SEP-2663: what the headers repeat of the body.
#include "web/header_rules.hpp"

#include <gtest/gtest.h>

namespace tenon::web {
namespace {

constexpr std::string_view meta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

jsonrpc::Request request(std::string method, const std::string& members = "") {
    const std::string params = "{" + std::string(meta) + (members.empty() ? "" : ",") + members + "}";
    return {jsonrpc::Id(std::int64_t{1}), std::move(method), json::parse(params).value().get_object()};
}

jsonrpc::Request call(const std::string& arguments) {
    return request("tools/call", R"("name":"sql","arguments":)" + arguments);
}

const std::vector<core::MirroredParameter> mirrored = {
    {"Mcp-Param-Region", {"region"}}, {"Mcp-Param-Count", {"count"}}, {"Mcp-Param-Flag", {"deep", "flag"}}};

std::optional<Error> check(const jsonrpc::Request& r, const std::string& lines) {
    framing::HttpFields fields;
    std::string why;
    EXPECT_TRUE(fields.parse(lines, 100, why)) << why;
    return check_headers(r, fields, r.method == "tools/call" ? std::span(mirrored) : std::span(mirrored).first(0));
}

const std::string version = "MCP-Protocol-Version: 2026-07-28\r\n";
const std::string for_list = version + "Mcp-Method: tools/list\r\n";
const std::string for_call = version + "Mcp-Method: tools/call\r\nMcp-Name: sql\r\n";

void expect_accepted(const jsonrpc::Request& r, const std::string& lines) {
    const auto wrong = check(r, lines);
    EXPECT_FALSE(wrong) << lines << wrong->message;
}

void expect_refused(const jsonrpc::Request& r, const std::string& lines, std::string_view words) {
    const auto wrong = check(r, lines);
    ASSERT_TRUE(wrong) << lines;
    EXPECT_EQ(wrong->code, code::header_mismatch);
    const std::string values = wrong->data.is_null() ? "" : " " + json::write(wrong->data);
    EXPECT_EQ(wrong->message + values, "Header mismatch: " + std::string(words));
}

TEST(HeaderRules, headers_that_repeat_the_body_are_accepted) {
    expect_accepted(request("tools/list"), for_list);
    expect_accepted(call("{}"), for_call);
}

TEST(HeaderRules, header_names_are_case_insensitive) {
    expect_accepted(request("tools/list"), "mcp-protocol-version: 2026-07-28\r\nMCP-METHOD: tools/list\r\n");
    expect_accepted(call(R"({"region":"a"})"), for_call + "mcp-param-REGION: a\r\n");
}

TEST(HeaderRules, white_space_around_a_value_is_ignored) {
    expect_accepted(request("prompts/get", R"("name":"p")"),
                    version + "Mcp-Method:prompts/get \t\r\nMcp-Name:  p  \r\n");
}

TEST(HeaderRules, the_version_header_must_match_the_body) {
    const std::string method = "Mcp-Method: tools/list\r\n";
    expect_refused(request("tools/list"), method, R"(MCP-Protocol-Version is missing {"body":"2026-07-28"})");
    expect_refused(request("tools/list"), method + "MCP-Protocol-Version: 2025-11-25\r\n",
                   R"(MCP-Protocol-Version header value does not match body value {"body":"2026-07-28"})");
    expect_refused(request("tools/list"), method + version + version, "MCP-Protocol-Version is repeated");
}

TEST(HeaderRules, a_body_without_a_version_is_invalid_params) {
    for (const char* params :
         {"{}", R"({"_meta":{}})", R"({"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}})"}) {
        const auto wrong =
            check({jsonrpc::Id(std::int64_t{1}), "tools/list", json::parse(params).value().get_object()}, for_list);
        ASSERT_TRUE(wrong) << params;
        EXPECT_EQ(wrong->code, code::invalid_params) << params;
    }
}

TEST(HeaderRules, the_method_header_must_match_the_body) {
    expect_refused(request("tools/list"), version, R"(Mcp-Method is missing {"body":"tools/list"})");
    expect_refused(request("tools/list"), version + "Mcp-Method: prompts/list\r\n",
                   R"(Mcp-Method header value does not match body value {"body":"tools/list"})");
    expect_refused(request("tools/list"), version + "Mcp-Method: TOOLS/LIST\r\n",
                   R"(Mcp-Method header value does not match body value {"body":"tools/list"})");
}

TEST(HeaderRules, the_name_header_must_match_the_body) {
    const struct {
        const char *method, *parameter;
    } rows[] = {{"tools/call", "name"},  {"prompts/get", "name"},    {"resources/read", "uri"},
                {"tasks/get", "taskId"}, {"tasks/update", "taskId"}, {"tasks/cancel", "taskId"}};
    for (const auto& row : rows) {
        const auto r = request(row.method, "\"" + std::string(row.parameter) + R"(":"file:///a%20b?c=1")");
        const std::string lines = version + "Mcp-Method: " + row.method + "\r\n";
        expect_accepted(r, lines + "Mcp-Name: file:///a%20b?c=1\r\n");
        expect_accepted(r, lines + "Mcp-Name: =?base64?ZmlsZTovLy9hJTIwYj9jPTE=?=\r\n");
        expect_refused(r, lines, R"(Mcp-Name is missing {"body":"file:///a%20b?c=1"})");
        expect_refused(r, lines + "Mcp-Name: x\r\n",
                       R"(Mcp-Name header value does not match body value {"body":"file:///a%20b?c=1"})");
    }
}

TEST(HeaderRules, the_name_header_is_needed_only_if_the_body_has_a_name) {
    expect_accepted(request("tools/list"), for_list + "Mcp-Name: whatever\r\n");
    expect_accepted(request("tools/call"), version + "Mcp-Method: tools/call\r\n");
    expect_accepted(request("tools/call", R"("name":7)"), version + "Mcp-Method: tools/call\r\n");
}

TEST(HeaderRules, parameter_headers_must_match_the_arguments) {
    const auto r = call(R"({"region":"us-west1","count":42,"deep":{"flag":true}})");
    const std::string rest = "Mcp-Param-Count: 42\r\nMcp-Param-Flag: true\r\n";
    expect_accepted(r, for_call + "Mcp-Param-Region: us-west1\r\n" + rest);
    expect_refused(r, for_call + rest, R"(Mcp-Param-Region is missing {"body":"us-west1"})");
    expect_refused(r, for_call + "Mcp-Param-Region: US-WEST1\r\n" + rest,
                   R"(Mcp-Param-Region header value does not match body value {"body":"us-west1"})");
    expect_refused(r, for_call + "Mcp-Param-Region: us-west1\r\nMcp-Param-Count: 43\r\nMcp-Param-Flag: true\r\n",
                   R"(Mcp-Param-Count header value does not match body value {"body":"42"})");
    expect_refused(r, for_call + "Mcp-Param-Region: us-west1\r\nMcp-Param-Count: 42\r\nMcp-Param-Flag: True\r\n",
                   R"(Mcp-Param-Flag header value does not match body value {"body":"true"})");
}

TEST(HeaderRules, a_header_for_an_absent_or_null_parameter_is_refused) {
    for (const char* arguments : {"{}", R"({"region":null,"deep":{"flag":null}})", R"({"deep":{}})"}) {
        expect_accepted(call(arguments), for_call);
        expect_refused(call(arguments), for_call + "Mcp-Param-Region: x\r\n",
                       "Mcp-Param-Region is present, but the body has no value for it");
    }
    expect_accepted(request("tools/call", R"("name":"sql")"), for_call);
}

TEST(HeaderRules, headers_of_unmarked_parameters_are_ignored) {
    expect_accepted(call("{}"), for_call + "Mcp-Param-Other: x\r\n");
}

TEST(HeaderRules, arguments_of_wrong_types_are_left_to_the_schema_check) {
    expect_accepted(call(R"({"region":["a"],"count":{},"deep":7})"), for_call);
}

TEST(HeaderRules, strings_may_be_base64_encoded) {
    const struct {
        const char *value, *header;
    } rows[] = {{"Hello", "=?base64?SGVsbG8=?="},
                {"Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="},
                {" padded ", "=?base64?IHBhZGRlZCA=?="},
                {"line1\\nline2", "=?base64?bGluZTEKbGluZTI=?="},
                {"=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="},
                {"", ""},
                {"", "=?base64?\?="},  // the backslash avoids a trigraph
                {"us west 1", "us west 1"},
                {"SGVsbG8=", "SGVsbG8="},
                {"=?base64?SGVsbG8=", "=?base64?SGVsbG8="},
                {"=?base64?=", "=?base64?="},
                {"=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?="}};
    for (const auto& row : rows)
        expect_accepted(call(R"({"region":")" + std::string(row.value) + "\"}"),
                        for_call + "Mcp-Param-Region: " + row.header + "\r\n");
}

TEST(HeaderRules, malformed_header_values_are_refused) {
    for (const char* header : {"=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?=", "=?base64?SGVsbG9=?=", "H\xc3\xa9llo"})
        expect_refused(call(R"({"region":"Hello"})"), for_call + "Mcp-Param-Region: " + header + "\r\n",
                       R"(Mcp-Param-Region has an invalid character or malformed base64 {"body":"Hello"})");
}

TEST(HeaderRules, numbers_compare_by_value) {
    for (const char* header : {"42", "42.0", "4.2e1", "=?base64?NDI=?="})
        for (const char* body : {"42", "42.0"})
            expect_accepted(call(R"({"count":)" + std::string(body) + "}"),
                            for_call + "Mcp-Param-Count: " + header + "\r\n");
    expect_accepted(call(R"({"count":-7})"), for_call + "Mcp-Param-Count: -7\r\n");
    expect_accepted(call(R"({"count":-9007199254740991})"), for_call + "Mcp-Param-Count: -9007199254740991\r\n");
    for (const char* header : {"", "+42", "042", "0x2a", "42a", "\"42\"", "true", "4 2", "42,42", "NaN"})
        EXPECT_TRUE(check(call(R"({"count":42})"), for_call + "Mcp-Param-Count: " + header + "\r\n")) << header;
}

TEST(HeaderRules, numbers_beyond_double_precision_are_refused) {
    expect_refused(
        call(R"({"count":9007199254740993})"), for_call + "Mcp-Param-Count: 9007199254740993\r\n",
        R"(Mcp-Param-Count cannot be compared exactly: the number is beyond 2^53 {"body":"9007199254740993"})");
}

TEST(HeaderRules, repeated_headers_are_refused) {
    const std::string region = "Mcp-Param-Region: a\r\n";
    expect_refused(call(R"({"region":"a"})"), for_call + region + region, "Mcp-Param-Region is repeated");
    expect_refused(call("{}"), for_call + "Mcp-Name: sql\r\n", "Mcp-Name is repeated");
}

TEST(HeaderRules, long_values_are_shortened_in_the_error) {
    const std::string name(5000, 'x');
    const auto wrong = check(request("prompts/get", R"("name":")" + name + '"'),
                             version + "Mcp-Method: prompts/get\r\nMcp-Name: " + name + "y\r\n");
    ASSERT_TRUE(wrong);
    EXPECT_LT(wrong->message.size() + json::write(wrong->data).size(), 400U);
}

TEST(HeaderRules, only_modern_requests_have_header_rules) {
    const auto has = [](const jsonrpc::Request& r, const std::string& lines) {
        framing::HttpFields fields;
        std::string why;
        EXPECT_TRUE(fields.parse(lines, 100, why)) << why;
        return has_header_rules(r, fields);
    };
    const jsonrpc::Request old{jsonrpc::Id(std::int64_t{1}), "tools/list", {}};
    EXPECT_TRUE(has(request("tools/list"), ""));
    EXPECT_TRUE(has(old, version));
    EXPECT_FALSE(has(old, ""));
    EXPECT_FALSE(has(old, "MCP-Protocol-Version: 2025-11-25\r\n"));
    EXPECT_FALSE(has(old, "MCP-Protocol-Version: 2099-01-01\r\n"));
}

TEST(HeaderRules, mirrored_parameters_come_from_the_called_tool) {
    core::Registry registry;
    const auto schema = json::parse(R"({"type":"object","properties":{"r":{"type":"string","x-mcp-header":"R"}}})");
    ASSERT_TRUE(registry.add(core::ToolEntry{.definition = {"sql", "d", schema->get_object()}, .handler = {}}));
    const auto features = registry.snapshot();
    EXPECT_EQ(mirrored_parameters(call("{}"), *features).size(), 1u);
    EXPECT_TRUE(mirrored_parameters(request("prompts/get", R"("name":"sql")"), *features).empty());
    EXPECT_TRUE(mirrored_parameters(request("tools/call", R"("name":"other")"), *features).empty());
    EXPECT_TRUE(mirrored_parameters(request("tools/call", R"("name":7)"), *features).empty());
}

TEST(HeaderRules, the_version_header_of_a_session_names_one_known_revision_or_is_missing) {
    const auto code_for = [](const std::string& lines) {
        framing::HttpFields fields;
        std::string why;
        EXPECT_TRUE(fields.parse(lines, 100, why)) << why;
        const auto wrong = check_version_header(fields);
        return wrong ? wrong->code : 0;
    };
    EXPECT_EQ(code_for("Accept: */*\r\n"), 0);
    EXPECT_EQ(code_for("mcp-protocol-version: 2025-06-18\r\n"), 0);
    EXPECT_EQ(code_for("MCP-Protocol-Version: 2025-06-19\r\n"), code::unsupported_version);
    EXPECT_EQ(code_for("MCP-Protocol-Version: 2025-06-18\r\nMCP-Protocol-Version: 2025-06-18\r\n"),
              code::unsupported_version);
}

}  // namespace
}  // namespace tenon::web
