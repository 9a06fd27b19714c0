// Helpers of all suites: the client that the environment chooses, plain pipes, and waiting.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { path } from './programs.mjs';

/** How the tests connect: the exports of a file of ways/. `http` and `modern` (2026-07-28) say what to expect. The
 *  functions hide the differences between the clients. */
export const way = await import(`./ways/${process.env.TENON_WAY ?? 'v1_stdio'}.mjs`);

/** A test of a feature that not every way has. */
export const testIf = (condition, name, run) => condition && test(name, run);

/** Connects the official client. After the test `t`, the server must exit with status 0, and the client must have
 *  reported no error (see `errors` of the client). */
export const connect = (t, program, options = {}) => way.connect(t, program, options);

/** Sends JSON-RPC without an SDK: send() writes one message, next() resolves to the next message of the server. */
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

/** Collects the parameters of a notification, without the members that belong to the protocol. */
export function listen(client, method) {
    const seen = [];
    way.onNotification(client, method, ({ params }) => {
        const { _meta, ...rest } = params ?? {};
        seen.push(rest);
    });
    return seen;
}

/** Waits until `condition` holds, for example for a notification. */
export async function until(condition, what, seconds = 20) {
    const end = Date.now() + seconds * 1000;
    while (!condition()) {
        assert.ok(Date.now() < end, `waited ${seconds} s for ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
    }
}

export const text = (result) => result.content.map((c) => c.text).join('\n');

export const call = (client, name, args = {}, options = undefined) => way.callTool(client, { name, arguments: args }, options);

/** Calls a tool and returns its text. A tool error fails the test. */
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

/** Subscribes to a resource. Returns the function that unsubscribes. */
export async function subscribe(client, uri) {
    if (way.modern) {
        const subscription = await client.listen({ resourceSubscriptions: [uri] });
        return () => subscription.close();
    }
    await client.subscribeResource({ uri });
    return () => client.unsubscribeResource({ uri });
}

/** Shows that a count to 100000, in steps of a millisecond, stops long before its end. The count reports progress. So if
 *  another count was served completely, and no progress came meanwhile, the first one has stopped. */
export async function assertStops(client, notices) {
    for (let tries = 0; tries < 100; ++tries) {
        const before = notices();
        assert.equal(await say(client, 'count', { to: 20, delay_ms: 5 }), 'counted to 20');
        if (notices() === before) return;
    }
    assert.fail('it goes on');
}
