// A server with version 1 of the TypeScript SDK. With `http` its sessions can be resumed. With `json` it has no sessions
// and responds with JSON instead of streams.
//
// usage: typescript_v1.mjs stdio | http | json
import { randomUUID } from "node:crypto";
import http from "node:http";
import { getRequestListener } from "@hono/node-server";
import { completable } from "@modelcontextprotocol/sdk/server/completable.js";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
    WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
    ListResourcesRequestSchema,
    SubscribeRequestSchema,
    UnsubscribeRequestSchema
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { once } from "./once.mjs";

const text = (s) => ({ content: [{ type: "text", text: s }] });
const cancelled = once();
const sessions = new Map();

function addTools(server, listening) {
    server.registerTool(
        "add",
        { description: "Adds", inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number() } },
        ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }));
    server.registerTool("fail", {}, () => { throw new Error("it failed"); });
    server.registerTool("count", { inputSchema: { to: z.number() } }, async ({ to }, { _meta, sendNotification }) => {
        for (let progress = 1; progress <= to; ++progress)
            await sendNotification({
                method: "notifications/progress",
                params: { progressToken: _meta.progressToken, progress, total: to, message: `${progress} of ${to}` }
            });
        return text("counted");
    });
    server.registerTool("wait", {}, async ({ _meta, sendNotification, signal }) => {
        signal.addEventListener("abort", cancelled.done);
        await sendNotification({
            method: "notifications/progress",
            params: { progressToken: _meta.progressToken, progress: 1 }
        });
        await cancelled.promise;
        return text("too late");
    });
    server.registerTool("cancelled", {}, async () => (await cancelled.promise, text("yes")));
    server.registerTool("log", { inputSchema: { level: z.string() } }, async ({ level }, { sessionId }) => {
        await server.sendLoggingMessage({ level, logger: "v1", data: { said: level } }, sessionId);
        return text("logged");
    });
    server.registerTool("grow", {}, async () => {
        await listening;
        server.registerTool("grown", {}, () => text("new"));
        server.registerPrompt("grown", {}, () => ({ messages: [] }));
        server.registerResource("grown", "test://grown", {}, () => ({ contents: [] }));
        return text("grown");
    });
    server.registerTool("touch", {}, async () => {
        await listening;
        await server.server.sendResourceUpdated({ uri: "test://note/1" });
        return text("touched");
    });
}

function addQuestions(server) {
    server.registerTool("introduce", {}, async () => {
        const { action, content } = await server.server.elicitInput({
            message: "Who are you?",
            requestedSchema: {
                type: "object",
                properties: { name: { type: "string" }, age: { type: "integer", default: 36 } },
                required: ["name"]
            }
        });
        return text(action === "accept" ? `${content.name}, ${content.age}` : action);
    });
    server.registerTool("consult", {}, async () => {
        const { content, model } = await server.server.createMessage({
            messages: [{ role: "user", content: { type: "text", text: "What now?" } }],
            maxTokens: 10
        });
        return text(`${model}: ${content.text}`);
    });
    server.registerTool("places", {}, async () => {
        const { roots } = await server.server.listRoots();
        return text(roots.map((root) => root.uri).join(" "));
    });
}

function addPrompts(server) {
    const languages = ["english", "estonian", "french"];
    const language = completable(z.string(), (value) => languages.filter((l) => l.startsWith(value)));
    server.registerPrompt("greet", { description: "Greets", argsSchema: { language } }, ({ language }) => ({
        messages: [
            { role: "user", content: { type: "text", text: `Greet in ${language}` } },
            { role: "assistant", content: { type: "text", text: "Hello" } }
        ]
    }));
}

function addResources(server) {
    const complete = { n: (value) => [value + "0", value + "1"] };
    server.registerResource(
        "square",
        new ResourceTemplate("test://square/{n}", { list: undefined, complete }),
        { mimeType: "text/plain" },
        (uri, { n }) => ({ contents: [{ uri: uri.href, mimeType: "text/plain", text: String(n * n) }] }));
    const notes = [1, 2, 3, 4, 5].map((n) => ({ uri: `test://note/${n}`, name: `note ${n}` }));
    for (const { name, uri } of notes)
        server.registerResource(name, uri, {}, () => ({ contents: [{ uri, text: `the text of ${name}` }] }));
    server.server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => {
        const from = Number(params?.cursor ?? 0);
        const nextCursor = from + 2 < notes.length ? String(from + 2) : undefined;
        return { resources: notes.slice(from, from + 2), nextCursor };
    });
    server.server.setRequestHandler(SubscribeRequestSchema, () => ({}));
    server.server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
}

function newServer(listening) {
    const server = new McpServer(
        { name: "v1", version: "1.2.3" },
        { instructions: "by version 1", capabilities: { logging: {}, resources: { subscribe: true } } });
    addTools(server, listening);
    addQuestions(server);
    addPrompts(server);
    addResources(server);
    return server;
}

// The subscriptions of a session, and its end.
function addSessionTools(server, transport) {
    server.registerTool("sessions", {}, () => text(String(sessions.size)));
    server.registerTool("forget", {}, () => (sessions.delete(transport.sessionId), text("forgotten")));
    server.registerTool("resume", {}, ({ closeSSEStream }) => (closeSSEStream(), text("resumed")));
}

class EventStore {
    events = [];
    storeEvent(streamId, message) {
        this.events.push({ streamId, message });
        return String(this.events.length);
    }
    getStreamIdForEventId(id) {
        return this.events[id - 1]?.streamId;
    }
    async replayEventsAfter(id, { send }) {
        const streamId = this.getStreamIdForEventId(id);
        for (let i = Number(id); i < this.events.length; ++i)
            if (this.events[i].streamId === streamId) await send(String(i + 1), this.events[i].message);
        return streamId;
    }
}

async function newSession() {
    const listening = once();
    const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, { transport, listening }),
        onsessionclosed: (id) => sessions.delete(id),
        eventStore: new EventStore(),
        retryInterval: 10
    });
    const server = newServer(listening.promise);
    addSessionTools(server, transport);
    await server.connect(transport);
    return { transport, listening };
}

async function withSessions(request) {
    const id = request.headers.get("mcp-session-id");
    const session = id ? sessions.get(id) : await newSession();
    if (!session) return new Response(null, { status: 404 });
    const response = await session.transport.handleRequest(request);
    if (request.method === "GET") session.listening.done();
    return response;
}

async function withoutSessions(request, response) {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
    await newServer().connect(transport);
    await transport.handleRequest(request, response);
}

const way = process.argv[2];
if (way === "stdio") await newServer().connect(new StdioServerTransport());
else http.createServer(way === "json" ? withoutSessions : getRequestListener(withSessions)).listen(0, "127.0.0.1");
