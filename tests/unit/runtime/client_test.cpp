// The public client against a public server in the same process: every method, in every revision.
#include <tenon/client.hpp>

#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <thread>

#include <tenon/server.hpp>
#include <tenon/transport/memory.hpp>

namespace tenon {
namespace {

using namespace std::chrono_literals;

struct Weather {
    std::string city;
    double celsius;
    friend bool operator==(const Weather&, const Weather&) = default;
};
BOOST_DESCRIBE_STRUCT(Weather, (), (city, celsius))

struct Login {
    std::string name;
    int age;
};
BOOST_DESCRIBE_STRUCT(Login, (), (name, age))
auto tenon_fields(Login*) { return fields(field<&Login::name>("Name"), field<&Login::age>("Age").def(7)); }

// The state of a call that ends only when it is stopped: it has begun, and it was stopped.
struct Endless {
    std::latch began{1};
    std::latch stopped{1};
};

class EveryRevision : public testing::TestWithParam<std::string> {
 protected:
    EveryRevision() {
        server_.tool("echo", "Echoes", args(arg<std::string>("text")), [](std::string text) { return text; });
        server_.tool("weather", "Weather", args(arg<std::string>("city")), [](std::string city) {
            return Weather{std::move(city), 21.5};
        });
        server_.tool("count", "Counts", args(arg<int>("to")), [](Context& ctx, int to) {
            for (int i = 1; i <= to; ++i) ctx.progress(i, to, "at " + std::to_string(i));
            return "done";
        });
        server_.tool("who", "Asks who", [](Context& ctx) {
            const auto login = ctx.elicit<Login>("Who?");
            return login ? login->name + " " + std::to_string(login->age) : std::string("nobody");
        });
        server_.tool("model", "Asks the model", [](Context& ctx) { return ctx.sample("hi", 10).text(); });
        server_.tool("roots", "Asks for roots", [](Context& ctx) { return ctx.roots().at(0).uri; });
        server_.tool("fail", "Fails", []() -> std::string { throw std::runtime_error("on purpose"); });
        server_.tool("log", "Logs", [](Context& ctx) { ctx.warning("careful"); });
        server_.tool("endless", "Never ends by itself", [this](Context& ctx) {
            std::promise<void> stop;
            const std::stop_callback on_stop(ctx.stop_token(), [&] { stop.set_value(); });
            endless_.began.count_down();
            stop.get_future().wait();
            endless_.stopped.count_down();
            return "stopped";
        });
        server_.resource("note://a", "a", [] { return "text of a"; });
        server_.resource("note://b", "b", [] { return Blob{std::string("\0\1", 2)}; });
        server_.resource_template("note://x/{name}", "x", [](const ResourceRequest& r) { return r.var("name"); },
                                  {.complete = {{"name", [](const CompletionRequest&) {
                                                     return Completion{{"one", "two"}};
                                                 }}}});
        server_.prompt(
            "hello", "Greets",
            args(arg<std::string>("to").complete([](std::string_view) { return std::vector<std::string>{"ada"}; })),
            [](std::string to) { return "Hello " + to; });
    }

    bool modern() const { return GetParam() == "2026-07-28"; }
    ClientOptions options() const {
        ClientOptions o;
        o.era = modern() ? Era::modern : Era::legacy;
        o.revision = GetParam();
        return o;
    }
    Client client(ClientOptions o) { return Client(memory_transport(server_), std::move(o)); }
    Client client() { return client(options()); }
    static std::string text(const ToolResult& result) { return std::get<TextContent>(result.content.at(0)).text; }
    static int code_of(const std::function<void()>& f) {
        try {
            f();
        } catch (const Exception& e) {
            return e.error().code;
        }
        return 0;
    }

