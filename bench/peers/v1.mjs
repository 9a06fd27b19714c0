// A server with the TypeScript SDK, version 1.
//
// usage: v1.mjs stdio | http PORT TOOLS [json | sse]
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { serveSessions } from "./sessions.mjs";
import { addTools, wanted } from "./tools.mjs";

const { way, port, tools, response } = wanted();
const reporter = ({ _meta, sendNotification }) => ({ progressToken: _meta?.progressToken, notify: sendNotification });
const newServer = () => addTools(new McpServer({ name: "v1", version: "1.0.0" }), tools, (fields) => fields, reporter);

if (way === "stdio") {
    await newServer().connect(new StdioServerTransport());
} else {
    serveSessions(
        port,
        (options) => new StreamableHTTPServerTransport({ ...options, enableJsonResponse: response === "json" }),
        (transport) => newServer().connect(transport));
}
