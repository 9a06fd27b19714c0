// The tools of all benchmark servers: the same as in bench/filler.hpp and bench/echo_server.cpp.
import { z } from "zod";

const steps = 3;
const text = (s) => ({ content: [{ type: "text", text: s }] });

/// `inputs` makes an input schema from fields. `reporter` takes the second argument of a handler and returns its
/// progress token and a function that sends a notification.
export function addTools(server, tools, inputs, reporter) {
    const inputSchema = inputs({ text: z.string() });
    server.registerTool("echo", { description: "Gives back the text", inputSchema }, async (a) => text(a.text));
    server.registerTool(
        "report",
        { description: "Gives back the text, after some reports of progress", inputSchema },
        async (a, extra) => {
            const { progressToken, notify } = reporter(extra);
            for (let progress = 1; progressToken !== undefined && progress <= steps; ++progress)
                await notify({ method: "notifications/progress", params: { progressToken, progress } });
            return text(a.text);
        });
    const query = z.string().describe("What to look for");
    const limit = z.number().int().optional().describe("How many results at most");
    for (let i = 2; i < tools; ++i)
        server.registerTool(
            `tool_${i}`,
            {
                description: `Tool number ${i}, here to make the list as long as lists of real servers are`,
                inputSchema: inputs({ query, limit })
            },
            async () => text("nothing"));
    return server;
}

/// Reads the command line: the transport, the port, the number of tools, and the type of HTTP responses (json or sse).
export function wanted() {
    const [way = "stdio", port = "0", tools = "2", response = "json"] = process.argv.slice(2);
    return { way, port: Number(port), tools: Number(tools), response };
}
