// The server under attack. It has the tools of an ordinary server, default limits, and a memory budget of 256 MiB, so
// that a bound on memory means the same on every machine.
//   attack_victim stdio
//   attack_victim port=N [tokens | introspection=PORT] [max_connections=N] [max_connections_per_address=N]
// tokens: there are two principals, with the tokens "innocent" and "attacker".
// introspection: the authorisation server on that port of this machine is asked about tokens.
#include <condition_variable>
#include <cstdlib>
#include <list>
#include <map>
#include <mutex>
#include <string>

#include <tenon/tenon.hpp>
#include <tenon/transport/http_server.hpp>

namespace {

using tenon::arg;
using tenon::args;

using Options = std::map<std::string, std::string>;

Options read_options(int argc, char** argv) {
    Options out;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const std::size_t equals = std::min(word.find('='), word.size());
        out[word.substr(0, equals)] = word.substr(std::min(equals + 1, word.size()));
    }
    return out;
}

void set(std::size_t& limit, const Options& options, const std::string& name) {
    if (const auto it = options.find(name); it != options.end()) limit = std::strtoul(it->second.c_str(), nullptr, 10);
}

tenon::Limits limits_of(const Options& options) {
    tenon::Limits limits;
    limits.memory_budget = 256 * 1024 * 1024;
    limits.max_calls_per_second = limits.max_notifications_per_second = 0;  // the attacks test the other limits
    set(limits.max_connections, options, "max_connections");
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
    server.tool("park", "Never answers, and holds no thread", [](tenon::Context&, tenon::Reply<std::string> reply) {
        static std::mutex mutex;
        static std::list<tenon::Reply<std::string>> parked;
        const std::lock_guard lock(mutex);
        parked.push_back(std::move(reply));
    });
    server.tool("ask", "Asks the client's model", [](tenon::Context& ctx) { return ctx.sample("Well?", 100).text(); });
}

void add_strict_tool(tenon::Server& server) {
    const tenon::json::value schema = tenon::json::parse(R"({"type":"object","properties":{
        "set":{"type":"array","uniqueItems":true},
        "host":{"type":"string","format":"idn-hostname"},
        "word":{"type":"string","pattern":"^(a|aa)*b$"},
        "tree":{"$ref":"#/$defs/tree"},
        "node":{"$ref":"#/$defs/node"}},
        "$defs":{"tree":{"type":"object","additionalProperties":{"$ref":"#/$defs/tree"}},
                 "node":{"$dynamicAnchor":"node","properties":{"c":{"type":"array","items":{"$dynamicRef":"#node"}}}}}})")
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

tenon::auth::ResourceServer asking(const std::string& authority) {
    tenon::auth::ResourceServer out{.issuer = authority, .audience = "victim"};
    out.resource = "http://127.0.0.1/mcp";
    out.introspection = tenon::auth::Introspection{authority + "/introspect", "victim", "secret"};
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    Options given = read_options(argc, argv);
    tenon::Server server{"victim", "1", {.limits = limits_of(given)}};
    add_tools(server);
    add_strict_tool(server);
    add_resources(server);
    if (given.contains("stdio")) return tenon::serve_stdio(server);
    tenon::HttpOptions options{.port = static_cast<std::uint16_t>(std::stoul(given["port"]))};
    set(options.max_connections_per_address, given, "max_connections_per_address");
    if (given.contains("tokens"))
        options.auth = tenon::auth::StaticTokens{{"innocent", tenon::auth::hash_token("innocent")},
                                                 {"attacker", tenon::auth::hash_token("attacker")}};
    if (given.contains("introspection")) options.auth = asking("http://127.0.0.1:" + given["introspection"]);
    return tenon::serve_http(server, options);
}
