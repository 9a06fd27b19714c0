// Starts the programs under test, with the official client or with bare pipes, and checks how they leave.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const bin = process.env.TENON_BIN ?? new URL('../../build/bin', import.meta.url).pathname;
export const path = (program) => `${bin}/${program}`;

/** Connects the official client. When the test `t` is over the server must exit with 0, and the client must not have
 *  met anything it calls an error (see `errors` of the client). */
export async function connect(t, program, { capabilities = {}, handlers = [], command = path(program), args = [] } = {}) {
    const client = new Client({ name: 'interop', version: '1.0.0' }, { capabilities });
    const transport = new StdioClientTransport({ command, args, stderr: 'pipe' });
    client.errors = [];
    client.lateProgress = 0; // this client handles a response before a notification that came just ahead of it
    client.stderr = '';
    client.onerror = (error) => (/for an unknown token/.test(error.message) ? ++client.lateProgress : client.errors.push(error));
    transport.stderr.on('data', (chunk) => (client.stderr += chunk));
    for (const [schema, handler] of handlers) client.setRequestHandler(schema, handler);
    await client.connect(transport);
    const exited = once(transport._process, 'exit');
    t.after(async () => {
        await client.close();
        assert.deepEqual(await exited, [0, null], `exit of ${program}; stderr: ${client.stderr}`);
        assert.deepEqual(client.errors, []);
    });
    return client;
}

/** Speaks JSON-RPC by hand: send() writes one message, next() resolves to the next one that comes. */
export function speak(t, program) {
    const child = spawn(path(program), { stdio: ['pipe', 'pipe', 'ignore'] });
    const exited = once(child, 'exit');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const send = (message) => child.stdin.write(JSON.stringify(message) + '\n');
    const next = async () => JSON.parse((await lines.next()).value ?? 'null');
    t.after(async () => {
        child.stdin.end();
        assert.deepEqual(await exited, [0, null]);
    });
    return {
        send,
        next,
        request(method, params, id = 1) {
            send({ jsonrpc: '2.0', id, method, params });
            return next();
        },
    };
}

/** Collects what a notification carries. */
export function listen(client, schema) {
    const seen = [];
    client.setNotificationHandler(schema, ({ params }) => void seen.push(params));
    return seen;
}

/** Waits until `condition` holds: for what comes by itself, as notifications do. */
export async function until(condition, what, seconds = 20) {
    const end = Date.now() + seconds * 1000;
    while (!condition()) {
        assert.ok(Date.now() < end, `waited ${seconds} s for ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
    }
}

export const text = (result) => result.content.map((c) => c.text).join('\n');

/** Calls a tool, and gives its text; a tool that fails is a failure here. */
export async function say(client, name, args = {}, options = undefined) {
    const result = await client.callTool({ name, arguments: args }, undefined, options);
    assert.ok(!result.isError, text(result));
    return text(result);
}

export async function refused(promise, code, message) {
    await assert.rejects(promise, (error) => {
        assert.equal(error.code, code, error.message);
        assert.match(error.message, message);
        return true;
    });
}
