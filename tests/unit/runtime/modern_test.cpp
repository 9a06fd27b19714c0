// The revision 2026-07-28 through the public Session: no handshake, questions in results, subscriptions.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include <tenon/encrypt_states.hpp>
#include <tenon/schema.hpp>
#include <tenon/server.hpp>
#include <tenon/session.hpp>

#include "support/folders.hpp"

namespace tenon {
namespace {

struct Login {
    std::string name;
};
BOOST_DESCRIBE_STRUCT(Login, (), (name))

// Validates against a definition of the official schema. Accepts everything when the schema is not installed.
class Official {
 public:
    Official() {
        std::ifstream file(test_folders::shared() + "/spec/2026-07-28/schema.json");
        if (!file) return;
        std::stringstream text;
        text << file.rdbuf();
        document_ = json::parse(text.str(), {1000}).value().as_object();
    }
    std::string violation(std::string_view definition, const json::value& v) const {
        if (document_.empty()) return "";
        json::object schema = document_;
        schema["$ref"] = "#/$defs/" + std::string(definition);
        const auto found = schema::Schema::compile(schema).value().check(v, 1);
        return found.empty() ? "" : found.front().message;
    }

 private:
    json::object document_;
};

class Modern : public testing::Test {
 protected:
    void start() { session_.emplace(server_); }

