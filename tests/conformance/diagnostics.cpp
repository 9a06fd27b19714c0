#include "fixtures.hpp"

namespace conformance {
namespace {

using tenon::Context;

// Each trigger adds an entry and removes it again, so the nodes of a cluster have the same lists afterwards.
void add_triggers(tenon::Server& server) {
    server.tool("test_trigger_tool_change", "Adds or removes a tool", [&server] {
        server.tool("test_passing_tool", "Comes and goes", [] { return "Still here"; });
        server.remove_tool("test_passing_tool");
        return "The list of tools changed";
    });
    server.tool("test_trigger_prompt_change", "Adds or removes a prompt", [&server] {
        server.prompt("test_passing_prompt", "Comes and goes", [] { return "Still here"; });
        server.remove_prompt("test_passing_prompt");
        return "The list of prompts changed";
    });
}

void add_headers(tenon::Server& server) {
    server.tool(tenon::Tool{"test_header_parameters", "Has parameters that clients repeat in headers", schema(R"({
        "type": "object",
        "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "limit": {"type": "integer", "x-mcp-header": "Limit"},
            "dry_run": {"type": "boolean", "x-mcp-header": "Dry-Run"},
            "query": {"type": "string"}
        },
        "required": ["region"]
    })")},
                [](tenon::json::object arguments) { return "Called with " + tenon::json::write(arguments); });
}

}  // namespace

void add_diagnostics(tenon::Server& server) {
    server.tool("test_missing_capability", "Needs a client that has a model",
                [](Context& ctx) { return ctx.sample("Are you there?", 10).text(); });
    server.tool("test_streaming_elicitation", "Asks the user while it reports", [](Context& ctx) {
        ctx.progress(50, 100);
        ctx.elicit("Go on?", schema(R"({"type": "object", "properties": {"go": {"type": "boolean"}}})"), "go");
        return "Went on";
    });
    server.tool("test_logging_tool", "Logs once", [](Context& ctx) {
        ctx.info("A line for those who asked for it");
        return "Logged, for those who asked";
    });
    add_triggers(server);
    add_headers(server);
}

}  // namespace conformance
