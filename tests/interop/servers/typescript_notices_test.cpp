// Notifications of a server while it works, over every transport that has a stream.
#include "typescript_fixture.hpp"

namespace tenon::test {
namespace {

class TypeScriptStreams : public TypeScript {};
class TypeScriptCancellation : public TypeScript {};
class TypeScriptChanges : public TypeScript {};

TEST_P(TypeScriptStreams, progress_is_reported_before_the_answer) {
    Client c = connected();
    std::vector<std::string> seen;
    CallOptions options;
    options.on_progress = [&](const Progress& p) { seen.push_back(p.message); };
    EXPECT_EQ(text_of(c.call_tool("count", {{"to", 3}}, options)), "counted");
    EXPECT_EQ(seen, (std::vector<std::string>{"1 of 3", "2 of 3", "3 of 3"}));
}

TEST_P(TypeScriptCancellation, reaches_the_server) {
    Client c = connected();
    std::stop_source stop;
    CallOptions options;
    options.stop = stop.get_token();
    options.on_progress = [&](const Progress&) { stop.request_stop(); };
    EXPECT_EQ(error_of([&] { c.call_tool("wait", {}, options); }).code, code::call_cancelled);
    EXPECT_EQ(text_of(c.call_tool("cancelled")), "yes");
}

TEST_P(TypeScriptChanges, list_changes_resource_updates_and_log_messages_are_notified) {
    Gathered<std::string> lists, resources;
    Gathered<LogMessage> logged;
    ClientOptions o;
    o.on_log = [&](const LogMessage& message) { logged.put(message); };
    o.on_tools_changed = [&] { lists.put("tools"); };
    o.on_prompts_changed = [&] { lists.put("prompts"); };
    o.on_resources_changed = [&] { lists.put("resources"); };
    o.on_resource_updated = [&](const std::string& uri) { resources.put(uri); };
    Client c = connected(std::move(o));
    const auto before = c.list_tools().all().size();
    c.call_tool("grow");
    std::set<std::string> all;
    while (all.size() < 3) all.insert(lists.take());
    // The server of version 2 lets the client cache the list for a minute, unless it announces a change.
    EXPECT_EQ(c.list_tools().all().size(), before + 1);
    EXPECT_EQ(text_of(c.call_tool("grown")), "new");

    c.subscribe("test://note/1");
    c.call_tool("touch");
    EXPECT_EQ(resources.take(), "test://note/1");
    c.unsubscribe("test://note/1");

    c.set_log_level(LogLevel::warning);
    c.call_tool("log", {{"level", "info"}});
    c.call_tool("log", {{"level", "error"}});
    const LogMessage message = logged.take();
    EXPECT_EQ(message.level, LogLevel::error);
    EXPECT_EQ(message.logger, is_v2() ? "v2" : "v1");
    EXPECT_EQ(message.data, json::value({{"said", "error"}}));
}

using namespace typescript;
INSTANTIATE_TEST_SUITE_P(Ways, TypeScriptStreams,
                         ::testing::Values(v1_stdio, v1_http, v2_stdio, v2_stdio_legacy, v2_http, v2_http_legacy),
                         ::testing::PrintToStringParamName());
// Left out: 2025-11-25 without a session. No request can refer to another one there, and the server forgets the log
// level.
INSTANTIATE_TEST_SUITE_P(Ways, TypeScriptCancellation,
                         ::testing::Values(v1_stdio, v1_http, v2_stdio, v2_stdio_legacy, v2_http),
                         ::testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(Ways, TypeScriptChanges,
                         ::testing::Values(v1_stdio, v1_http, v2_stdio, v2_stdio_legacy, v2_http),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace tenon::test
