// ServerOptions::observers: the record of each request, and its trace.
#include <gtest/gtest.h>

#include <mutex>

#include <tenon/audit.hpp>
#include <tenon/testing.hpp>

namespace tenon {
namespace {

/// What a test remembers of an Operation, whose views are short-lived.
struct Seen {
    Operation::Side side;
    std::string method, name, reason, parent, revision, client, principal, id;
    bool known_method, known_name;
    OperationEnd end;
    int error;
    std::size_t request_bytes, response_bytes;
    TraceContext trace;
};

class Watch {
 public:
    OperationObserver observer() {
        return [this](const Operation& o) {
            const std::lock_guard lock(mutex_);
            seen_.push_back({o.side, std::string(o.method), std::string(o.name), std::string(o.reason),
                             std::string(o.parent_span), std::string(o.revision), std::string(o.client_name),
                             std::string(o.principal), std::string(o.request_id), o.known_method, o.known_name, o.end,
                             o.error_code, o.request_bytes, o.response_bytes, o.trace});
        };
    }
    std::vector<Seen> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(seen_, {});
    }
    std::vector<Seen> take(std::string_view method) {
        const std::lock_guard lock(mutex_);
        std::vector<Seen> out;
        for (Seen& s : seen_)
            if (s.method == method) out.push_back(std::move(s));
        seen_.clear();
        return out;
    }

 private:
    std::mutex mutex_;
    std::vector<Seen> seen_;
};

struct Operations : testing::TestWithParam<Era> {
    Client connect(ClientOptions options = {}) {
        options.era = GetParam();
        options.learn_tools = false;
        options.info = {"host", "2"};
        options.observers = {clients.observer()};
        return test_kit::memory_client(server, "ann", std::move(options));
    }
    Seen last_of_server(std::string_view method = "tools/call") {
        auto all = servers.take(method);
        EXPECT_EQ(all.size(), 1U) << method;
        return all.empty() ? Seen{} : all.back();
    }
    Watch servers, clients;
    TraceContext in_handler;
    Server server{"test", "1", {.observers = {servers.observer()}}};
};
INSTANTIATE_TEST_SUITE_P(Eras, Operations, testing::Values(Era::legacy, Era::modern),
                         [](const auto& of) { return of.param == Era::modern ? "modern" : "legacy"; });

TEST_P(Operations, a_call_is_described_completely) {
    server.tool("add", "Adds", args(arg<int>("a")), [](int a) { return a; });
    {
        Client client = connect();
        client.call_tool("add", {{"a", 1}});
    }
    const Seen s = last_of_server();
    EXPECT_EQ(s.name, "add");
    EXPECT_EQ(s.client, "host");
    EXPECT_EQ(s.principal, "ann");
    EXPECT_EQ(s.revision, GetParam() == Era::modern ? "2026-07-28" : "2025-11-25");
    EXPECT_TRUE(s.known_method && s.known_name);
    EXPECT_EQ(s.end, OperationEnd::ok);
    EXPECT_GT(s.request_bytes, 20U);
    EXPECT_GT(s.response_bytes, 20U);
    EXPECT_NE(s.id, "");
}

// rules: SEC-6
TEST_P(Operations, names_that_are_not_registered_are_not_known) {
    server.tool("add", "Adds", [] { return 1; });
    {
        Client client = connect();
        EXPECT_THROW(client.call_tool("nothing"), Exception);
    }
    const Seen s = last_of_server();
    EXPECT_EQ(s.end, OperationEnd::refused);
    EXPECT_TRUE(s.known_method);
    EXPECT_FALSE(s.known_name);
    EXPECT_EQ(s.error, code::invalid_params);
}

TEST_P(Operations, client_handler_and_server_have_one_trace) {
    server.tool("t", "T", [this](Context& ctx) { in_handler = ctx.trace(); });
    {
        Client client = connect();
        client.call_tool("t");
    }
    const Seen of_server = last_of_server();
    const auto of_client = clients.take("tools/call");
    ASSERT_EQ(of_client.size(), 1U);
    EXPECT_EQ(of_client[0].side, Operation::Side::client);
    EXPECT_EQ(of_client[0].parent, "") << "the client began the trace";
    EXPECT_EQ(of_server.trace.trace_id(), of_client[0].trace.trace_id());
    EXPECT_EQ(of_server.parent, of_client[0].trace.span_id());
    EXPECT_EQ(in_handler, of_server.trace) << "the handler's calls become children of the server's span";
    EXPECT_NE(of_server.trace.span_id(), of_client[0].trace.span_id());
    EXPECT_EQ(of_client[0].id, of_server.id);
}

TEST_P(Operations, a_given_trace_is_continued) {
    const TraceContext given{"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=b", ""};
    server.tool("t", "T", [] {});
    {
        Client client = connect();
        client.call_tool("t", {}, {.trace = given});
    }
    const Seen of_server = last_of_server();
    EXPECT_EQ(of_server.trace.trace_id(), given.trace_id());
    EXPECT_EQ(of_server.trace.tracestate, "a=b");
    EXPECT_EQ(clients.take("tools/call").at(0).parent, given.span_id());
}

TEST(OperationQuestions, a_question_carries_a_span_of_its_own_below_the_span_of_the_call) {
    Watch watch;
    Server server("test", "1", {.observers = {watch.observer()}});
    server.tool("ask", "Asks", [](Context ctx, Reply<std::string> reply) {
        ctx.async_roots(make_reply<std::vector<Root>>(
            [reply = std::move(reply)](auto) mutable { std::move(reply).send(std::string("ok")); }));
    });
    Session session(server);
    session.receive(
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}})");
    session.receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    session.take_output();
    session.receive(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}})");
    const json::value question = *json::parse(session.take_output().substr(0));
    session.shut_down("the end");
    const auto all = watch.take();
    const Seen s = *std::ranges::find(all, "tools/call", &Seen::method);
    const Seen asked = *std::ranges::find(all, "roots/list", &Seen::method);
    EXPECT_EQ(s.end, OperationEnd::cancelled);
    EXPECT_EQ(s.trace.trace_id(), "0af7651916cd43dd8448eb211c80319c");
    EXPECT_NE(s.trace.span_id(), "b7ad6b7169203331") << "that is the span of the client";
    EXPECT_EQ(question.at("params").at("_meta").at("traceparent").as_string(), asked.trace.traceparent);
    EXPECT_EQ(asked.trace.trace_id(), s.trace.trace_id());
    EXPECT_EQ(asked.parent, s.trace.span_id());
    EXPECT_EQ(asked.side, Operation::Side::client);
    EXPECT_EQ(asked.end, OperationEnd::cancelled) << "its call is over";
}

