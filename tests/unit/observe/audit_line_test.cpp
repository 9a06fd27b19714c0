#include <tenon/audit_line.hpp>

#include <gtest/gtest.h>

#include "observe/audit_line.hpp"
#include "observe/mask.hpp"
#include "observe/span_ids.hpp"

namespace tenon {
namespace {

Operation operation(const json::object* params = nullptr) {
    Operation o;
    o.method = "tools/call";
    o.params = params;
    return o;
}

std::string line(const json::object& params, AuditArguments how) { return audit_line(operation(&params), how); }

// rules: SEC-6, TOOL-14
TEST(AuditLine, arguments_are_a_digest_by_default) {
    const json::object params{{"name", "t"}, {"arguments", json::object{{"a", "hunter2"}}}};
    const std::string out = line(params, AuditArguments::digest);
    EXPECT_EQ(out.find("hunter2"), std::string::npos) << out;
    // sha256 of {"a":"hunter2"}
    EXPECT_NE(out.find(R"("arguments_sha256":"7c958a9baf69f77776afb129b1cc0cdd12eeda56b701b06e2c54f8ed05fcf3da")"),
              std::string::npos)
        << out;
    EXPECT_EQ(line(params, AuditArguments::omitted).find("arguments"), std::string::npos);
}

TEST(AuditLine, redacted_arguments_mask_secrets_at_any_depth) {
    const json::object params{
        {"arguments", json::object{{"city", "Ulm"},
                                   {"apiKey", "hunter2"},
                                   {"list", json::array{json::object{{"password", json::object{{"x", "hunter2"}}}}}}}}};
    const std::string out = line(params, AuditArguments::redacted);
    EXPECT_NE(out.find(R"("arguments":{"city":"Ulm","apiKey":"***","list":[{"password":"***"}]})"), std::string::npos)
        << out;
    const json::object texts{{"arguments", json::object{{"a\xe2\x80\xae", "https://u:p@h/?t=x\n"}}}};
    const std::string escaped = line(texts, AuditArguments::redacted);
    EXPECT_NE(escaped.find(R"("arguments":{"a<U+202E>":"https://***@h/?t=*** "})"), std::string::npos) << escaped;
}

TEST(AuditLine, long_arguments_are_replaced_by_their_digest) {
    json::array texts;
    for (int i = 0; i < 10; ++i) texts.emplace_back(std::string(4000, 'x'));
    const json::object params{{"arguments", json::object{{"texts", texts}}}};
    const std::string out = line(params, AuditArguments::redacted);
    EXPECT_NE(out.find("arguments_sha256"), std::string::npos);
    EXPECT_LT(out.size(), 1000U);
}

// rules: SEC-6
TEST(AuditLine, a_session_id_is_a_digest_and_texts_are_escaped) {
    Operation o = operation();
    o.session_id = "secret-session";
    o.name = "a\n\"b\xe2\x80\xae";
    o.reason = "text of a handler";
    o.end = OperationEnd::protocol_error;
    const std::string out = audit_line(o);
    EXPECT_EQ(out.find("secret-session"), std::string::npos) << out;
    EXPECT_EQ(out.find("text of a handler"), std::string::npos) << out;
    EXPECT_NE(out.find(R"("name":"a \"b<U+202E>")"), std::string::npos) << out;
    EXPECT_TRUE(json::parse(out)) << out;
}

// The writer keeps its memory: nothing of a record may be left in the next one.
TEST(AuditLine, a_writer_says_the_same_for_each_of_many_records) {
    observe::AuditLineWriter writer;
    const std::string longest(observe::max_text, 'n'), too_long(1'000'000, 'n');
    const json::object params{{"name", "t"}, {"arguments", json::object{{"a", longest}}}};
    for (const std::string_view name :
         {std::string_view(), std::string_view("short"), std::string_view(longest), std::string_view("a \"b\""),
          std::string_view(too_long), std::string_view("x")}) {
        Operation o = operation(name.size() % 2 == 0 ? &params : nullptr);
        o.name = o.client_name = o.principal = name;
        const std::string_view line = writer.write(o, AuditArguments::digest);
        EXPECT_EQ(line, audit_line(o));
        EXPECT_TRUE(json::parse(line)) << line;
        EXPECT_LT(line.size(), 4 * observe::max_text);
        if (name == "short") writer.keep_at_most(0);
    }
}

TEST(SpanIds, a_peer_without_a_trace_begins_one) {
    const TraceContext begun = observe::below({}, {1, 2, 3});
    EXPECT_EQ(begun.traceparent, "00-00000000000000010000000000000003-0000000000000003-01");
    EXPECT_EQ(begun.span_id(), "0000000000000003");
}

TEST(SpanIds, the_trace_of_a_peer_continues) {
    const TraceContext peer{"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=b", "c=d"};
    const TraceContext own = observe::below(peer, {1, 2, 3});
    EXPECT_EQ(own.traceparent, "00-0af7651916cd43dd8448eb211c80319c-0000000000000003-01");
    EXPECT_EQ(own.tracestate, "a=b");
    EXPECT_EQ(observe::below(peer, {}), peer) << "without ids nothing changes";
}

}  // namespace
}  // namespace tenon
