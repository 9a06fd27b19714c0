// A client for `tenon check --client`. It connects, requests every list, calls a tool, and closes.
//
// usage: node client.mjs v1|v2 SERVER|URL
const [, , version, where] = process.argv;
const capabilities = { roots: {}, sampling: {}, elicitation: {} };
const answers = {
    'roots/list': { roots: [{ uri: 'file:///home' }] },
    'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'little' },
    'elicitation/create': { action: 'accept', content: { name: 'Ada' } },
};

async function v1() {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const types = await import('@modelcontextprotocol/sdk/types.js');
    const client = new Client({ name: 'typescript-v1', version: '1' }, { capabilities });
    client.setRequestHandler(types.ListRootsRequestSchema, () => answers['roots/list']);
    client.setRequestHandler(types.CreateMessageRequestSchema, () => answers['sampling/createMessage']);
    client.setRequestHandler(types.ElicitRequestSchema, () => answers['elicitation/create']);
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    return { client, StdioClientTransport, StreamableHTTPClientTransport };
}

async function v2() {
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
    const client = new Client({ name: 'typescript-v2', version: '2' }, { capabilities, versionNegotiation: { mode: 'auto' } });
    for (const [method, answer] of Object.entries(answers)) client.setRequestHandler(method, () => answer);
    return { client, StdioClientTransport, StreamableHTTPClientTransport };
}

const { client, StdioClientTransport, StreamableHTTPClientTransport } = await { v1, v2 }[version]();
const http = where.startsWith('http');
const transport = http ? new StreamableHTTPClientTransport(new URL(where)) : new StdioClientTransport({ command: where });
try {
    await client.connect(transport);
    const has = client.getServerCapabilities() ?? {};
    let cursor;
    do ({ nextCursor: cursor } = await client.listTools(cursor ? { cursor } : undefined));
    while (cursor);
    if (has.resources) await client.listResources();
    if (has.prompts) await client.listPrompts();
    await client.callTool({ name: 'greet', arguments: { whom: 'Ada' } });
    if (http && transport.sessionId) await transport.terminateSession();
} finally {
    await client.close();
}
