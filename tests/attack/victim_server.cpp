// The server under attack: the tools of an ordinary server, with default options.
//   attack_victim PORT          anyone may call
//   attack_victim PORT tokens   two principals, with the tokens "innocent" and "attacker"
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include <tenon/tenon.hpp>
#include <tenon/transport/http_server.hpp>

namespace {

using tenon::arg;
using tenon::args;

// A small budget, so that a bound on memory means something on any machine. Needs a Limits that has one.
template <class L>
L with_budget(L limits) {
    if constexpr (requires { limits.memory_budget; }) limits.memory_budget = 256 * 1024 * 1024;
    return limits;
}

void pause(const std::stop_token& stop, std::chrono::milliseconds time) {
    std::mutex mutex;
    std::condition_variable_any wakes;
    std::unique_lock lock(mutex);
    wakes.wait_for(lock, stop, time, [] { return false; });
}

void add_tools(tenon::Server& server) {
    server.tool("add", "Adds", args(arg<int>("a", "First"), arg<int>("b", "Second")),
                [](int a, int b) { return std::to_string(a + b); });
    server.tool("echo", "Gives back what it gets", args(arg<std::string>("message", "Anything")),
                [](std::string message) { return message; });
    server.tool("sleep", "Takes its time; can be cancelled", args(arg<int>("ms", "How long").min(0).max(600'000)),
                [](tenon::Context& ctx, int ms) {
                    pause(ctx.stop_token(), std::chrono::milliseconds(ms));
                    return "slept";
                });
    server.tool("large", "A text of some length", args(arg<int>("bytes", "How long").min(0).max(15 * 1024 * 1024)),
                [](int bytes) { return std::string(static_cast<std::size_t>(bytes), 'x'); },
                {.task = tenon::TaskSupport::optional});
    server.tool("flood", "Reports progress as fast as it can", args(arg<int>("times", "How often")),
                [](tenon::Context& ctx, int times) {
                    for (int i = 1; i <= times && !ctx.cancelled(); ++i)
                        ctx.progress(i, times, "at " + std::to_string(i));
                    return "flooded";
                });
    server.tool("chat", "Logs as fast as it can", args(arg<int>("times", "How often")),
                [](tenon::Context& ctx, int times) {
                    for (int i = 1; i <= times && !ctx.cancelled(); ++i) ctx.warning("line " + std::to_string(i));
                    return "said";
                });
    server.tool("ask", "Asks the client's model", [](tenon::Context& ctx) { return ctx.sample("Well?", 100).text(); });
}

void add_strict_tool(tenon::Server& server) {
    const tenon::json::value schema = tenon::json::parse(R"({"type":"object","properties":{
        "set":{"type":"array","uniqueItems":true},
        "host":{"type":"string","format":"idn-hostname"},
        "word":{"type":"string","pattern":"^(a|aa)*b$"},
        "tree":{"$ref":"#/$defs/tree"}},
        "$defs":{"tree":{"type":"object","additionalProperties":{"$ref":"#/$defs/tree"}}}})")
                                          .value();
    server.tool(tenon::Tool{"strict", "Checks its arguments", schema.as_object()},
                [](tenon::json::object) { return "fine"; });
}

void add_resources(tenon::Server& server) {
    server.resource("note://page", "page", [] { return std::string(128 * 1024, 'p'); });
    server.resource_template("note://{folder}/{name}", "note",
                             [](const tenon::ResourceRequest& r) { return "name=" + r.var("name"); });
    server.resource_template("files://docs/{+path}", "file",
                             [](const tenon::ResourceRequest& r) { return "path=" + r.var("path"); });
    server.tool("touch", "Tells subscribers that a resource changed",
                args(arg<std::string>("uri", "Which"), arg<int>("times", "How often").min(1).max(10'000)),
                [&server](std::string uri, int times) {
                    for (int i = 0; i < times; ++i) server.resource_updated(uri);
                    return "told";
                });
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    tenon::Server server{"victim", "1", {.limits = with_budget(tenon::Limits{})}};
    add_tools(server);
    add_strict_tool(server);
    add_resources(server);
    tenon::HttpOptions options{.port = static_cast<std::uint16_t>(std::atoi(argv[1]))};
    if (argc > 2 && std::string_view(argv[2]) == "tokens")
        options.auth = tenon::auth::StaticTokens{{"innocent", tenon::auth::hash_token("innocent")},
                                                 {"attacker", tenon::auth::hash_token("attacker")}};
    return tenon::serve_http(server, options);
}
