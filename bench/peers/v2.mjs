// A server with the TypeScript SDK, version 2. It uses 2026-07-28, or the earlier revisions with `sessions`.
//
// usage: v2.mjs stdio | http | sessions PORT TOOLS [json | sse]
import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { listen, serveSessions } from "./sessions.mjs";
import { addTools, wanted } from "./tools.mjs";

const { way, port, tools, response } = wanted();
const reporter = ({ mcpReq }) => ({
    progressToken: mcpReq._meta?.progressToken,
    notify: (message) => mcpReq.notify(message)
});
const newServer = () =>
    addTools(new McpServer({ name: "v2", version: "1.0.0" }), tools, (fields) => z.object(fields), reporter);

if (way === "stdio") {
    serveStdio(newServer);
} else if (way === "http") {
    listen(port, toNodeHandler(createMcpHandler(newServer, { responseMode: response })));
} else {
    serveSessions(
        port,
        (options) => new NodeStreamableHTTPServerTransport({ ...options, enableJsonResponse: response === "json" }),
        (transport) => newServer().connect(transport));
}