    Server server_{"test", "3", {.instructions = "be kind", .limits = {.page_size = 2}}};
    Endless endless_;
};

TEST_P(EveryRevision, connecting_returns_server_info_and_revision) {
    Client c = client();
    const ServerInfo info = c.connect();
    EXPECT_EQ(info.protocolVersion, GetParam());
    EXPECT_EQ(info.info.name, "test");
    EXPECT_EQ(info.instructions, "be kind");
    EXPECT_TRUE(info.capabilities.tools && info.capabilities.resources && info.capabilities.prompts);
    EXPECT_EQ(c.era(), modern() ? Era::modern : Era::legacy);
    c.ping();
}

TEST_P(EveryRevision, lists_are_read_page_by_page) {
    Client c = client();
    std::vector<std::string> names;
    for (const Tool& tool : c.list_tools()) names.push_back(tool.name);
    EXPECT_EQ(names.size(), 9u);
    EXPECT_EQ(names.front(), "echo");
    EXPECT_EQ(c.list_resources().all().size(), 2u);
    EXPECT_EQ(c.list_resource_templates().all().at(0).uriTemplate, "note://x/{name}");
    EXPECT_EQ(c.list_prompts().all().at(0).arguments.at(0).name, "to");
}

TEST_P(EveryRevision, tools_resources_prompts_and_completion_work) {
    Client c = client();
    c.list_tools().all();
    EXPECT_EQ(text(c.call_tool("echo", {{"text", "hi"}})), "hi");
    const ToolResult failed = c.call_tool("fail");
    EXPECT_TRUE(failed.isError);
    if (GetParam() >= "2025-06-18") {
        EXPECT_EQ(c.call_tool_as<Weather>("weather", {{"city", "Oslo"}}), (Weather{"Oslo", 21.5}));
    }
    EXPECT_EQ(c.read_resource("note://a").contents.at(0).text, "text of a");
    EXPECT_EQ(c.read_resource("note://b").contents.at(0).blob, std::string("\0\1", 2));
    EXPECT_EQ(c.read_resource("note://x/y").contents.at(0).text, "y");
    EXPECT_NE(code_of([&] { c.read_resource("note://nothing"); }), 0);
    EXPECT_EQ(std::get<TextContent>(c.get_prompt("hello", {{"to", "Ada"}}).messages.at(0).content).text, "Hello Ada");
    EXPECT_EQ(code_of([&] { c.get_prompt("nope"); }), code::invalid_params);
    EXPECT_EQ(c.complete(CompletionTarget::prompt("hello"), {"to", "a"}).values, std::vector<std::string>{"ada"});
    EXPECT_EQ(c.complete(CompletionTarget::resource("note://x/{name}"), {"name", ""}).values.size(), 2u);
    EXPECT_TRUE(c.request("tools/list").as_object().contains("tools"));
}

TEST_P(EveryRevision, progress_is_reported_before_the_call_returns) {
    Client c = client();
    std::vector<double> seen;
    c.call_tool("count", {{"to", 5}}, {.on_progress = [&](const Progress& p) { seen.push_back(p.progress); }});
    EXPECT_EQ(seen, (std::vector<double>{1, 2, 3, 4, 5}));
}

TEST_P(EveryRevision, the_servers_questions_are_answered) {
    ClientOptions o = options();
    o.on_elicit = [](const ElicitRequest& r, std::stop_token) {
        EXPECT_EQ(r.message, "Who?");
        return ElicitResult{ElicitAction::accept, {{"name", "Ada"}}};
    };
    o.on_sample = [](const SampleRequest& r, std::stop_token) {
        return SampleResult{Role::assistant, {TextContent{"model says " + std::to_string(r.maxTokens)}}, "m"};
    };
    o.on_roots = [](std::stop_token) { return std::vector<Root>{{"file:///home", "home"}}; };
    Client c = client(std::move(o));
    if (GetParam() >= "2025-06-18") {
        EXPECT_EQ(text(c.call_tool("who")), "Ada 7");
    }
    EXPECT_EQ(text(c.call_tool("model")), "model says 10");
    EXPECT_EQ(text(c.call_tool("roots")), "file:///home");
    c.roots_changed();
}

TEST_P(EveryRevision, an_exception_of_a_handler_becomes_an_error) {
    ClientOptions o = options();
    o.on_roots = [](std::stop_token) -> std::vector<Root> { throw std::runtime_error("no roots today"); };
    Client c = client(std::move(o));
    if (modern()) {
        EXPECT_NE(code_of([&] { c.call_tool("roots"); }), 0);
    } else {
        EXPECT_TRUE(c.call_tool("roots").isError);
    }
    EXPECT_EQ(text(c.call_tool("echo", {{"text", "still"}})), "still");
}

TEST_P(EveryRevision, a_call_is_cancelled_by_a_stop_token) {
    Client c = client();
    std::stop_source stop;
    std::jthread canceller([&] {
        endless_.began.wait();
        stop.request_stop();
    });
    EXPECT_EQ(code_of([&] { c.call_tool("endless", {}, {.stop = stop.get_token()}); }), code::call_cancelled);
    endless_.stopped.wait();
    EXPECT_EQ(code_of([&] { c.call_tool("echo", {{"text", "x"}}, {.stop = stop.get_token()}); }), code::call_cancelled);
}

TEST_P(EveryRevision, a_call_times_out) {
    Client c = client();
    c.connect();
    EXPECT_EQ(code_of([&] { c.call_tool("endless", {}, {.timeout = 1ms}); }), code::request_timeout);
}

TEST_P(EveryRevision, list_changes_and_resource_updates_are_notified) {
    std::promise<void> tools, updated;
    ClientOptions o = options();
    o.on_tools_changed = [&] { tools.set_value(); };
    o.on_resource_updated = [&](const std::string& uri) {
        if (uri == "note://a") updated.set_value();
    };
    Client c = client(std::move(o));
    c.subscribe("note://a");
    server_.resource_updated("note://a");
    updated.get_future().wait();
    c.unsubscribe("note://a");
    server_.tool("more", "More", [] { return "more"; });
    tools.get_future().wait();
    EXPECT_EQ(c.list_tools({.fresh = true}).all().size(), 10u);
}

TEST_P(EveryRevision, log_messages_arrive_at_the_requested_level) {
    std::promise<LogMessage> said;
    ClientOptions o = options();
    o.on_log = [&](const LogMessage& m) { said.set_value(m); };
    Client c = client(std::move(o));
    c.set_log_level(LogLevel::warning);
    c.call_tool("log");
    const LogMessage m = said.get_future().get();
    EXPECT_EQ(m.level, LogLevel::warning);
    EXPECT_EQ(m.data.as_string(), "careful");
}

TEST_P(EveryRevision, async_calls_deliver_progress_before_the_result) {
    std::vector<double> seen;
    std::promise<std::string> answer;
    Client c = client();
    c.async_call_tool("count", {{"to", 3}}, make_reply<ToolResult>([&](Result<ToolResult> r) {
                          seen.push_back(-1);
                          answer.set_value(r ? text(*r) : r.error().message);
                      }),
                      {.on_progress = [&](const Progress& p) { seen.push_back(p.progress); }});
    EXPECT_EQ(answer.get_future().get(), "done");
    EXPECT_EQ(seen, (std::vector<double>{1, 2, 3, -1}));
}

TEST_P(EveryRevision, a_callback_may_make_blocking_calls) {
    std::promise<std::string> answer;
    Client c = client();
    c.async_read_resource("note://a", make_reply<ReadResult>([&](Result<ReadResult> r) {
                              answer.set_value(text(c.call_tool("echo", {{"text", r.value().contents.at(0).text}})));
                          }));
    EXPECT_EQ(answer.get_future().get(), "text of a");
}

TEST_P(EveryRevision, every_call_ends_when_the_client_closes) {
    std::promise<int> async, after;
    Client c = client();
    c.async_call_tool("endless", {},
                      make_reply<ToolResult>([&](Result<ToolResult> r) { async.set_value(r ? 0 : r.error().code); }));
    std::jthread closer([&] {
        endless_.began.wait();
        c.close();
    });
    EXPECT_EQ(async.get_future().get(), code::connection_closed);
    closer.join();
    EXPECT_EQ(code_of([&] { c.call_tool("echo"); }), code::connection_closed);
    c.async_call_tool("echo", {},
                      make_reply<ToolResult>([&](Result<ToolResult> r) { after.set_value(r ? 0 : r.error().code); }));
    EXPECT_EQ(after.get_future().get(), code::connection_closed);
}

TEST_P(EveryRevision, many_threads_share_a_client) {
    Client c = client();
    std::vector<std::jthread> threads;
    std::atomic<int> right = 0;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 50; ++i) {
                const std::string word = std::to_string(t) + "." + std::to_string(i);
                if (text(c.call_tool("echo", {{"text", word}})) == word) ++right;
            }
        });
    threads.clear();
    EXPECT_EQ(right, 400);
}

