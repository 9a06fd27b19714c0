// An HTTP server with one transport for each session. Both SDKs need this.
import { randomUUID } from "node:crypto";
import http from "node:http";

export function serveSessions(port, makeTransport, connect) {
    const sessions = new Map();
    const handle = async (req, res) => {
        const id = req.headers["mcp-session-id"];
        if (id !== undefined && !sessions.has(id)) return res.writeHead(404).end();
        let transport = sessions.get(id);
        if (!transport) {
            transport = makeTransport({
                sessionIdGenerator: () => randomUUID(),
                onsessioninitialized: (session) => { sessions.set(session, transport); }
            });
            transport.onclose = () => sessions.delete(transport.sessionId);
            await connect(transport);
        }
        await transport.handleRequest(req, res);
    };
    return listen(port, handle);
}

export function listen(port, handle) {
    const server = http.createServer((req, res) => {
        handle(req, res).catch((error) => {
            console.error(error);
            res.destroy();
        });
    });
    server.keepAliveTimeout = 60_000;
    server.listen(port, "127.0.0.1");
}
