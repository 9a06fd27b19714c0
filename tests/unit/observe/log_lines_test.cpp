#include <tenon/log_lines.hpp>

#include <gtest/gtest.h>

#include <tenon/json.hpp>

namespace tenon {
namespace {

const auto noon = std::chrono::system_clock::from_time_t(1'785'240'000);

std::string line(LogFormat format, std::string_view message, std::vector<LogField> fields = {}) {
    return log_line({.time = noon, .level = LogLevel::warning, .message = message, .fields = fields}, format);
}

TEST(LogLines, a_text_line_has_its_fields_as_words) {
    EXPECT_EQ(line(LogFormat::text, "it failed", {{"method", "tools/call"}, {"what", "no disk"}}),
              R"(tenon: warning: it failed method=tools/call what="no disk")");
    EXPECT_EQ(line(LogFormat::text, "x", {{"a", R"(q"\)"}, {"b", ""}}), R"(tenon: warning: x a="q\"\\" b="")");
}

TEST(LogLines, a_json_line_has_its_fields_as_members) {
    EXPECT_EQ(line(LogFormat::json, "it failed", {{"method", "tools/call"}, {"level", "x"}}),
              R"({"time":"2026-07-28T12:00:00.000000Z","level":"warning","message":"it failed",)"
              R"("method":"tools/call","level_":"x"})");
}

// rules: SEC-6
TEST(LogLines, text_from_outside_cannot_forge_a_line) {
    for (const LogFormat format : {LogFormat::text, LogFormat::json}) {
        const std::string out = line(format, "a\ntenon: error: b", {{"c", "d\r\n\xe2\x80\xae\xc2\x9b"}});
        EXPECT_EQ(out.find_first_of("\r\n"), std::string::npos) << out;
        EXPECT_EQ(out.find("\xe2\x80\xae"), std::string::npos) << out;
        EXPECT_EQ(out.find("\xc2\x9b"), std::string::npos) << out;
        EXPECT_TRUE(format == LogFormat::text || json::parse(out)) << out;
    }
}

TEST(LogLines, log_operations_tells_the_caller_the_outcome_and_the_time) {
    std::string text;
    const auto observer = log_operations([&](const LogRecord& r) { text = log_line(r, LogFormat::text); });
    Operation o;
    o.began = noon;
    o.took = std::chrono::microseconds(7);
    o.method = "tools/call";
    o.name = "echo";
    o.principal = "alice";
    o.end = OperationEnd::tool_error;
    observer(o);
    EXPECT_EQ(text, "tenon: info: tools/call echo: the tool failed outcome=tool_error principal=alice took_us=7");
}

}  // namespace
}  // namespace tenon
