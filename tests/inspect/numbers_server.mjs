// A server on standard input and output that never reads a number: it copies the digits of `n` from its input to its output.
import { createInterface } from 'node:readline';

const tool = {
    name: 'copy',
    description: 'Copies the digits of a number',
    inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
};
const RESULTS = {
    initialize: () =>
        '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"numbers","version":"1"}}',
    'tools/list': () => JSON.stringify({ tools: [tool] }),
    'tools/call': (line) => {
        const [, digits] = /"n":\s*([^,}\s]+)/.exec(line);
        return `{"content":[{"type":"text","text":"read ${digits}"}],"structuredContent":{"n":${digits}}}`;
    },
};

createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const result = RESULTS[method]?.(line);
    const outcome = result ? `"result":${result}` : '"error":{"code":-32601,"message":"not known"}';
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcome}}\n`);
});