    static json::object meta(json::object capabilities = {}) {
        return {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                {"io.modelcontextprotocol/clientCapabilities", std::move(capabilities)}};
    }
    std::vector<json::value> send(std::string_view method, json::object params) {
        session_->receive(json::write(
            json::object{{"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}, {"params", std::move(params)}}));
        return take();
    }
    std::vector<json::value> take() {
        std::vector<json::value> out;
        std::istringstream lines(session_->take_output());
        for (std::string line; std::getline(lines, line);) out.push_back(json::parse(line).value());
        return out;
    }
    json::value call(std::string_view tool, json::object extra = {},
                     json::object capabilities = {
                         {"elicitation", json::object()}, {"sampling", json::object()}, {"roots", json::object()}}) {
        json::object params{{"name", tool}, {"_meta", meta(std::move(capabilities))}};
        for (auto& [key, value] : extra) params[key] = value;
        const auto answers = send("tools/call", std::move(params));
        EXPECT_EQ(answers.size(), 1u);
        return answers.empty() ? json::value() : answers.back();
    }
    static std::string text(const json::value& answer) {
        return std::string(answer.at("result").at("content").at(0).at("text").as_string());
    }
    static int code_of(const json::value& answer) { return static_cast<int>(answer.at("error").at("code").as_int64()); }

    Server server_{"test", "1"};
    std::optional<Session> session_;
    std::int64_t last_id_ = 0;
    Official official_;
};

TEST_F(Modern, discover_works_without_a_handshake) {
    server_.tool("a", "A", [] { return "a"; });
    start();
    const auto answer = send("server/discover", {{"_meta", meta()}}).at(0);
    EXPECT_EQ(answer.at("result").at("supportedVersions").at(0).as_string(), "2026-07-28");
    EXPECT_EQ(official_.violation("DiscoverResult", answer.at("result")), "");
}

TEST_F(Modern, a_request_without_version_or_capabilities_is_invalid_params) {
    start();
    EXPECT_EQ(code_of(send("server/discover", {}).at(0)), -32602);
    EXPECT_EQ(code_of(send("server/discover",
                           {{"_meta", json::object{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"}}}})
                          .at(0)),
              -32602);
    EXPECT_EQ(code_of(send("tools/list",
                           {{"_meta", json::object{{"io.modelcontextprotocol/clientCapabilities", json::object()}}}})
                          .at(0)),
              -32602);
}

TEST_F(Modern, an_unsupported_version_is_answered_with_the_supported_ones) {
    start();
    json::object m = meta();
    for (const char* version : {"1900-01-01", "2025-11-25"}) {
        m["io.modelcontextprotocol/protocolVersion"] = version;
        const auto answer = send("tools/list", {{"_meta", m}}).at(0);
        EXPECT_EQ(code_of(answer), -32022);
        EXPECT_EQ(answer.at("error").at("data").at("requested").as_string(), version);
        EXPECT_EQ(official_.violation("UnsupportedProtocolVersionError", answer), "");
    }
}

TEST_F(Modern, removed_methods_are_method_not_found) {
    start();
    for (const char* method :
         {"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"})
        EXPECT_EQ(code_of(send(method, {{"_meta", meta()}}).at(0)), -32601) << method;
}

TEST_F(Modern, results_match_the_schema_and_carry_type_and_server_info) {
    server_.tool("a", "A", [] { return 1; });
    server_.resource("x://a", "a", [] { return "text"; });
    server_.prompt("p", "P", [] { return "text"; });
    start();
    const struct {
        const char* method;
        json::object params;
        const char* definition;
    } cases[] = {{"tools/list", {}, "ListToolsResult"},
                 {"resources/list", {}, "ListResourcesResult"},
                 {"resources/templates/list", {}, "ListResourceTemplatesResult"},
                 {"prompts/list", {}, "ListPromptsResult"},
                 {"resources/read", {{"uri", "x://a"}}, "ReadResourceResult"},
                 {"prompts/get", {{"name", "p"}}, "GetPromptResult"},
                 {"tools/call", {{"name", "a"}}, "CallToolResult"}};
    for (const auto& c : cases) {
        json::object params = c.params;
        params["_meta"] = meta();
        const json::value result = send(c.method, params).at(0).at("result");
        EXPECT_EQ(official_.violation(c.definition, result), "") << c.method;
        EXPECT_EQ(result.at("resultType").as_string(), "complete");
        EXPECT_EQ(result.at("_meta").at("io.modelcontextprotocol/serverInfo").at("name").as_string(), "test");
    }
}

TEST_F(Modern, a_missing_resource_is_invalid_params) {
    server_.resource("x://a", "a", [] { return "text"; });
    start();
    EXPECT_EQ(code_of(send("resources/read", {{"uri", "x://b"}, {"_meta", meta()}}).at(0)), -32602);
}

TEST_F(Modern, a_question_ends_the_call_and_the_answer_resumes_it) {
    server_.tool("greet", "Greets", [](Context& ctx) {
        const auto login = ctx.elicit<Login>("Who?", "who");
        return login ? "Hello, " + login->name : std::string("nobody");
    });
    start();
    const auto first = call("greet");
    EXPECT_EQ(official_.violation("InputRequiredResult", first.at("result")), "");
    EXPECT_EQ(first.at("result").at("inputRequests").at("who").at("method").as_string(), "elicitation/create");
    const json::object answer{{"who", json::object{{"action", "accept"}, {"content", json::object{{"name", "Ada"}}}}}};
    EXPECT_EQ(
        text(call("greet", {{"inputResponses", answer}, {"requestState", first.at("result").at("requestState")}})),
        "Hello, Ada");
    EXPECT_EQ(text(call("greet", {{"inputResponses", json::object{{"who", json::object{{"action", "decline"}}}}}})),
              "nobody");
}

TEST_F(Modern, earlier_answers_are_replayed_and_side_effects_run_once) {
    int charged = 0;
    server_.tool("order", "Orders", [&](Context& ctx) {
        const auto first = ctx.elicit<Login>("First?", "first");
        const int number = ctx.once("charge", [&] { return ++charged; });
        const auto second = ctx.elicit<Login>("Second?", "second");
        return first->name + second->name + std::to_string(number);
    });
    start();
    const auto accept = [](const char* name) {
        return json::object{{"action", "accept"}, {"content", json::object{{"name", name}}}};
    };
    const auto one = call("order");
    const auto two = call("order", {{"requestState", one.at("result").at("requestState")},
                                    {"inputResponses", json::object{{"first", accept("a")}}}});
    EXPECT_EQ(two.at("result").at("resultType").as_string(), "input_required");
    EXPECT_TRUE(two.at("result").at("inputRequests").as_object().contains("second"));
    const auto three = call("order", {{"requestState", two.at("result").at("requestState")},
                                      {"inputResponses", json::object{{"second", accept("b")}}}});
    EXPECT_EQ(text(three), "ab1");
    EXPECT_EQ(charged, 1);
}

TEST_F(Modern, several_questions_are_asked_in_one_round) {
    server_.tool("both", "Both", [](Context& ctx) {
        auto [who, roots] = ctx.ask_all(ask::form<Login>("Who?", "who"), ask::roots("where"));
        return who->name + " in " + roots.at(0).uri;
    });
    start();
    const auto first = call("both");
    EXPECT_EQ(first.at("result").at("inputRequests").as_object().size(), 2u);
    const json::object answers{{"who", json::object{{"action", "accept"}, {"content", json::object{{"name", "Ada"}}}}},
                               {"where", json::object{{"roots", json::array{json::object{{"uri", "file:///x"}}}}}},
                               {"surplus", json::object()}};
    EXPECT_EQ(text(call("both", {{"inputResponses", answers}})), "Ada in file:///x");
    const auto again = call("both", {{"inputResponses", json::object{{"who", answers.at("who")}}}});
    EXPECT_EQ(again.at("result").at("inputRequests").as_object().size(), 1u);
}

TEST_F(Modern, a_changed_or_foreign_request_state_is_refused) {
    for (const char* name : {"a", "b"})
        server_.tool(name, "Asks", [](Context& ctx) { return ctx.elicit<Login>("Who?")->name; });
    start();
    const std::string state(call("a").at("result").at("requestState").as_string());
    const json::object answer{
        {"input-1", json::object{{"action", "accept"}, {"content", json::object{{"name", "x"}}}}}};
    EXPECT_EQ(text(call("a", {{"requestState", state}, {"inputResponses", answer}})), "x");
    EXPECT_EQ(code_of(call("b", {{"requestState", state}, {"inputResponses", answer}})), -32602);
    EXPECT_EQ(code_of(call(
                  "a", {{"requestState", state}, {"arguments", json::object{{"x", 1}}}, {"inputResponses", answer}})),
              -32602);
    for (std::size_t i = 0; i < state.size(); ++i) {
        std::string changed = state;
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        EXPECT_EQ(code_of(call("a", {{"requestState", changed}, {"inputResponses", answer}})), -32602) << i;
    }
    EXPECT_EQ(code_of(call("a", {{"requestState", state + "x"}})), -32602);
    EXPECT_EQ(code_of(call("a", {{"requestState", 5}})), -32602);
    EXPECT_EQ(code_of(call("a", {{"inputResponses", json::object{{"input-1", 12345}}}})), -32602);
}

TEST_F(Modern, without_a_seal_the_state_stays_in_the_process_for_all_sessions_of_the_server) {
    server_.tool("a", "Asks", [](Context& ctx) { return ctx.elicit<Login>("Who?")->name; });
    start();
    const auto state = call("a").at("result").at("requestState");
    EXPECT_EQ(state.as_string().size(), 22U) << "128 random bits in base64url";
    EXPECT_NE(state, call("a").at("result").at("requestState"));
    const json::object answer{
        {"input-1", json::object{{"action", "accept"}, {"content", json::object{{"name", "x"}}}}}};
    session_.emplace(server_);
    EXPECT_EQ(text(call("a", {{"requestState", state}, {"inputResponses", answer}})), "x");
    session_.emplace(server_, SessionOptions{.owner = "somebody else"});
    EXPECT_EQ(code_of(call("a", {{"requestState", state}, {"inputResponses", answer}})), -32602);
}

TEST_F(Modern, a_state_that_is_too_large_fails_the_call) {
    Server server{"s", "1", {.limits = {.max_message_bytes = 2000}}};
    server.tool("a", "Asks", [](Context& ctx) {
        ctx.once("large", [] { return std::string(3000, 'x'); });
        return ctx.elicit<Login>("Who?")->name;
    });
    session_.emplace(server);
    const auto refused = call("a");
    EXPECT_EQ(code_of(refused), -32603);
    EXPECT_NE(json::write(refused).find("Limits::max_message_bytes"), std::string::npos);
    EXPECT_TRUE(session_->idle());
}

TEST_F(Modern, another_server_accepts_the_state_only_with_a_shared_key) {
    const StateKey shared{1}, old{2}, other{3};
    const auto serve = [](std::vector<StateKey> keys) {
        ServerOptions options;
        options.state_seal = encrypt_states(std::move(keys));
        auto server = std::make_unique<Server>("s", "1", std::move(options));
        server->tool("a", "Asks", [](Context& ctx) { return ctx.elicit<Login>("Who?")->name; });
        return server;
    };
    const json::object answer{
        {"input-1", json::object{{"action", "accept"}, {"content", json::object{{"name", "x"}}}}}};
    const auto one = serve({old});
    session_.emplace(*one);
    const auto state = call("a").at("result").at("requestState");
    const auto rotated = serve({shared, old});
    session_.emplace(*rotated);
    EXPECT_EQ(text(call("a", {{"requestState", state}, {"inputResponses", answer}})), "x");
    const auto foreign = serve({other});
    session_.emplace(*foreign);
    EXPECT_EQ(code_of(call("a", {{"requestState", state}, {"inputResponses", answer}})), -32602);
}

TEST_F(Modern, a_missing_client_capability_is_named_in_the_error) {
    server_.tool("a", "Asks", [](Context& ctx) { return ctx.sample("x").text(); });
    server_.tool("b", "Looks first", [](Context& ctx) { return ctx.can_sample() ? "yes" : "no"; });
    start();
    const auto answer = call("a", {}, {});
    EXPECT_EQ(code_of(answer), -32021);
    EXPECT_TRUE(answer.at("error").at("data").at("requiredCapabilities").as_object().contains("sampling"));
    EXPECT_EQ(official_.violation("MissingRequiredClientCapabilityError", answer), "");
    EXPECT_EQ(text(call("b", {}, {})), "no");
}

TEST_F(Modern, a_subscription_is_acknowledged_tagged_filtered_and_ended) {
    server_.tool("a", "A", [] { return 1; });
    server_.resource("x://a", "a", [] { return "text"; });
    start();
    json::object wanted{
        {"toolsListChanged", true}, {"promptsListChanged", true}, {"resourceSubscriptions", json::array{"x://a"}}};
    const auto acknowledged = send("subscriptions/listen", {{"notifications", wanted}, {"_meta", meta()}}).at(0);
    EXPECT_EQ(official_.violation("SubscriptionsAcknowledgedNotification", acknowledged), "");
    EXPECT_FALSE(
        acknowledged.at("params").at("notifications").as_object().contains("promptsListChanged"));  // no prompts
    EXPECT_TRUE(session_->idle());

    server_.tool("b", "B", [] { return 1; });
    server_.resource("x://b", "b", [] { return "text"; });  // not subscribed
    server_.resource_updated("x://b");
    server_.resource_updated("x://a");
    const auto told = take();
    ASSERT_EQ(told.size(), 2u);
    EXPECT_EQ(told[0].at("method").as_string(), "notifications/tools/list_changed");
    EXPECT_EQ(told[1].at("params").at("uri").as_string(), "x://a");
    for (const auto& n : told)
        EXPECT_EQ(n.at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId").as_int64(), last_id_);
    EXPECT_EQ(official_.violation("ResourceUpdatedNotification", told[1]), "");

    session_->shut_down("the end");
    const auto end = take();
    ASSERT_EQ(end.size(), 1u);
    EXPECT_EQ(official_.violation("SubscriptionsListenResult", end[0].at("result")), "");
}

TEST_F(Modern, a_cancelled_subscription_sends_nothing_more) {
    server_.tool("a", "A", [] { return 1; });
    start();
    send("subscriptions/listen", {{"notifications", json::object{{"toolsListChanged", true}}}, {"_meta", meta()}});
    session_->receive(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
    server_.tool("b", "B", [] { return 1; });
    EXPECT_TRUE(take().empty());
}

TEST_F(Modern, logs_only_at_the_level_of_the_request) {
    server_.tool("a", "Logs", [](Context& ctx) {
        ctx.debug("d");
        ctx.error("e");
        return "done";
    });
    start();
    EXPECT_EQ(send("tools/call", {{"name", "a"}, {"_meta", meta()}}).size(), 1u);
    json::object m = meta();
    m["io.modelcontextprotocol/logLevel"] = "warning";
    EXPECT_EQ(send("tools/call", {{"name", "a"}, {"_meta", m}}).size(), 2u);
    m["io.modelcontextprotocol/logLevel"] = "loud";
    EXPECT_EQ(code_of(send("tools/call", {{"name", "a"}, {"_meta", m}}).at(0)), -32602);
}

TEST_F(Modern, both_eras_are_served_by_one_session) {
    server_.tool("a", "A", [] { return "a"; });
    start();
    EXPECT_EQ(text(call("a")), "a");
    send("initialize", {{"protocolVersion", "2025-06-18"},
                        {"capabilities", json::object()},
                        {"clientInfo", json::object{{"name", "t"}, {"version", "1"}}}});
    const auto legacy = send("tools/call", {{"name", "a"}}).at(0);
    EXPECT_FALSE(legacy.at("result").as_object().contains("resultType"));
    EXPECT_EQ(text(call("a")), "a");
}

}  // namespace
}  // namespace tenon
