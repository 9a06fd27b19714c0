// A server on standard input and output whose tool returns several MiB of text, and as much structured content.
import { createInterface } from 'node:readline';

const ROWS = 50_000;
const LINES = 100_000;
const tool = { name: 'big', description: 'Returns much', inputSchema: { type: 'object' } };

const bigResult = () => ({
    content: [{ type: 'text', text: Array.from({ length: LINES }, (_, i) => `line ${i} of a long text\n`).join('') }],
    structuredContent: { rows: Array.from({ length: ROWS }, (_, i) => ({ id: i, name: `row ${i} of the table`, even: i % 2 === 0 })) },
});
const RESULTS = {
    initialize: () => ({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'big', version: '1' },
    }),
    'tools/list': () => ({ tools: [tool] }),
    'tools/call': bigResult,
};

createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const result = RESULTS[method]?.();
    const outcome = result ? { result } : { error: { code: -32601, message: 'not known' } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
});
