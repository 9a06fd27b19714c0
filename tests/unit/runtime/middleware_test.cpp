// Middleware: functions that run between a request and its handler.
// rules: TOOL-12
#include <gtest/gtest.h>

#include <tenon/server.hpp>
#include <tenon/session.hpp>

namespace tenon {
namespace {

class MiddlewareTest : public testing::Test {
 protected:
    MiddlewareTest() {
        server_.tool("echo", "Says it again", args(arg<std::string>("text")), [this](std::string text) {
            trace_ += "handler;";
            return text;
        });
        server_.resource("a://b", "b", [] { return "text"; });
        server_.prompt("p", "A prompt", [] { return "text"; });
    }
    json::value send(std::string_view method, json::object params) {
        if (!session_) session_.emplace(server_, SessionOptions{.owner = "alice"});
        params["_meta"] = json::object{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                                       {"io.modelcontextprotocol/clientCapabilities", capabilities_}};
        session_->receive(json::write(
            json::object{{"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}, {"params", std::move(params)}}));
        return json::parse(session_->take_output()).value();
    }
    json::value echo(std::string_view text = "hi") {
        return send("tools/call", {{"name", "echo"}, {"arguments", json::object{{"text", text}}}});
    }

    Server server_{"test", "1.0.0"};
    std::optional<Session> session_;
    std::string trace_;
    int last_id_ = 0;
    json::object capabilities_;
};

TEST_F(MiddlewareTest, the_first_middleware_is_the_outermost) {
    for (const std::string name : {"a", "b"}) {
        server_.use([this, name](Context&, const Request&, Next next) {
            trace_ += name + ";";
            std::move(next).run([this, name](const Outcome&) { trace_ += "/" + name + ";"; });
        });
    }
    EXPECT_TRUE(echo().at("result").is_object());
    EXPECT_EQ(trace_, "a;b;handler;/b;/a;");
}

TEST_F(MiddlewareTest, sees_principal_method_name_and_outcome) {
    std::string seen;
    server_.use([&seen](Context& ctx, const Request& request, Next next) {
        seen = ctx.principal() + " " + std::string(request.method) + " " + std::string(request.name);
        std::move(next).run([&seen](const Outcome& outcome) {
            seen += outcome.error ? " error " + std::to_string(outcome.error->code) : " " + std::string(outcome.result);
        });
    });
    echo("hi");
    EXPECT_EQ(seen, R"(alice tools/call echo {"content":[{"type":"text","text":"hi"}]})");
    send("resources/read", {{"uri", "a://b"}});
    EXPECT_TRUE(seen.starts_with("alice resources/read a://b {")) << seen;
    send("prompts/get", {{"name", "p"}});
    EXPECT_TRUE(seen.starts_with("alice prompts/get p {")) << seen;
}

TEST_F(MiddlewareTest, can_refuse_before_the_handler_runs) {
    server_.use([](Context&, const Request&, Next next) { std::move(next).refuse({-7, "not today"}); });
    EXPECT_EQ(echo().at("error").at("message"), "not today");
    EXPECT_EQ(trace_, "");
}

TEST_F(MiddlewareTest, an_exception_of_middleware_is_the_error) {
    server_.use([](Context&, const Request&, Next) { throw std::runtime_error("broken"); });
    EXPECT_EQ(echo().at("error").at("message"), "broken");
    EXPECT_EQ(trace_, "");
}

TEST_F(MiddlewareTest, neither_running_nor_refusing_is_an_internal_error) {
    server_.use([](Context&, const Request&, Next) {});
    EXPECT_EQ(echo().at("error").at("code"), code::internal_error);
}

TEST_F(MiddlewareTest, a_completion_request_is_named_by_its_prompt_or_template) {
    std::string seen;
    server_.prompt("ask", "A prompt", args(arg<std::string>("city", "A city").complete([](std::string_view) {
                       return std::vector<std::string>{"Oslo"};
                   })),
                   [](std::string city) { return city; });
    server_.use([&seen](Context&, const Request& request, Next next) {
        seen += request.name;
        std::move(next).run();
    });
    const json::object argument{{"name", "city"}, {"value", "O"}};
    send("completion/complete",
         {{"ref", json::object{{"type", "ref/prompt"}, {"name", "ask"}, {"uri", "x://y"}}}, {"argument", argument}});
    EXPECT_EQ(seen, "ask");
}

TEST_F(MiddlewareTest, a_call_that_asks_the_client_has_the_outcome_asked) {
    server_.tool("roots", "Asks", [](Context& ctx) { return std::to_string(ctx.roots().size()); });
    server_.use([this](Context&, const Request&, Next next) {
        std::move(next).run([this](const Outcome& o) { trace_ += o.error ? "error" : o.asked ? "asked" : "done"; });
    });
    capabilities_ = {{"roots", json::object()}};
    const auto answer = send("tools/call", {{"name", "roots"}, {"arguments", json::object()}});
    EXPECT_EQ(answer.at("result").at("resultType").as_string(), "input_required");
    EXPECT_EQ(trace_, "asked");
}

TEST_F(MiddlewareTest, an_exception_of_the_outcome_callback_does_not_change_the_answer) {
    server_.use([](Context&, const Request&, Next next) {
        std::move(next).run([](const Outcome&) { throw std::runtime_error("the disk is full"); });
    });
    EXPECT_TRUE(echo().at("result").is_object());
}

TEST_F(MiddlewareTest, an_exception_after_the_answer_does_not_change_it) {
    server_.use([](Context&, const Request&, Next next) {
        std::move(next).run();
        throw std::runtime_error("too late");
    });
    EXPECT_TRUE(echo().at("result").is_object());
}

// rules: SEC-6
TEST_F(MiddlewareTest, sees_requests_that_are_refused_and_their_errors) {
    server_.use([this](Context&, const Request& request, Next next) {
        trace_ += std::string(request.method) + " " + std::string(request.name);
        std::move(next).run([this](const Outcome& o) { trace_ += o.error ? " refused;" : " done;"; });
    });
    send("tools/call", {{"name", "echo"}, {"arguments", json::object()}});
    EXPECT_EQ(trace_, "tools/call echo done;") << "invalid arguments are a result of the tool";
    trace_.clear();
    send("tools/call", {{"name", "nothing"}});
    send("tools/list", {{"cursor", "forged"}});
    send("no/such", {});
    EXPECT_EQ(trace_, "tools/call nothing refused;tools/list  refused;no/such  refused;");
}

// rules: SEC-6
TEST_F(MiddlewareTest, runs_for_every_method_with_parameters_and_result) {
    std::string seen;
    server_.use([&seen](Context&, const Request& request, Next next) {
        seen += std::string(request.method) + (request.params.contains("level") ? " with a level" : "") + ";";
        std::move(next).run([&seen](const Outcome& o) { seen += o.result.empty() ? "nothing;" : "result;"; });
    });
    Session session(server_);
    const auto receive = [&](std::string_view method, const json::object& params) {
        session.receive(
            json::write(json::object{{"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}, {"params", params}}));
        return session.take_output();
    };
    receive("initialize", {{"protocolVersion", "2025-11-25"},
                           {"capabilities", json::object()},
                           {"clientInfo", json::object{{"name", "c"}, {"version", "1"}}}});
    session.receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    for (const char* method : {"ping", "tools/list", "resources/list", "resources/templates/list", "prompts/list"})
        EXPECT_NE(receive(method, {}).find("\"result\""), std::string::npos) << method;
    receive("logging/setLevel", {{"level", "error"}});
    receive("resources/subscribe", {{"uri", "a://b"}});
    receive("resources/unsubscribe", {{"uri", "a://b"}});
    EXPECT_EQ(seen,
              "initialize;result;ping;result;tools/list;result;resources/list;result;resources/templates/list;result;"
              "prompts/list;result;logging/setLevel with a level;result;resources/subscribe;result;"
              "resources/unsubscribe;result;");
}

TEST_F(MiddlewareTest, a_subscription_continues_after_its_middleware) {
    server_.use([this](Context&, const Request&, Next next) {
        std::move(next).run([this](const Outcome& o) { trace_ += o.error ? "refused;" : "accepted;"; });
    });
    const auto acknowledged =
        send("subscriptions/listen", {{"notifications", json::object{{"toolsListChanged", true}}}});
    EXPECT_EQ(acknowledged.at("method"), "notifications/subscriptions/acknowledged");
    EXPECT_EQ(trace_, "accepted;");
    server_.tool("more", "More", [] { return 1; });
    EXPECT_EQ(json::parse(session_->take_output()).value().at("method"), "notifications/tools/list_changed");
    session_->end_of_input();
    EXPECT_NE(session_->take_output().find("\"result\""), std::string::npos);
}

TEST_F(MiddlewareTest, can_answer_from_a_cache) {
    std::string cached;
    server_.use([&cached](Context&, const Request& request, Next next) {
        if (request.method != "tools/list") return std::move(next).run();
        if (!cached.empty()) return std::move(next).answer(json::parse(cached).value().as_object());
        std::move(next).run([&cached](const Outcome& o) { cached = o.result; });
    });
    const json::value first = send("tools/list", {});
    server_.tool("new", "New", [] { return 1; });
    session_->take_output();
    EXPECT_EQ(send("tools/list", {}).at("result").at("tools"), first.at("result").at("tools"));
}

TEST_F(MiddlewareTest, can_change_results_and_errors) {
    server_.use([](Context&, const Request&, Next next) {
        std::move(next).transform([](Result<json::object> answer) -> Result<json::object> {
            if (!answer) return Error{-9, "changed: " + answer.error().message};
            (*answer)["_extra"] = true;
            return answer;
        });
    });
    EXPECT_EQ(echo().at("result").at("_extra"), true);
    EXPECT_EQ(send("tools/list", {}).at("result").at("_extra"), true);
    EXPECT_EQ(send("tools/call", {{"name", "nothing"}}).at("error").at("code"), -9);
    EXPECT_EQ(send("no/such", {}).at("error").at("code"), -32601)
        << "a request that Tenon itself refuses stays refused";
}

// rules: SEC-6
TEST_F(MiddlewareTest, a_task_passes_through_middleware_like_any_request) {
    server_.tool("work", "Works", [] { return "done"; }, {.task = TaskSupport::optional});
    server_.use([this](Context&, const Request& request, Next next) {
        std::move(next).run([this, method = std::string(request.method)](const Outcome& o) {
            trace_ += method + (o.error ? " refused;" : " done;");
        });
    });
    capabilities_ = {{"extensions", json::object{{"io.modelcontextprotocol/tasks", json::object()}}}};
    const auto created = send("tools/call", {{"name", "work"}, {"arguments", json::object()}});
    const json::value id = created.at("result").at("taskId");
    EXPECT_EQ(send("tasks/get", {{"taskId", id}}).at("result").at("status"), "completed");
    EXPECT_TRUE(send("tasks/get", {{"taskId", "other"}}).as_object().contains("error"));
    EXPECT_EQ(trace_, "tools/call done;tasks/get done;tasks/get refused;");
}

TEST_F(MiddlewareTest, limit_rates_refuses_with_retry_after) {
    server_.use(limit_rates({.each = {.calls = 2, .per = std::chrono::hours(1)}}));
    EXPECT_TRUE(echo().as_object().contains("result"));
    EXPECT_TRUE(echo().as_object().contains("result"));
    const json::value refused = echo();
    EXPECT_NE(std::string(refused.at("error").at("message").as_string()).find("the limit is 2"), std::string::npos);
    EXPECT_GT(refused.at("error").at("data").at("retryAfterMs").to_number<std::int64_t>(), 1'000'000);
    EXPECT_EQ(refused.at("error").at("code"), code::too_many_calls);
    EXPECT_TRUE(send("resources/read", {{"uri", "a://b"}}).as_object().contains("result"))
        << "only tools are rate limited";
}

TEST_F(MiddlewareTest, authorise_refuses_without_running_the_handler) {
    server_.use(authorise([](std::string_view who, const Request& request) {
        return who == "bob" || request.method == "resources/read";
    }));
    EXPECT_EQ(echo().at("error").at("message"), "Unknown tool: echo");
    EXPECT_EQ(trace_, "");
    EXPECT_TRUE(send("resources/read", {{"uri", "a://b"}}).as_object().contains("result"));
}

TEST(RateLimitOption, works_without_user_middleware) {
    Server server("test", "1.0.0", {.rate_limits = {.tools = {{"once", {.calls = 1, .per = std::chrono::hours(1)}}}}});
    server.tool("once", "Once an hour", [] { return "done"; });
    Session session(server);
    const auto call = [&](int id) {
        session.receive(
            R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
            R"(,"method":"tools/call","params":{"name":"once","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})");
        return session.take_output();
    };
    EXPECT_NE(call(1).find("\"result\""), std::string::npos);
    EXPECT_NE(call(2).find("\"error\""), std::string::npos);
}

}  // namespace
}  // namespace tenon
