#include "check/good_server.hpp"

#include <tenon/tenon.hpp>

#include "check/mutations.hpp"
#include "protocol/versions.hpp"

namespace tenon::check::mutant {
namespace {

constexpr std::string_view modern = "2026-07-28";

ToolOptions reads() { return {.annotations = {.readOnlyHint = true}, .placement = Placement::inline_}; }

struct Who {
    std::string name;
};
BOOST_DESCRIBE_STRUCT(Who, (), (name))

struct Sum {
    double sum;
};
BOOST_DESCRIBE_STRUCT(Sum, (), (sum))

void add_tools(Server& server) {
    server.tool(
        "echo", "Gives back what it gets", args(arg<std::string>("message", "Anything")),
        [](std::string message) { return message; }, reads());
    server.tool(
        "add", "Adds two numbers", args(arg<double>("a", "First"), arg<double>("b", "Second")),
        [](double a, double b) { return Sum{a + b}; }, reads());
    server.tool(
        "mixed", "All kinds of content",
        [] {
            return std::vector<Content>{TextContent{"text", {.priority = 0.5}}, image("png", "image/png"),
                                        ResourceLink{"note://welcome", "welcome", "Welcome"},
                                        EmbeddedResource{{"note://inside", "text/plain", "embedded"}}};
        },
        reads());
    server.tool(
        "fail", "Fails, always", []() -> std::string { throw std::runtime_error("on purpose"); }, reads());
    server.tool(
        "count", "Tells of its progress, and logs",
        [](Context& ctx) {
            for (int i = 1; i <= 3; ++i) ctx.progress(i, 3);
            ctx.log(LogLevel::error, "counted");
            return "3";
        },
        reads());
    ToolOptions waits = reads();
    waits.placement = Placement::worker;
    server.tool(
        "ask", "Asks the user",
        [](Context& ctx) -> std::string {
            const auto who = ctx.elicit<Who>("Who are you?");
            return who ? who->name : "nobody";
        },
        waits);
}

}  // namespace

Server good_server() {
    Server server{"good", "1.0.0", {.instructions = "Ask.", .limits = {.page_size = 2}}};
    add_tools(server);
    const ResourceOptions text{.placement = Placement::inline_};
    server.resource(
        "note://welcome", "welcome", [] { return "Welcome."; }, text);
    server.resource("note://dot", "dot", [] { return Blob{"png"}; },
                    {.mimeType = "image/png", .placement = Placement::inline_});
    server.resource_template(
        "note://{folder}/{name}", "note",
        [](const ResourceRequest& r) { return r.var("folder") + " holds " + r.var("name"); }, text);
    const PromptOptions quick{.placement = Placement::inline_};
    server.prompt(
        "simple", "A prompt without arguments", [] { return "This is simple."; }, quick);
    server.prompt(
        "letter", "A letter to somebody", args(arg<std::string>("to", "Whom").complete([](std::string_view) {
            return std::vector<std::string>{"ada", "alan"};
        })),
        [](std::string to) { return "Write to " + to + "."; }, quick);
    return server;
}

void as_revision(Passing& p, std::string_view revision) {
    if (revision == modern) {
        if (p.method != "initialize") return;
        p.before.push_back(error_line(p.message.at("id"), code::method_not_found));
        p.line.clear();
        return;
    }
    if (p.method == "server/discover" || p.method == "subscriptions/listen") {
        p.before.push_back(error_line(p.message.at("id"), code::method_not_found));
        p.line.clear();
    }
    if (p.method != "initialize" || !p.message.contains("params")) return;
    value& asked = p.message["params"].as_object()["protocolVersion"];
    if (!asked.is_string()) return;
    const std::string_view version = asked.get_string();
    if (!protocol::revision(version) || version > revision) {  // dates as text compare in order
        asked = revision;
        p.write();
    }
}

}  // namespace tenon::check::mutant