TEST(OperationObservers, an_exception_of_an_observer_is_logged_and_does_not_fail_the_call) {
    std::string log;
    Server server("test", "1",
                  {.log = [&](const LogRecord& r) { log += r.message; },
                   .observers = {[](const Operation&) { throw std::runtime_error("no disk"); }}});
    server.tool("t", "T", [] { return "fine"; });
    test_kit::Dialogue dialogue(server);
    EXPECT_NE(json::write(dialogue.call("t")).find("fine"), std::string::npos);
    EXPECT_NE(log.find("an observer threw an exception: no disk"), std::string::npos) << log;
}

TEST(OperationLog, an_exception_of_a_handler_is_logged_with_its_type) {
    std::string log;
    Server server("test", "1", {.log = [&](const LogRecord& r) {
                      log += std::string(r.message) + "|";
                      for (const LogField& f : r.fields) log += std::string(f.name) + "=" + std::string(f.value) + "|";
                  }});
    server.tool("t", "T", []() -> std::string { throw std::out_of_range("no such row"); });
    test_kit::Dialogue dialogue(server);
    dialogue.call("t");
    EXPECT_NE(log.find("a handler threw an exception|method=tools/call|name=t|"), std::string::npos) << log;
    EXPECT_NE(log.find("type=std::out_of_range|what=no such row|"), std::string::npos) << log;
}

// What a server logs at error level, and its audit.
struct Reported {
    std::string log, audit;

