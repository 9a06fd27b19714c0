// A server with version 2 of the TypeScript SDK. It supports 2026-07-28 and the revisions with a handshake.
//
// usage: typescript_v2.mjs stdio | http
import http from "node:http";
import { getRequestListener } from "@hono/node-server";
import {
    InMemoryServerEventBus,
    McpServer,
    ResourceTemplate,
    acceptedContent,
    completable,
    createMcpHandler,
    inputRequired,
    inputResponse
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { once } from "./once.mjs";

const text = (s) => ({ content: [{ type: "text", text: s }] });
const cancelled = once();
const listening = once();
let grown = false;

// Over HTTP each request has its own server object, so the handler sends change notifications.
let handler;
const changes = {
    lists(server) {
        if (!handler) {
            server.sendToolListChanged(), server.sendPromptListChanged(), server.sendResourceListChanged();
        } else {
            handler.notify.toolsChanged(), handler.notify.promptsChanged(), handler.notify.resourcesChanged();
        }
    },
    async resource(server, uri) {
        if (!handler) await server.server.sendResourceUpdated({ uri });
        else handler.notify.resourceUpdated(uri);
    }
};

function addTools(server) {
    server.registerTool(
        "add",
        {
            description: "Adds",
            inputSchema: z.object({ a: z.number(), b: z.number() }),
            outputSchema: z.object({ sum: z.number() })
        },
        ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }));
    server.registerTool("fail", {}, () => { throw new Error("it failed"); });
    server.registerTool("count", { inputSchema: z.object({ to: z.number() }) }, async ({ to }, { mcpReq }) => {
        const { progressToken } = mcpReq._meta;
        for (let progress = 1; progress <= to; ++progress)
            await mcpReq.notify({
                method: "notifications/progress",
                params: { progressToken, progress, total: to, message: `${progress} of ${to}` }
            });
        return text("counted");
    });
    server.registerTool("wait", {}, async ({ mcpReq }) => {
        mcpReq.signal.addEventListener("abort", cancelled.done);
        await mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken: mcpReq._meta.progressToken, progress: 1 }
        });
        await cancelled.promise;
        return text("too late");
    });
    server.registerTool("cancelled", {}, async () => (await cancelled.promise, text("yes")));
    server.registerTool("log", { inputSchema: z.object({ level: z.string() }) }, async ({ level }, { mcpReq }) => {
        await mcpReq.log(level, { said: level }, "v2");
        return text("logged");
    });
    server.registerTool("grow", {}, async () => {
        if (handler) await listening.promise;
        grown = true;
        if (!handler) addGrown(server);
        changes.lists(server);
        return text("grown");
    });
    server.registerTool("touch", {}, async () => (await changes.resource(server, "test://note/1"), text("touched")));
    if (grown) addGrown(server);
}

function addGrown(server) {
    server.registerTool("grown", {}, () => text("new"));
}

const person = z.object({ name: z.string(), age: z.number().int().default(36) });

function addQuestions(server) {
    const elicit = () => inputRequired.elicit({
        message: "Who are you?",
        requestedSchema: {
            type: "object",
            properties: { name: { type: "string" }, age: { type: "integer", default: 36 } },
            required: ["name"]
        }
    });
    const consult = () => inputRequired.createMessage({
        messages: [{ role: "user", content: { type: "text", text: "What now?" } }],
        maxTokens: 10
    });
    server.registerTool("introduce", {}, ({ mcpReq }) => {
        const answer = inputResponse(mcpReq.inputResponses, "who");
        if (answer.kind === "missing") return inputRequired({ inputRequests: { who: elicit() } });
        const who = acceptedContent(mcpReq.inputResponses, "who", person);
        return text(who ? `${who.name}, ${who.age}` : answer.action);
    });
    server.registerTool("consult", {}, ({ mcpReq }) => {
        const answer = inputResponse(mcpReq.inputResponses, "advice");
        if (answer.kind === "missing") return inputRequired({ inputRequests: { advice: consult() } });
        return text(`${answer.result.model}: ${answer.result.content.text}`);
    });
    server.registerTool("places", {}, ({ mcpReq }) => {
        const answer = inputResponse(mcpReq.inputResponses, "places");
        if (answer.kind === "missing") return inputRequired({ inputRequests: { places: inputRequired.listRoots() } });
        return text(answer.roots.map((root) => root.uri).join(" "));
    });
    // Several questions at once, then one more. The client keeps the earlier answers meanwhile.
    server.registerTool("interview", {}, ({ mcpReq }) => {
        const { inputResponses } = mcpReq;
        const before = mcpReq.requestState();
        const page = inputResponse(inputResponses, "page");
        if (before) return text(`${before}, ${page.action}`);
        const who = acceptedContent(inputResponses, "who", person);
        const advice = inputResponse(inputResponses, "advice");
        if (!who || advice.kind === "missing")
            return inputRequired({
                inputRequests: { who: elicit(), advice: consult(), places: inputRequired.listRoots() }
            });
        return inputRequired({
            requestState: `${who.name}, ${advice.result.content.text}, ${inputResponses.places.roots.length}`,
            inputRequests: { page: inputRequired.elicitUrl({ message: "Log in", url: "https://example.com/login" }) }
        });
    });
}

function addPrompts(server) {
    const languages = ["english", "estonian", "french"];
    const language = completable(z.string(), (value) => languages.filter((l) => l.startsWith(value)));
    server.registerPrompt("greet", { description: "Greets", argsSchema: z.object({ language }) }, ({ language }) => ({
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
    server.server.setRequestHandler("resources/list", ({ params }) => {
        const from = Number(params?.cursor ?? 0);
        const nextCursor = from + 2 < notes.length ? String(from + 2) : undefined;
        return { resources: notes.slice(from, from + 2), nextCursor };
    });
    server.server.setRequestHandler("resources/subscribe", () => ({}));
    server.server.setRequestHandler("resources/unsubscribe", () => ({}));
}

function newServer() {
    const server = new McpServer(
        { name: "v2", version: "1.2.3" },
        {
            instructions: "by version 2",
            capabilities: {
                logging: {},
                tools: { listChanged: true },
                prompts: { listChanged: true },
                resources: { subscribe: true, listChanged: true }
            },
            cacheHints: { "tools/list": { ttlMs: 60000, cacheScope: "private" } }
        });
    addTools(server);
    addQuestions(server);
    addPrompts(server);
    addResources(server);
    return server;
}

class Bus extends InMemoryServerEventBus {
    subscribe(listener) {
        const end = super.subscribe(listener);
        listening.done();
        return end;
    }
}

if (process.argv[2] === "stdio") {
    serveStdio(newServer);
} else {
    handler = createMcpHandler(newServer, { bus: new Bus() });
    http.createServer(getRequestListener(handler.fetch)).listen(0, "127.0.0.1");
}
