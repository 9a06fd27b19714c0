#include <stdexcept>

#include "fixtures.hpp"
#include "tiny_files.hpp"

namespace conformance {
namespace {

using tenon::Context;

// The pause that the official suite wants between two notifications: "~50ms".
void pause(const Context& ctx) { wait_unless_stopped(ctx, std::chrono::milliseconds(50)); }

void add_contents(tenon::Server& server) {
    // Must be the first tool: the header scenarios call the first listed tool without arguments.
    server.tool("test_simple_text", "Returns a text", [] { return "This is a simple text response for testing."; });
    server.tool("test_image_content", "Returns an image", [] { return tenon::image(tiny_png, "image/png"); });
    server.tool("test_audio_content", "Returns audio", [] { return tenon::audio(tiny_wav, "audio/wav"); });
    server.tool("test_embedded_resource", "Returns a resource", [] {
        return tenon::Content(tenon::EmbeddedResource{
            {"test://embedded-resource", "text/plain", "This is an embedded resource content."}});
    });
    server.tool("test_multiple_content_types", "Returns a text, an image and a resource", [] {
        return std::vector<tenon::Content>{tenon::text("Multiple content types test:"),
                                           tenon::image(tiny_png, "image/png"),
                                           tenon::EmbeddedResource{{"test://mixed-content-resource", "application/json",
                                                                    R"({"test":"data","value":123})"}}};
    });
}

void add_behaviours(tenon::Server& server) {
    server.tool("test_tool_with_logging", "Logs while it works", [](Context& ctx) {
        ctx.info("Tool execution started");
        pause(ctx);
        ctx.info("Tool processing data");
        pause(ctx);
        ctx.info("Tool execution completed");
        return "Logged three times";
    });
    server.tool("test_tool_with_progress", "Reports how far it is", [](Context& ctx) {
        ctx.progress(0, 100);
        pause(ctx);
        ctx.progress(50, 100);
        pause(ctx);
        ctx.progress(100, 100);
        return "Reported three times";
    });
    server.tool("test_error_handling", "Fails, always", []() -> std::string {
        throw std::runtime_error("This tool intentionally returns an error for testing");
    });
    server.tool("test_reconnection", "Lets go of its stream before it answers", [](Context& ctx) {
        ctx.let_poll(std::chrono::milliseconds(200));
        pause(ctx);
        pause(ctx);
        return "Reconnection test completed successfully.";
    });
}

// tools/list must return every keyword unchanged.
void add_schema(tenon::Server& server) {
    server.tool(tenon::Tool{"json_schema_2020_12_tool", "Has a schema with much of JSON Schema 2020-12", schema(R"({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"}
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false
    })")},
                [](tenon::json::object arguments) { return "Called with " + tenon::json::write(arguments); });
}

}  // namespace

void add_tools(tenon::Server& server) {
    add_contents(server);
    add_behaviours(server);
    add_schema(server);
}

}  // namespace conformance