TEST_P(EveryRevision, undeclared_features_are_method_not_found) {
    Server bare("bare", "1");
    bare.tool("a", "A", [] { return "a"; });
    Client c(memory_transport(bare), options());
    EXPECT_EQ(code_of([&] { c.list_prompts().all(); }), code::method_not_found);
    EXPECT_EQ(code_of([&] { c.read_resource("a:b"); }), code::method_not_found);
}

INSTANTIATE_TEST_SUITE_P(Client, EveryRevision,
                         testing::Values("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"),
                         [](const auto& revision) {
                             std::string name = revision.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST(ClientEra, is_detected_automatically) {
    Server server("s", "1");
    server.tool("a", "A", [] { return "a"; });
    Client c(memory_transport(server));
    EXPECT_EQ(c.connect().protocolVersion, "2026-07-28");
    EXPECT_EQ(c.era(), Era::modern);
}

TEST(ClientCallbacks, may_close_the_client) {
    Server server("s", "1");
    server.tool("a", "A", [] { return "a"; });
    std::promise<void> closed;
    Client c(memory_transport(server));
    c.async_connect(make_reply<ServerInfo>([&](Result<ServerInfo>) {
        c.close();
        closed.set_value();
    }));
    closed.get_future().wait();
    EXPECT_THROW(c.ping(), Exception);
}

}  // namespace
}  // namespace tenon
