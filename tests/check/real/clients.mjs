// The clients and hosts of other projects that `tenon check --client` is run on. None of them needs an account.
//
// In a command, `node` and `tenon` are these programs, {server} is a stdio server and {url} an HTTP server of tenon.
import { join, resolve } from 'node:path';

const own = (name) => join(import.meta.dirname, 'clients', name);
const interop = (name) => resolve(import.meta.dirname, '../../interop', name);
const overBoth = (name, ...command) => [
    { name: `${name}-stdio`, command: [...command, '{server}'] },
    { name: `${name}-http`, command: [...command, '{url}'] },
];
const mcporter = ['node', own('node_modules/mcporter/dist/cli.js')];
const inspector = ['node', interop('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'), '--cli'];

export const clients = [
    ...overBoth('client-typescript-v1', 'node', interop('subjects/client.mjs'), 'v1'),
    ...overBoth('client-typescript-v2', 'node', interop('subjects/client.mjs'), 'v2'),
    ...overBoth('client-inspector', ...inspector, '--method', 'tools/list'),
    ...overBoth('client-ai-sdk', 'node', own('ai_sdk.mjs')),
    ...overBoth('client-langchain', 'node', own('langchain.mjs')),
    { name: 'client-mcporter-stdio', command: [...mcporter, 'call', '--stdio', '{server}', '--name', 't', 'greet', 'whom=Ada'] },
    { name: 'client-mcporter-http', command: [...mcporter, 'list', '--http-url', '{url}', '--allow-http'] },
    { name: 'client-mcp-remote-http',
      command: ['tenon', 'list', '--', 'node', own('node_modules/mcp-remote/dist/proxy.js'), '{url}', '--allow-http'] },
    ...overBoth('host-claude-code', 'node', own('host.mjs'), 'claude'),
    ...overBoth('host-codex', 'node', own('host.mjs'), 'codex'),
    ...overBoth('host-gemini', 'node', own('host.mjs'), 'gemini'),
];
