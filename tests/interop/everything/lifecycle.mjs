// The handshake, and the end of the server.
// rules: LIFE-8, LIFE-11, LIFE-14, RPC-5, RPC-9, STDIO-4
import assert from 'node:assert/strict';
import test from 'node:test';
import { call, connect, say, testIf, way } from '../harness.mjs';

function start() {
    let onprogress;
    const started = new Promise((resolve) => (onprogress = resolve));
    return { started, onprogress };
}

test('the server introduces itself', async (t) => {
    const client = await connect(t, 'everything');
    assert.deepEqual(client.getServerVersion(), {
        name: 'everything',
        version: '1.0.0',
        title: 'Everything',
        description: 'Every feature of a Tenon server',
    });
    assert.match(client.getInstructions(), /one of everything/);
    assert.deepEqual(client.getServerCapabilities(), {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
    });
});

testIf(!way.modern, 'ping is answered with an empty result', async (t) => {
    const client = await connect(t, 'everything');
    assert.deepEqual(await client.ping(), {});
});

test('an unknown notification gets no answer', async (t) => {
    const client = await connect(t, 'everything');
    await client.notification({ method: 'notifications/nonsense', params: { any: 'thing' } });
    assert.equal(await say(client, 'echo', { message: 'still there' }), 'still there');
});

testIf(!way.http, 'a server exits in time with status 0, even during a call', async (t) => {
    const client = await connect(t, 'everything');
    const { started, onprogress } = start();
    const rejected = assert.rejects(call(client, 'count', { to: 100000, delay_ms: 50 }, { onprogress }));
    await started;
    await client.close(); // ends the input, sends SIGTERM after two seconds and SIGKILL after four
    await rejected;
});

testIf(way.http, 'a server that gets a signal answers the requests that it has started', async (t) => {
    const client = await connect(t, 'everything');
    const { started, onprogress } = start();
    const answer = say(client, 'count', { to: 20, delay_ms: 10 }, { onprogress });
    await started;
    await client.server.stop();
    assert.equal(await answer, 'counted to 20');
    client.errors.length = 0; // the streams that had nothing to say are lost
    await client.close();
});