    ServerOptions options() {
        return {.log =
                    [this](const LogRecord& r) {
                        if (r.level < LogLevel::error) return;
                        log += std::string(r.message) + "|";
                        for (const LogField& f : r.fields)
                            log += std::string(f.name) + "=" + std::string(f.value) + "|";
                    },
                .audit = std::make_shared<AuditLog>(
                    AuditOptions{.callback = [this](std::string_view line) { audit += line; }})};
    }
};

// rules: SEC-6
TEST(OperationLog, an_exception_of_middleware_is_an_error_of_the_operator_and_no_refusal) {
    for (const bool transforms : {false, true}) {
        Reported reported;
        Server server("test", "1", reported.options());
        server.tool("t", "T", [] { return 1; });
        server.use([transforms](Context&, const Request& request, Next next) {
            if (request.name != "t") return std::move(next).run();
            if (!transforms) throw std::out_of_range("row 4711");
            std::move(next).transform(
                [](const Result<json::object>&) -> Result<json::object> { throw std::out_of_range("row 4711"); });
        });
        test_kit::Dialogue dialogue(server);
        EXPECT_THROW(dialogue.call("t"), Exception);
        EXPECT_NE(reported.log.find("a handler threw an exception|method=tools/call|name=t|"), std::string::npos)
            << reported.log;
        EXPECT_NE(reported.log.find("type=std::out_of_range|what=row 4711|"), std::string::npos) << reported.log;
        EXPECT_NE(reported.audit.find(R"("outcome":"protocol_error")"), std::string::npos) << reported.audit;
        EXPECT_EQ(reported.audit.find("4711"), std::string::npos) << reported.audit;
    }
}

// rules: SEC-6
TEST(OperationLog, middleware_refuses_with_an_exception_of_tenon) {
    Reported reported;
    Server server("test", "1", reported.options());
    server.tool("t", "T", [] { return 1; });
    server.use([](Context&, const Request& request, Next next) {
        if (request.name == "t") throw ProtocolError(Error{code::server_error, "closed on Sundays"});
        std::move(next).run();
    });
    test_kit::Dialogue dialogue(server);
    EXPECT_THROW(dialogue.call("t"), Exception);
    EXPECT_EQ(reported.log, "");
    EXPECT_NE(reported.audit.find(R"("outcome":"refused")"), std::string::npos) << reported.audit;
    EXPECT_NE(reported.audit.find(R"("reason":"closed on Sundays")"), std::string::npos) << reported.audit;
}

// rules: SEC-6
TEST(OperationLog, a_refused_request_stays_refused_when_middleware_throws) {
    Reported reported;
    Server server("test", "1", reported.options());
    server.tool("t", "T", [] { return 1; });
    server.use(authorise([](std::string_view, const Request&) { return false; }));
    server.use([](Context&, const Request& request, Next next) {
        if (request.name == "t") throw std::out_of_range("row 4711");
        std::move(next).run();
    });
    test_kit::Dialogue dialogue(server);
    EXPECT_THROW(dialogue.call("t"), Exception);
    EXPECT_NE(reported.log.find("what=row 4711|"), std::string::npos) << reported.log;
    EXPECT_NE(reported.audit.find(R"("reason":"Unknown tool: t")"), std::string::npos) << reported.audit;
    EXPECT_EQ(reported.audit.find("4711"), std::string::npos) << reported.audit;
}

TEST(OperationLog, refusals_are_logged_with_their_reason_but_without_arguments) {
    std::string log;
    Server server("test", "1", {.log = [&](const LogRecord& r) { log += std::string(r.message) + "\n"; }});
    server.tool("t", "T", args(arg<int>("n")), [](int) {});
    test_kit::Dialogue dialogue(server);
    EXPECT_THROW(dialogue.call("missing"), Exception);
    dialogue.call("t", {{"n", "hunter2"}});
    EXPECT_NE(log.find("tools/call missing: refused: Unknown tool: missing\n"), std::string::npos) << log;
    EXPECT_NE(log.find("tools/call t: refused: Invalid arguments: /n (type)\n"), std::string::npos) << log;
    EXPECT_EQ(log.find("hunter2"), std::string::npos) << log;
}

}  // namespace
}  // namespace tenon
