// The program `tenon inspect`: its link, its end, and a tap between a real client and a real server.
#include <condition_variable>
#include <future>
#include <mutex>

#include "integration/inspect_fixture.hpp"
#include "integration/program_run.hpp"

namespace tenon::test {
namespace {

using namespace std::chrono_literals;

// The first line of stderr of a tap: its link.
class FirstLine {
 public:
    void take(std::string_view line) {
        const std::lock_guard lock(mutex_);
        if (line_.empty()) line_ = line;
        came_.notify_all();
    }
    std::string wait() {
        std::unique_lock lock(mutex_);
        came_.wait_for(lock, http_patience, [this] { return !line_.empty(); });
        return line_;
    }

 private:
    std::mutex mutex_;
    std::condition_variable came_;
    std::string line_;
};

TEST(TenonInspect, usage_errors_are_told) {
    EXPECT_EQ(run_program({"inspect", "--tap"}).status, 2);
    EXPECT_EQ(run_program({"inspect", "--tap", "http://"}).status, 2);
    EXPECT_EQ(run_program({"inspect", "--port", "70000", "--no-open"}).status, 2);
    EXPECT_EQ(run_program({"inspect", "--no-open", "--answer", "a=b"}).status, 2);
    EXPECT_EQ(run_program({"inspect", "--no-open", "http://"}).status, 2);
}

class TenonTap : public testing::Test {
 protected:
    TenonTap()
        : client_(process(
              {.command = {program_run::program, "inspect", "--no-open", "--tap", "--", program_run::everything},
               .on_stderr = [this](std::string_view line) { link_.take(line); }})) {
        client_.connect();
        browser_.emplace(link_.wait());
        events_.emplace(browser_->events());
    }

    FirstLine link_;
    Client client_;
    std::optional<Browser> browser_;
    std::optional<EventStream> events_;
};

TEST_F(TenonTap, shows_the_messages_of_the_client_and_passes_them_on) {
    const ToolResult result = client_.call_tool("echo", {{"message", "through the tap"}});
    EXPECT_EQ(std::get<TextContent>(result.content.front()).text, "through the tap");
    const json::value sent = browser_->run("history", {{"filter", json::value{{"method", "tools/call"}}}});
    ASSERT_EQ(sent.at("messages").as_array().size(), 2u);
    EXPECT_EQ(sent.at("messages").at(0).at("direction"), json::value("sent"));
    EXPECT_TRUE(sent.at("messages").at(1).at("verdicts").as_array().empty());
    EXPECT_EQ(browser_->run("status").at("mode"), json::value("tap"));
    EXPECT_EQ(browser_->refused("call", {{"tool", "echo"}}).first, 409);
}

TEST_F(TenonTap, a_breakpoint_holds_a_message_until_it_is_changed_or_dropped) {
    const json::value rule{{"direction", "sent"}, {"method", "tools/call"}};
    browser_->run("breakpoints", {{"rules", json::array{rule}}});
    std::promise<Result<ToolResult>> answered;
    client_.async_call_tool("echo", {{"message", "original"}}, make_reply<ToolResult>([&](Result<ToolResult> result) {
                                answered.set_value(std::move(result));
                            }));
    const json::object held = events_->wait_for("held");
    std::string text(held.at("text").as_string());
    text.replace(text.find("original"), 8, "changed!");
    browser_->run("release", {{"held", held.at("held")}, {"text", text}});
    const Result<ToolResult> result = answered.get_future().get();
    ASSERT_TRUE(result);
    EXPECT_EQ(std::get<TextContent>(result->content.front()).text, "changed!");
    EXPECT_EQ(events_->wait_for("held_done").at("outcome"), json::value("changed"));
    EXPECT_EQ(browser_->refused("drop", {{"held", held.at("held")}}).first, 404);
}

}  // namespace
}  // namespace tenon::test
