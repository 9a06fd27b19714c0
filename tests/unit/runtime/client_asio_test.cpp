// Client calls from coroutines: include/tenon/client_asio.hpp.
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <future>

#include <tenon/client_asio.hpp>
#include <tenon/context.hpp>
#include <tenon/server.hpp>
#include <tenon/transport/memory.hpp>

namespace tenon {
namespace {

namespace asio = boost::asio;

class AsioClient : public testing::TestWithParam<Era> {
 protected:
    AsioClient() {
        server.tool("double", "Doubles", args(arg<int>("x")), [](int x) { return std::to_string(2 * x); });
        server.tool("wait", "Never ends by itself", [this](Context& ctx) {
            waiting.set_value();
            std::promise<void> stopped;
            const std::stop_callback on_stop(ctx.stop_token(), [&] { stopped.set_value(); });
            stopped.get_future().wait();
            return "stopped";
        });
        server.resource("note://a", "a", [] { return "text"; });
        server.prompt("greet", "Greets", args(arg<std::string>("who")), [](std::string who) { return "Hello " + who; });
    }

    Server server{"test", "1"};
    std::promise<void> waiting;
    asio::io_context loop;
};

std::string text_of(const ToolResult& result) { return std::get<TextContent>(result.content.at(0)).text; }

TEST_P(AsioClient, every_call_can_be_awaited) {
    Client client(memory_transport(server), {.era = GetParam(), .on_resource_updated = [](const std::string&) {}});
    const json::object number{{"x", 21}};
    const PromptArguments who{{"who", "you"}};
    const auto story = [&]() -> asio::awaitable<std::string> {
        const ServerInfo info = co_await co_connect(client);
        std::string out = info.info.name;
        for (const Tool& tool : (co_await co_list_tools(client)).items) out += " " + tool.name;
        for (const Resource& r : (co_await co_list_resources(client)).items) out += " " + r.uri;
        out += " " + std::to_string((co_await co_list_resource_templates(client)).items.size());
        for (const Prompt& p : (co_await co_list_prompts(client)).items) out += " " + p.name;
        out += " " + text_of(co_await co_call_tool(client, "double", number));
        out += " " + std::to_string((co_await co_read_resource(client, "note://a")).contents.size());
        out += " " + std::to_string((co_await co_get_prompt(client, "greet", who)).messages.size());
        co_await co_set_log_level(client, LogLevel::error);
        co_await co_subscribe(client, "note://a");
        co_await co_unsubscribe(client, "note://a");
        co_await co_ping(client);
        out += " " + std::to_string((co_await co_request(client, "tools/list")).at("tools").as_array().size());
        co_return out;
    };
    auto result = asio::co_spawn(loop, story(), asio::use_future);
    loop.run();
    EXPECT_EQ(result.get(), "test double wait note://a 0 greet 42 1 1 2");
}

TEST_P(AsioClient, an_error_is_thrown_as_an_exception) {
    Client client(memory_transport(server), {.era = GetParam()});
    auto result = asio::co_spawn(loop, co_read_resource(client, "note://none"), asio::use_future);
    loop.run();
    EXPECT_THROW(result.get(), Exception);
}

TEST_P(AsioClient, cancelling_the_coroutine_cancels_the_call) {
    Client client(memory_transport(server), {.era = GetParam()});
    asio::cancellation_signal signal;
    int code = 0;
    const auto story = [&]() -> asio::awaitable<void> {
        try {
            co_await co_call_tool(client, "wait");
        } catch (const Exception& e) {
            code = e.error().code;
        }
    };
    asio::co_spawn(loop, story(), asio::bind_cancellation_slot(signal.slot(), [](std::exception_ptr) {}));
    std::thread canceller([&] {
        waiting.get_future().wait();
        asio::post(loop, [&] { signal.emit(asio::cancellation_type::terminal); });
    });
    loop.run();
    canceller.join();
    EXPECT_EQ(code, code::call_cancelled);
}

TEST_P(AsioClient, the_callers_stop_token_cancels_the_call) {
    Client client(memory_transport(server), {.era = GetParam()});
    std::stop_source source;
    CallOptions options;
    options.stop = source.get_token();
    auto result = asio::co_spawn(loop, co_call_tool(client, "wait", {}, options), asio::use_future);
    std::thread canceller([&] {
        waiting.get_future().wait();
        source.request_stop();
    });
    loop.run();
    canceller.join();
    EXPECT_THROW(result.get(), Exception);
}

INSTANTIATE_TEST_SUITE_P(Eras, AsioClient, testing::Values(Era::legacy, Era::modern),
                         [](const auto& era) { return era.param == Era::legacy ? "legacy" : "modern"; });

}  // namespace
}  // namespace tenon
