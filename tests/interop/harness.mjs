// What all suites need: a client by the way that the environment names, bare pipes, and patience.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { path } from './programs.mjs';

/** How the tests connect: what a file of ways/ exports. `http` and `modern` (2026-07-28) say what to expect; the
 *  functions hide what differs between the clients. */
export const way = await import(`./ways/${process.env.TENON_WAY ?? 'v1_stdio'}.mjs`);

/** A test of what not every way has. */
export const testIf = (condition, name, run) => condition && test(name, run);

/** Connects the official client. When the test `t` is over the server must exit with 0, and the client must not have
 *  met anything it calls an error (see `errors` of the client). */
export const connect = (t, program, options = {}) => way.connect(t, program, options);

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

/** Collects what a notification carries, but for what belongs to the protocol. */
export function listen(client, method) {
    const seen = [];
    way.onNotification(client, method, ({ params }) => {
        const { _meta, ...rest } = params ?? {};
        seen.push(rest);
    });
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

export const call = (client, name, args = {}, options = undefined) => way.callTool(client, { name, arguments: args }, options);

/** Calls a tool, and gives its text; a tool that fails is a failure here. */
export async function say(client, name, args = {}, options = undefined) {
    const result = await call(client, name, args, options);
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

/** Asks to be told when a resource changes; gives the function that ends that. */
export async function subscribe(client, uri) {
    if (way.modern) {
        const subscription = await client.listen({ resourceSubscriptions: [uri] });
        return () => subscription.close();
    }
    await client.subscribeResource({ uri });
    return () => client.unsubscribeResource({ uri });
}

/** Shows that a count to 100000, in steps of a millisecond, stops long before its end. While it goes on it tells of its
 *  progress, so a time in which the server was busy with another count, and no notice came, is one after it has stopped. */
export async function assertStops(client, notices) {
    for (let tries = 0; tries < 100; ++tries) {
        const before = notices();
        assert.equal(await say(client, 'count', { to: 20, delay_ms: 5 }), 'counted to 20');
        if (notices() === before) return;
    }
    assert.fail('it goes on');
}
