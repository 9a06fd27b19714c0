// Notifications of the server while it works: progress, log messages, changes.
#include "everything_fixture.hpp"

namespace tenon::test {
namespace {

void check_progress(Client& c) {
    std::vector<double> seen;
    CallOptions options;
    options.on_progress = [&](const Progress& p) {
        seen.push_back(p.progress);
        EXPECT_EQ(p.total, 4);
    };
    const ToolResult result = c.call_tool("trigger-long-running-operation", {{"duration", 0.1}, {"steps", 4}}, options);
    EXPECT_EQ(text_of(result), "Long running operation completed. Duration: 0.1 seconds, Steps: 4.");
    EXPECT_EQ(seen, (std::vector<double>{1, 2, 3, 4}));
}

// The operation ignores its abort signal and continues. The SDK drops its result.
void check_cancellation_and_timeout(Client& c) {
    std::stop_source stop;
    CallOptions options;
    options.stop = stop.get_token();
    options.on_progress = [&](const Progress&) { stop.request_stop(); };
    const Error error = error_of([&] {
        c.call_tool("trigger-long-running-operation", {{"duration", 60}, {"steps", 6000}}, options);
    });
    EXPECT_EQ(error.code, code::call_cancelled);
    EXPECT_EQ(text_of(c.call_tool("echo", {{"message", "still here"}})), "Echo: still here");
}

TEST_P(Everything, a_call_without_an_answer_times_out) {
    Client c = connected();
    c.connect();
    CallOptions options;
    options.timeout = std::chrono::milliseconds(100);
    const Error error = error_of([&] {
        c.call_tool("trigger-long-running-operation", {{"duration", 60}, {"steps", 1}}, options);
    });
    EXPECT_EQ(error.code, code::request_timeout);
    c.ping();
}

void check_many_calls_at_once(Client& c) {
    Gathered<std::string> answers;
    constexpr int calls = 50;
    for (int i = 0; i < calls; ++i)
        c.async_call_tool("get-sum", {{"a", i}, {"b", 0}}, make_reply<ToolResult>([&](Result<ToolResult> result) {
                              answers.put(result ? text_of(*result) : result.error().message);
                          }));
    std::set<std::string> different;
    for (int i = 0; i < calls; ++i) different.insert(answers.take());
    EXPECT_EQ(different.size(), static_cast<std::size_t>(calls));
    EXPECT_TRUE(different.contains("The sum of 49 and 0 is 49."));
}

TEST_P(Everything, progress_concurrent_calls_and_cancellation_work) {
    Client c = connected();
    check_progress(c);
    check_many_calls_at_once(c);
    check_cancellation_and_timeout(c);
}

TEST_P(Everything, only_messages_at_or_above_the_log_level_are_sent) {
    Gathered<LogMessage> logged;
    ClientOptions o;
    o.on_log = [&](const LogMessage& message) { logged.put(message); };
    Client c = listening(std::move(o));
    c.set_log_level(LogLevel::warning);
    c.subscribe("demo://resource/dynamic/text/1");  // logged at level info
    c.set_log_level(LogLevel::info);
    c.subscribe("demo://resource/dynamic/text/2");
    const LogMessage message = logged.take();
    EXPECT_EQ(message.level, LogLevel::info);
    EXPECT_TRUE(contains(message.data.as_string(), "for URI: demo://resource/dynamic/text/2"));
    c.unsubscribe("demo://resource/dynamic/text/2");
    EXPECT_TRUE(contains(logged.take().data.as_string(), "Received Unsubscribe Resource request"));

    c.set_log_level(LogLevel::debug);
    EXPECT_TRUE(contains(text_of(c.call_tool("toggle-simulated-logging")), "Started"));
    EXPECT_TRUE(contains(logged.take().data.as_string(), "message"));  // its level is random
    EXPECT_TRUE(contains(text_of(c.call_tool("toggle-simulated-logging")), "Stopped"));
}

TEST_P(Everything, updates_of_subscribed_resources_are_notified) {
    Gathered<std::string> updated;
    ClientOptions o;
    o.on_resource_updated = [&](const std::string& uri) { updated.put(uri); };
    Client c = listening(std::move(o));
    c.subscribe("demo://resource/dynamic/text/1");
    c.subscribe("demo://resource/dynamic/text/2");
    EXPECT_TRUE(contains(text_of(c.call_tool("toggle-subscriber-updates")), "Started"));
    EXPECT_EQ(updated.take(), "demo://resource/dynamic/text/1");
    EXPECT_EQ(updated.take(), "demo://resource/dynamic/text/2");
    c.call_tool("toggle-subscriber-updates");

    c.unsubscribe("demo://resource/dynamic/text/1");
    c.call_tool("toggle-subscriber-updates");
    EXPECT_EQ(updated.take(), "demo://resource/dynamic/text/2");
}

}  // namespace
}  // namespace tenon::test
