// A client for `tenon check --client`, made with the AI SDK: it connects, lists the tools, calls one, and closes.
//
// usage: node ai_sdk.mjs SERVER|URL
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';

const where = process.argv[2];
const client = await createMCPClient({
    transport: where.startsWith('http') ? { type: 'http', url: where } : new StdioTransport({ command: where }),
});
try {
    const tools = await client.tools();
    await tools.greet?.execute({ whom: 'Ada' }, { messages: [], toolCallId: '1' });
} finally {
    await client.close();
}
