#include "observe/otlp.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <tenon/error.hpp>

#include "support/otlp_reader.hpp"

namespace tenon::observe {
namespace {

using namespace std::chrono_literals;
using Strings = std::map<std::string, std::string>;

Operation traced_call() {
    Operation o;
    o.method = "tools/call";
    o.name = "echo";
    o.known_method = o.known_name = true;
    o.request_id = "\"request-7\"";
    o.revision = "2025-11-25";
    o.session_id = "s1";
    o.transport = "tcp";
    o.address = "10.1.2.80";
    o.began = std::chrono::system_clock::time_point(1s);
    o.took = 5ms;
    o.trace.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    o.trace.tracestate = "rojo=00f067aa0ba902b7";
    o.parent_span = "0102030405060708";
    return o;
}

test::OtlpSpan span_of(const Operation& o, const SpanOptions& options = {}) {
    const std::vector<std::string> spans = {encode_span(o, options)};
    return test::OtlpReader::read(encode_trace_request({}, "1", spans)).spans.at(0);
}

TEST(Otlp, a_request_has_the_resource_the_scope_and_all_spans) {
    const std::vector<std::string> spans = {encode_span(traced_call()), encode_span(traced_call())};
    const auto request = test::OtlpReader::read(encode_trace_request({{"service.name", "weather"}}, "0.1.0", spans));
    EXPECT_EQ(request.resource, (Strings{{"service.name", "weather"}}));
    EXPECT_EQ(request.scope, "tenon");
    EXPECT_EQ(request.scope_version, "0.1.0");
    EXPECT_EQ(request.spans.size(), 2U);
}

TEST(Otlp, a_span_follows_the_conventions) {
    const auto span = span_of(traced_call());
    EXPECT_EQ(span.trace_id, "\x4b\xf9\x2f\x35\x77\xb3\x4d\xa6\xa3\xce\x92\x9d\x0e\x0e\x47\x36");
    EXPECT_EQ(span.span_id, std::string("\x00\xf0\x67\xaa\x0b\xa9\x02\xb7", 8));
    EXPECT_EQ(span.parent_span_id, "\x01\x02\x03\x04\x05\x06\x07\x08");
    EXPECT_EQ(span.trace_state, "rojo=00f067aa0ba902b7");
    EXPECT_EQ(span.name, "tools/call echo");
    EXPECT_EQ(span.kind, 2U) << "SERVER";
    EXPECT_EQ(span.start, 1'000'000'000U);
    EXPECT_EQ(span.end, 1'005'000'000U);
    EXPECT_EQ(span.status, 0U);
    EXPECT_EQ(span.flags, 0x301U) << "sampled, and the parent is another process";
    EXPECT_EQ(span.attributes, (Strings{{"mcp.method.name", "tools/call"},
                                        {"gen_ai.operation.name", "execute_tool"},
                                        {"gen_ai.tool.name", "echo"},
                                        {"jsonrpc.request.id", "request-7"},
                                        {"mcp.protocol.version", "2025-11-25"},
                                        {"mcp.session.id", "s1"},
                                        {"network.transport", "tcp"},
                                        {"network.protocol.name", "http"},
                                        {"client.address", "10.1.2.80"}}));
}

TEST(Otlp, a_client_span_has_its_kind_and_a_prompt_its_name) {
    Operation o = traced_call();
    o.side = Operation::Side::client;
    o.method = "prompts/get";
    o.name = "letter";
    o.parent_span = {};
    const auto span = span_of(o);
    EXPECT_EQ(span.kind, 3U) << "CLIENT";
    EXPECT_EQ(span.name, "prompts/get letter");
    EXPECT_EQ(span.attributes.at("gen_ai.prompt.name"), "letter");
    EXPECT_FALSE(span.attributes.contains("client.address"));
    EXPECT_EQ(span.parent_span_id, "");
    EXPECT_EQ(span.flags, 0x101U);
}

TEST(Otlp, names_of_the_peer_and_uris_are_not_in_the_name_of_a_span) {
    Operation o = traced_call();
    o.known_name = false;
    EXPECT_EQ(span_of(o).name, "tools/call");
    o.method = "resources/read";
    o.name = "https://user:canary@host/?token=canary";
    EXPECT_EQ(span_of(o).name, "resources/read");
    EXPECT_EQ(span_of(o).attributes.at("mcp.resource.uri"), "https://***@host/?token=***");
    o.known_method = false;
    EXPECT_EQ(span_of(o).name, "_OTHER");
}

TEST(Otlp, errors_have_type_code_and_status) {
    Operation o = traced_call();
    o.end = OperationEnd::protocol_error;
    o.error_code = code::internal_error;
    o.reason = "it broke: Bearer canary123";
    auto span = span_of(o);
    EXPECT_EQ(span.attributes.at("error.type"), "-32603");
    EXPECT_EQ(span.attributes.at("rpc.response.status_code"), "-32603");
    EXPECT_EQ(span.status, 2U) << "ERROR";
    EXPECT_EQ(span.status_message, "it broke: Bearer ***");

    o = traced_call();
    o.end = OperationEnd::tool_error;
    o.reason = "canary of the result";
    span = span_of(o);
    EXPECT_EQ(span.attributes.at("error.type"), "tool_error");
    EXPECT_EQ(span.status, 2U);
    EXPECT_EQ(span.status_message, "") << "the text of a result is not exported";
}

TEST(Otlp, an_error_that_a_client_made_itself_has_a_word_and_no_code) {
    Operation o = traced_call();
    o.side = Operation::Side::client;
    o.end = OperationEnd::timed_out;
    o.error_code = code::request_timeout;
    const auto span = span_of(o);
    EXPECT_EQ(span.attributes.at("error.type"), "timeout");
    EXPECT_FALSE(span.attributes.contains("rpc.response.status_code"));
    EXPECT_EQ(span.status, 2U);
}

TEST(Otlp, a_task_is_an_internal_span) {
    Operation o = traced_call();
    o.kind = Operation::Kind::task;
    const auto span = span_of(o);
    EXPECT_EQ(span.name, "task tools/call echo");
    EXPECT_EQ(span.kind, 1U) << "INTERNAL";
    EXPECT_EQ(span.flags, 0x101U) << "the parent is in this process";
}

TEST(Otlp, secrets_of_all_texts_are_masked) {
    Operation o = traced_call();
    o.method = "resources/read";
    o.name = "https://canary:canary@h/?a=canary";
    o.end = OperationEnd::timed_out;
    o.reason = "Authorization: Bearer canary";
    for (const auto& [key, text] : span_of(o).attributes) EXPECT_EQ(text.find("canary"), std::string::npos) << key;
    EXPECT_EQ(span_of(o).status_message.find("canary"), std::string::npos);
}

TEST(Otlp, a_mistake_of_the_client_is_an_error_only_on_the_client) {
    Operation o = traced_call();
    o.end = OperationEnd::protocol_error;
    o.error_code = code::invalid_params;
    EXPECT_EQ(span_of(o).status, 0U) << "UNSET";
    EXPECT_EQ(span_of(o).attributes.at("error.type"), "-32602");
    o.side = Operation::Side::client;
    EXPECT_EQ(span_of(o).status, 2U) << "ERROR";
}

TEST(Otlp, arguments_are_exported_only_on_request_and_masked) {
    const json::object params{{"arguments", {{"city", "Oslo"}, {"token", "canary"}}}};
    Operation o = traced_call();
    o.params = &params;
    EXPECT_FALSE(span_of(o).attributes.contains("gen_ai.tool.call.arguments"));
    EXPECT_EQ(span_of(o, {.arguments = true}).attributes.at("gen_ai.tool.call.arguments"),
              R"({"city":"Oslo","token":"***"})");
}

TEST(Otlp, an_operation_without_a_trace_has_no_span) {
    Operation o = traced_call();
    o.trace.traceparent = "malformed";
    EXPECT_EQ(encode_span(o), "");
}

RC_GTEST_PROP(Otlp, any_text_of_the_peer_gives_a_valid_request, ()) {
    const auto text = *rc::gen::string<std::string>();
    Operation o = traced_call();
    o.method = o.name = o.request_id = o.session_id = o.reason = o.address = text;
    o.end = *rc::gen::element(OperationEnd::ok, OperationEnd::refused, OperationEnd::timed_out);
    const auto span = span_of(o);
    for (const auto& [key, value] : span.attributes) RC_ASSERT(value.size() <= max_attribute_bytes + 3);
}

TEST(Sampler, a_trace_of_another_program_is_sampled_if_that_program_says_so) {
    Operation o = traced_call();
    EXPECT_TRUE((Sampler{true, 0}).samples(o));
    EXPECT_FALSE((Sampler{false, 0}).samples(o));
    o.trace.traceparent.back() = '0';
    EXPECT_FALSE((Sampler{true, 1}).samples(o));
    EXPECT_TRUE((Sampler{false, 1}).samples(o));
}

TEST(Sampler, a_ratio_decides_by_the_trace_id) {
    Operation o = traced_call();
    o.parent_span = {};
    o.trace.traceparent = "00-000000000000000000400000000000ff-00f067aa0ba902b7-01";  // a quarter of the range
    EXPECT_TRUE((Sampler{true, 0.26}).samples(o));
    EXPECT_FALSE((Sampler{true, 0.25}).samples(o));
    EXPECT_FALSE((Sampler{true, 0}).samples(o));
    EXPECT_TRUE((Sampler{true, 1}).samples(o));
}

}  // namespace
}  // namespace tenon::observe
