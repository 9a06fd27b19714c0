// A client for `tenon check --client`, made with LangChain's adapters: it connects, lists the tools, calls one, and closes.
//
// usage: node langchain.mjs SERVER|URL
import { MultiServerMCPClient } from '@langchain/mcp-adapters';

const where = process.argv[2];
const server = where.startsWith('http') ? { transport: 'http', url: where } : { transport: 'stdio', command: where, args: [] };
const client = new MultiServerMCPClient({ mcpServers: { tenon: server } });
try {
    const tools = await client.getTools();
    await tools.find(({ name }) => name.endsWith('greet'))?.invoke({ whom: 'Ada' });
} finally {
    await client.close();
}
