// Questions of the server to its client: sampling, elicitation, roots.
#include "everything_fixture.hpp"

namespace tenon::test {
namespace {

/// Returns the client's result as the server received it. The server repeats it as JSON at the end of its last text.
json::object raw_result(const ToolResult& result) {
    const std::string text = text_of(result.content.back());
    const auto raw = json::parse(text.substr(text.find('{')));
    return raw ? raw->as_object() : json::object();
}

TEST_P(Everything, sampling_requests_are_answered) {
    Gathered<SampleRequest> asked;
    ClientOptions o;
    o.on_sample = [&](const SampleRequest& request, std::stop_token) {
        asked.put(request);
        if (request.maxTokens == 1) throw std::runtime_error("the user said no");
        return SampleResult{.content = {TextContent{"forty-two"}}, .model = "test-model", .stopReason = "endTurn"};
    };
    Client c = connected(std::move(o));
    const ToolResult result = c.call_tool("trigger-sampling-request", {{"prompt", "the question"}, {"maxTokens", 50}});
    const SampleRequest request = asked.take();
    EXPECT_EQ(request.systemPrompt, "You are a helpful test server.");
    EXPECT_EQ(request.maxTokens, 50);
    EXPECT_EQ(request.temperature, 0.7);
    EXPECT_EQ(std::get<TextContent>(request.messages.at(0).content.at(0)).text,
              "Resource trigger-sampling-request context: the question");
    const json::object answer = raw_result(result);
    EXPECT_EQ(answer.at("model"), json::value("test-model"));
    EXPECT_EQ(answer.at("role"), json::value("assistant"));
    EXPECT_EQ(answer.at("stopReason"), json::value("endTurn"));
    EXPECT_EQ(answer.at("content"), json::value({{"type", "text"}, {"text", "forty-two"}}));

    const ToolResult failed = c.call_tool("trigger-sampling-request", {{"prompt", ""}, {"maxTokens", 1}});
    EXPECT_TRUE(failed.isError);
    EXPECT_TRUE(contains(text_of(failed), "the user said no")) << text_of(failed);
}

TEST_P(Everything, a_form_is_answered_with_its_defaults_filled_in) {
    Gathered<ElicitRequest> asked;
    ClientOptions o;
    o.on_elicit = [&](const ElicitRequest& request, std::stop_token) {
        asked.put(request);
        return ElicitResult{ElicitAction::accept, {{"name", "Ada"}, {"check", true}, {"email", "ada@example.com"}}};
    };
    Client c = connected(std::move(o));
    const ToolResult result = c.call_tool("trigger-elicitation-request");
    const ElicitRequest request = asked.take();
    EXPECT_EQ(request.message, "Please provide inputs for the following fields:");
    EXPECT_EQ(request.requestedSchema.at("properties").as_object().size(), 13u);
    EXPECT_TRUE(contains(text_of(result), "User provided the requested information")) << text_of(result);
    const json::value expected = {{"action", "accept"},
                                  {"content",
                                   {{"name", "Ada"},
                                    {"check", true},
                                    {"email", "ada@example.com"},
                                    {"firstLine", "It was a dark and stormy night."},
                                    {"integer", 42},
                                    {"number", 3.14},
                                    {"untitledSingleSelectEnum", "Monica"},
                                    {"untitledMultipleSelectEnum", json::array{"Guitar"}},
                                    {"titledSingleSelectEnum", "hero-1"},
                                    {"titledMultipleSelectEnum", json::array{"fish-1"}},
                                    {"legacyTitledEnum", "pet-1"}}}};
    EXPECT_EQ(raw_result(result), expected);
}

TEST_P(Everything, a_form_can_be_declined_and_an_invalid_answer_is_not_sent) {
    std::atomic<ElicitAction> action = ElicitAction::decline;
    ClientOptions o;
    o.on_elicit = [&](const ElicitRequest&, std::stop_token) {
        return ElicitResult{action, {{"name", "Ada"}, {"integer", 101}}};
    };
    Client c = connected(std::move(o));
    EXPECT_TRUE(contains(text_of(c.call_tool("trigger-elicitation-request")), "declined"));
    action = ElicitAction::cancel;
    EXPECT_TRUE(contains(text_of(c.call_tool("trigger-elicitation-request")), "cancelled"));
    action = ElicitAction::accept;
    const ToolResult result = c.call_tool("trigger-elicitation-request");
    EXPECT_TRUE(result.isError);
    EXPECT_TRUE(contains(text_of(result), "integer")) << text_of(result);
}

TEST_P(Everything, a_url_elicitation_is_answered) {
    Gathered<ElicitUrlRequest> asked;
    ClientOptions o;
    o.on_elicit_url = [&](const ElicitUrlRequest& request, std::stop_token) {
        asked.put(request);
        return ElicitResult{request.message == "no" ? ElicitAction::decline : ElicitAction::accept, {}};
    };
    Client c = connected(std::move(o));
    const ToolResult accepted =
        c.call_tool("trigger-url-elicitation", {{"url", "https://example.com/login"}, {"elicitationId", "login-1"}});
    EXPECT_EQ(raw_result(accepted), json::object({{"action", "accept"}}));
    const ElicitUrlRequest request = asked.take();
    EXPECT_EQ(request.url, "https://example.com/login");
    EXPECT_EQ(request.elicitationId, "login-1");
    EXPECT_EQ(request.message, "Please open the link to complete this action.");
    const ToolResult declined =
        c.call_tool("trigger-url-elicitation", {{"url", "https://example.com/login"}, {"message", "no"}});
    EXPECT_EQ(raw_result(declined), json::object({{"action", "decline"}}));

    // The server can also ask with an error. The call succeeds when it is repeated.
    const json::object arguments = {{"url", "https://example.com/login"}, {"errorPath", true}};
    const Error error = error_of([&] { c.call_tool("trigger-url-elicitation", arguments); });
    EXPECT_EQ(error.code, code::url_elicitation_required);
    const json::value& page = error.data.at("elicitations").at(0);
    EXPECT_EQ(page.at("mode"), json::value("url"));
    EXPECT_EQ(page.at("url"), json::value("https://modelcontextprotocol.io"));
    EXPECT_EQ(raw_result(c.call_tool("trigger-url-elicitation", arguments)), json::object({{"action", "accept"}}));
}

TEST_P(Everything, roots_are_sent_and_their_changes_are_notified) {
    std::mutex mutex;
    std::vector<Root> roots = {{"file:///home/ada", "home"}};
    Gathered<std::string> logged;
    ClientOptions o;
    o.on_roots = [&](std::stop_token) {
        const std::lock_guard lock(mutex);
        return roots;
    };
    o.on_log = [&](const LogMessage& message) { logged.put(std::string(message.data.as_string())); };
    Client c = listening(std::move(o));
    const std::string before = text_of(c.call_tool("get-roots-list"));
    EXPECT_TRUE(contains(before, "(1 total)") && contains(before, "1. home\n   URI: file:///home/ada")) << before;
    const auto says = [](std::string text) { return [text](const std::string& log) { return contains(log, text); }; };
    logged.take_until(says("Roots updated: 1 root(s)"));

    {
        const std::lock_guard lock(mutex);
        roots.push_back({"file:///srv/data", ""});
    }
    c.roots_changed();
    logged.take_until(says("Roots updated: 2 root(s)"));
    const std::string after = text_of(c.call_tool("get-roots-list"));
    EXPECT_TRUE(contains(after, "2. Unnamed Root\n   URI: file:///srv/data")) << after;
}

}  // namespace
}  // namespace tenon::test
